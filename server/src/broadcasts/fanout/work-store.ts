import { type Queries, sql } from "../../platform/db/index.ts";
import type { BroadcastRow } from "../definition/store.ts";

/**
 * The broadcast that has waited longest for its next step, locked until the transaction ends: two workers never have the
 * same.
 */
export async function claimDue(tx: Queries, now: Date): Promise<BroadcastRow | undefined> {
  const [row] = await tx.query<BroadcastRow>(sql`
    select * from broadcasts where next_at <= ${now} order by next_at limit 1 for update skip locked`);
  return row;
}

/** Puts a broadcast behind the others, unless something else has changed it since it was claimed. */
export const putOff = (q: Queries, { workspace_id, id, next_at }: BroadcastRow, until: Date): Promise<number> =>
  q.execute(sql`
    update broadcasts set next_at = ${until} where workspace_id = ${workspace_id} and id = ${id} and next_at = ${next_at}`);
