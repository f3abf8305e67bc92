import { type Queries, sql } from "../../platform/db/index.ts";

export interface PasskeyRow {
  id: string;
  member_id: string;
  credential_id: string;
  public_key: Buffer;
  /** A bigint, which pg reads as text. */
  counter: string;
  transports: string[];
  name: string;
  created_at: Date;
  used_at: Date | null;
}

export const passkeysOf = (q: Queries, memberId: string): Promise<PasskeyRow[]> =>
  q.query<PasskeyRow>(sql`select * from member_passkeys where member_id = ${memberId} order by id desc`);

export async function passkeyBy(q: Queries, credentialId: string): Promise<PasskeyRow | undefined> {
  return (await q.query<PasskeyRow>(sql`select * from member_passkeys where credential_id = ${credentialId}`))[0];
}

export type NewPasskey = Omit<PasskeyRow, "used_at" | "counter"> & { counter: number };

/** Stores a passkey. Returns undefined if its credential is known already. */
export async function insertPasskey(tx: Queries, row: NewPasskey): Promise<PasskeyRow | undefined> {
  const rows = await tx.query<PasskeyRow>(sql`
    insert into member_passkeys (id, member_id, credential_id, public_key, counter, transports, name, created_at)
    values (${row.id}, ${row.member_id}, ${row.credential_id}, ${row.public_key}, ${row.counter},
      ${row.transports}::text[], ${row.name}, ${row.created_at})
    on conflict (credential_id) do nothing returning *`);
  return rows[0];
}

/** Notes a use. Returns false if a later one was noted already: the authenticator may have been copied. */
export const usePasskey = async (tx: Queries, id: string, counter: number, now: Date): Promise<boolean> =>
  (await tx.execute(sql`
    update member_passkeys set counter = ${counter}, used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`)) === 1;

export const deletePasskey = (tx: Queries, memberId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from member_passkeys where member_id = ${memberId} and id = ${id}`);

export const deletePasskeys = (tx: Queries, memberId: string): Promise<number> =>
  tx.execute(sql`delete from member_passkeys where member_id = ${memberId}`);

interface Challenge {
  hash: Buffer;
  /** Null: for a sign-in, whose member is not known yet. */
  memberId: string | null;
  now: Date;
  expiresAt: Date;
}

/** Stores a challenge, and removes those that have expired. */
export async function insertChallenge(tx: Queries, { hash, memberId, now, expiresAt }: Challenge): Promise<void> {
  await tx.execute(sql`delete from member_challenges where expires_at <= ${now}`);
  await tx.execute(
    sql`insert into member_challenges (hash, member_id, expires_at) values (${hash}, ${memberId}, ${expiresAt})`,
  );
}

/** Uses up a challenge. Returns false if it is unknown, used, expired or for somebody else. */
export const takeChallenge = async (q: Queries, hash: Buffer, memberId: string | null, now: Date): Promise<boolean> =>
  (await q.execute(sql`
    delete from member_challenges
    where hash = ${hash} and member_id is not distinct from ${memberId}::uuid and expires_at > ${now}`)) === 1;
