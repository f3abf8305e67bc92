import { prepared, type Queries, sql } from "../../platform/db/index.ts";

export interface SecretRow {
  kid: string;
  /** Sealed. */
  secret: string;
  created_at: Date;
  revoked_at: Date | null;
}

/** Returns the secrets of a workspace, newest first. There are few, because at most two are live at once. */
export const secretsOf = (q: Queries, workspaceId: string): Promise<SecretRow[]> =>
  q.query(
    prepared(
      "workspaces.secretsOf",
      sql`select kid, secret, created_at, revoked_at from signing_secrets
          where workspace_id = ${workspaceId}
          order by created_at desc, kid desc`,
    ),
  );

/** Names a signing secret among those of all workspaces. */
export const signerOf = (workspaceId: string, kid: string): string => `${workspaceId} ${kid}`;

/** Returns those of these signing secrets (names of signerOf) that are not revoked. */
export async function liveSigners(q: Queries, signers: string[]): Promise<string[]> {
  const parts = signers.map((signer) => signer.split(" ") as [string, string]);
  const rows = await q.query<{ workspace_id: string; kid: string }>(sql`
    select s.workspace_id, s.kid from signing_secrets s
    join unnest(
        ${parts.map(([id]) => id)}::uuid[],
        ${parts.map(([, kid]) => kid)}::text[]
      ) as t (workspace_id, kid) using (workspace_id, kid)
    where s.revoked_at is null`);
  return rows.map((row) => signerOf(row.workspace_id, row.kid));
}

/** Makes two creations take turns, so that both count the live secrets correctly. */
export const lockWorkspace = (tx: Queries, workspaceId: string): Promise<number> =>
  tx.execute(sql`select from workspaces where id = ${workspaceId} for update`);

export const insertSecret = (tx: Queries, workspaceId: string, row: SecretRow): Promise<number> =>
  tx.execute(sql`
    insert into signing_secrets (workspace_id, kid, secret, created_at)
    values (${workspaceId}, ${row.kid}, ${row.secret}, ${row.created_at})`);

export const revokeSecretRow = (tx: Queries, workspaceId: string, kid: string, now: Date): Promise<number> =>
  tx.execute(sql`
    update signing_secrets set revoked_at = coalesce(revoked_at, ${now})
    where workspace_id = ${workspaceId} and kid = ${kid}`);

/** Numbers of calls without a person token (unsigned) and with an invalid one, and of addresses that no token proved (claimed). */
export interface Unverified {
  unsigned: number;
  invalid: number;
  claimed: number;
}

export const addUnverified = (
  tx: Queries,
  day: Date,
  counts: [workspaceId: string, counts: Unverified][],
): Promise<number> =>
  tx.execute(sql`
    insert into unverified_calls as c (workspace_id, day, unsigned, invalid, claimed)
    select workspace_id, ${day}::timestamptz at time zone 'UTC', unsigned, invalid, claimed
    from unnest(
        ${counts.map(([id]) => id)}::uuid[],
        ${counts.map(([, c]) => c.unsigned)}::bigint[],
        ${counts.map(([, c]) => c.invalid)}::bigint[],
        ${counts.map(([, c]) => c.claimed)}::bigint[]
      ) as t (workspace_id, unsigned, invalid, claimed)
    order by workspace_id
    on conflict (workspace_id, day) do update set
      unsigned = c.unsigned + excluded.unsigned,
      invalid = c.invalid + excluded.invalid,
      claimed = c.claimed + excluded.claimed`);

export async function unverifiedSince(q: Queries, workspaceId: string, since: Date): Promise<Unverified> {
  const [row] = await q.query<Unverified>(sql`
    select coalesce(sum(unsigned), 0)::bigint as unsigned, coalesce(sum(invalid), 0)::bigint as invalid,
      coalesce(sum(claimed), 0)::bigint as claimed
    from unverified_calls where workspace_id = ${workspaceId} and day >= (${since}::timestamptz at time zone 'UTC')::date`);
  return row as Unverified;
}
