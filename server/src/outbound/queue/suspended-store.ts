import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { choosing, type Queries, raw, sql, type Tx } from "../../platform/db/index.ts";
import { SUSPENSION_HOURS } from "../../workspaces/index.ts";

/** Returns which of these workspaces are suspended. */
export async function suspendedAmong(q: Queries, workspaceIds: string[]): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(
    sql`select id from workspaces where status = 'suspended' and id = any(${workspaceIds}::uuid[])`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Returns the workspaces that have been suspended for SUSPENSION_HOURS or longer, by the database's clock, as for leases. */
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

/** Cancels up to `most` waiting deliveries of these workspaces, also those that are due far ahead. Leased ones are left to their end. */
export function cancelSuspended(tx: Tx, workspaceIds: string[], most: number): Promise<CanceledRow[]> {
  const { lock, still } = choosing(
    tx,
    sql`for update skip locked`,
    sql`d.due_at > '-infinity' and (d.lease_id is null or d.due_at <= now()) and not (d.at_most_once and d.status = 'sending')`,
  );
  return tx.query<CanceledRow>(sql`
    update deliveries d set
      status = 'canceled',
      reason = 'workspace_suspended',
      due_at = null,
      lease_id = null,
      content = case when d.retain_content then d.content - 'attachments' end
    from (
      select person_key, id from deliveries
      where bulk in (true, false)
        and due_at > '-infinity'
        and (lease_id is null or due_at <= now())
        and workspace_id = any(${workspaceIds}::uuid[])
        and not (at_most_once and status = 'sending')
      order by due_at limit ${most} ${lock}
    ) as waiting
    where d.person_key = waiting.person_key and d.id = waiting.id ${still}
    returning d.workspace_id, d.person_key, d.id, d.channel`);
}
