import type { Queries } from "../../platform/db/index.ts";
import { sql } from "../../platform/db/index.ts";
import type { SealedSecrets } from "../../platform/standard-webhooks.ts";

/** A row of campaign_secrets. */
export interface SecretRow extends SealedSecrets {
  created_at: Date;
}

const COLUMNS = sql`secret, previous_secret, previous_until, created_at`;

export async function secretOf(q: Queries, workspaceId: string): Promise<SecretRow | undefined> {
  const [row] = await q.query<SecretRow>(
    sql`select ${COLUMNS} from campaign_secrets where workspace_id = ${workspaceId}`,
  );
  return row;
}

/** Stores the first secret of a workspace, and returns the one that is stored then: another process may have been first. */
export async function addSecret(q: Queries, workspaceId: string, sealed: string, now: Date): Promise<SecretRow> {
  const [row] = await q.query<SecretRow>(sql`
    insert into campaign_secrets (workspace_id, secret, created_at) values (${workspaceId}, ${sealed}, ${now})
    on conflict (workspace_id) do update set workspace_id = excluded.workspace_id
    returning ${COLUMNS}`);
  return row as SecretRow;
}

/** Stores a new secret. The one before it also signs until `until`. */
export const replaceSecret = (
  q: Queries,
  workspaceId: string,
  { sealed, until, now }: { sealed: string; until: Date; now: Date },
): Promise<number> =>
  q.execute(sql`
    insert into campaign_secrets as s (workspace_id, secret, created_at) values (${workspaceId}, ${sealed}, ${now})
    on conflict (workspace_id) do update set secret = excluded.secret, created_at = excluded.created_at,
      previous_secret = s.secret, previous_until = ${until}`);
