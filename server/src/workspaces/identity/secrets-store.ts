import { prepared, type Queries, sql } from "../../platform/db/index.ts";

export interface SecretRow {
  kid: string;
  /** Sealed. */
  secret: string;
  created_at: Date;
  revoked_at: Date | null;
}

/** The secrets of a workspace, newest first; there are few, since two live at once at the most. */
export const secretsOf = (q: Queries, workspaceId: string): Promise<SecretRow[]> =>
  q.query(
    prepared(
      "workspaces.secretsOf",
      sql`select kid, secret, created_at, revoked_at from signing_secrets where workspace_id = ${workspaceId} order by created_at desc, kid desc`,
    ),
  );

/** What names a signing secret beside those of other workspaces. */
export const signerOf = (workspaceId: string, kid: string): string => `${workspaceId} ${kid}`;

/** Which of these signing secrets, each named as signerOf does, are not revoked. */
export async function liveSigners(q: Queries, signers: string[]): Promise<string[]> {
  const parts = signers.map((signer) => signer.split(" ") as [string, string]);
  const rows = await q.query<{ workspace_id: string; kid: string }>(sql`
    select s.workspace_id, s.kid from signing_secrets s
    join unnest(${parts.map(([id]) => id)}::uuid[], ${parts.map(([, kid]) => kid)}::text[]) as t (workspace_id, kid) using (workspace_id, kid)
    where s.revoked_at is null`);
  return rows.map((row) => signerOf(row.workspace_id, row.kid));
}

/** Makes two creations take turns, so that both count the live ones right. */
export const lockWorkspace = (tx: Queries, workspaceId: string): Promise<number> =>
  tx.execute(sql`select from workspaces where id = ${workspaceId} for update`);

export const insertSecret = (tx: Queries, workspaceId: string, row: SecretRow): Promise<number> =>
  tx.execute(sql`
    insert into signing_secrets (workspace_id, kid, secret, created_at) values (${workspaceId}, ${row.kid}, ${row.secret}, ${row.created_at})`);

export const revokeSecretRow = (tx: Queries, workspaceId: string, kid: string, now: Date): Promise<number> =>
  tx.execute(sql`
    update signing_secrets set revoked_at = coalesce(revoked_at, ${now}) where workspace_id = ${workspaceId} and kid = ${kid}`);

/** Calls of applications without a person token, with one that proves nothing, and addresses that no token proved. */
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
    from unnest(${counts.map(([id]) => id)}::uuid[], ${counts.map(([, c]) => c.unsigned)}::bigint[],
      ${counts.map(([, c]) => c.invalid)}::bigint[], ${counts.map(([, c]) => c.claimed)}::bigint[])
      as t (workspace_id, unsigned, invalid, claimed)
    order by workspace_id
    on conflict (workspace_id, day) do update set
      unsigned = c.unsigned + excluded.unsigned, invalid = c.invalid + excluded.invalid, claimed = c.claimed + excluded.claimed`);

export async function unverifiedSince(q: Queries, workspaceId: string, since: Date): Promise<Unverified> {
  const [row] = await q.query<Unverified>(sql`
    select coalesce(sum(unsigned), 0)::bigint as unsigned, coalesce(sum(invalid), 0)::bigint as invalid,
      coalesce(sum(claimed), 0)::bigint as claimed
    from unverified_calls where workspace_id = ${workspaceId} and day >= (${since}::timestamptz at time zone 'UTC')::date`);
  return row as Unverified;
}
