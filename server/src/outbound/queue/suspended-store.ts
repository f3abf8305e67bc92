import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { type Queries, raw, sql, type Tx } from "../../platform/db/index.ts";
import { SUSPENSION_HOURS } from "../../workspaces/index.ts";

/** Those of these workspaces that are suspended. */
export async function suspendedAmong(q: Queries, workspaceIds: string[]): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(
    sql`select id from workspaces where status = 'suspended' and id = any(${workspaceIds}::uuid[])`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Workspaces whose suspension has lasted for too long for what waits to go out. The database's clock decides, as for leases. */
export async function longSuspended(q: Queries): Promise<string[]> {
  const rows = await q.query<{ id: string }>(sql`
    select id from workspaces
    where status = 'suspended' and suspended_at <= now() - ${raw(`interval '${SUSPENSION_HOURS} hours'`)}`);
  return rows.map((row) => row.id);
}

export interface CanceledRow {
  workspace_id: string;
  person_key: string;
  id: string;
  channel: PushedChannel;
}

/** Cancels up to `most` of what waits in these workspaces, also what is due far ahead. What somebody has in hand is left to its end. */
export const cancelSuspended = (tx: Tx, workspaceIds: string[], most: number): Promise<CanceledRow[]> =>
  tx.query<CanceledRow>(sql`
    update deliveries d set status = 'canceled', reason = 'workspace_suspended', due_at = null, lease_id = null,
      content = case when d.retain_content then d.content - 'attachments' end
    from (
      select person_key, id from deliveries
      where bulk in (true, false) and due_at > '-infinity' and (lease_id is null or due_at <= now())
        and workspace_id = any(${workspaceIds}::uuid[]) and not (at_most_once and status = 'sending')
      order by due_at limit ${most} for update skip locked
    ) as held
    where d.person_key = held.person_key and d.id = held.id
    returning d.workspace_id, d.person_key, d.id, d.channel`);
