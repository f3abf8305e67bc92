import { type Queries, type Sql, sql } from "../../platform/db/index.ts";
import type { BroadcastRow } from "../definition/store.ts";

/** True if a broadcast has a step to take at this time. */
export const isStepDue = (now: Date): Sql => sql`exists (select 1 from broadcasts where next_at <= ${now})`;

/**
 * Returns the broadcast that has waited longest for its next step, locked until the transaction ends: two workers never get
 * the same one. The lock is one that lets other transactions refer to the row: those of its batches store later batches.
 */
export async function claimDue(tx: Queries, now: Date): Promise<BroadcastRow | undefined> {
  const [row] = await tx.query<BroadcastRow>(sql`
    select * from broadcasts
    where next_at <= ${now}
    order by next_at limit 1
    for no key update skip locked`);
  return row;
}

/** Delays a broadcast's next step, unless its row was changed since it was claimed. */
export const putOff = (q: Queries, { workspace_id, id, next_at }: BroadcastRow, until: Date): Promise<number> =>
  q.execute(sql`
    update broadcasts set next_at = ${until}
    where workspace_id = ${workspace_id} and id = ${id} and next_at = ${next_at}`);
