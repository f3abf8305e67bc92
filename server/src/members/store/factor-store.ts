import { type Queries, sql } from "../../platform/db/index.ts";

/** Keeps a new secret that does not count yet. Returns false if a confirmed one is there. */
export async function putSecret(tx: Queries, memberId: string, sealed: string, now: Date): Promise<boolean> {
  const done = await tx.execute(sql`
    update members set totp_secret = ${sealed}, totp_step = null, updated_at = ${now}
    where id = ${memberId} and totp_confirmed_at is null`);
  return done === 1;
}

/** Makes the secret count from now on. Returns false if it counts already. */
export async function confirmSecret(tx: Queries, memberId: string, step: number, now: Date): Promise<boolean> {
  const done = await tx.execute(sql`
    update members set totp_confirmed_at = ${now}, totp_step = ${step}, updated_at = ${now}
    where id = ${memberId} and totp_confirmed_at is null and totp_secret is not null`);
  return done === 1;
}

/** Uses up the code of a time step. Returns false if this or a later one has been used. */
export async function useStep(tx: Queries, memberId: string, step: number): Promise<boolean> {
  const done = await tx.execute(sql`
    update members set totp_step = ${step} where id = ${memberId} and (totp_step is null or totp_step < ${step})`);
  return done === 1;
}

/** Removes the second factor with its recovery codes. */
export async function removeSecondFactor(tx: Queries, memberId: string, now: Date): Promise<void> {
  await tx.execute(sql`delete from member_recovery_codes where member_id = ${memberId}`);
  await tx.execute(sql`
    update members set totp_secret = null, totp_confirmed_at = null, totp_step = null, updated_at = ${now}
    where id = ${memberId}`);
}

export async function replaceRecoveryCodes(tx: Queries, memberId: string, hashes: Buffer[]): Promise<void> {
  await tx.execute(sql`delete from member_recovery_codes where member_id = ${memberId}`);
  await tx.execute(sql`
    insert into member_recovery_codes (member_id, hash) select ${memberId}, unnest(${hashes}::bytea[])`);
}

/** Uses up a recovery code. Returns false if it is none, or was used. */
export const useRecoveryCode = async (tx: Queries, memberId: string, hash: Buffer): Promise<boolean> =>
  (await tx.execute(sql`delete from member_recovery_codes where member_id = ${memberId} and hash = ${hash}`)) === 1;
