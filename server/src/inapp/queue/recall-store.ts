import { empty, type Queries, sql } from "../../platform/db/index.ts";
import type { Status } from "../delivery/delivery.ts";

/** Whether the workspace ever had this definition: what was queued with one that is deleted can still be recalled. */
export async function everDefined(q: Queries, workspaceId: string, id: string): Promise<boolean> {
  return (
    (await q.query(sql`select from in_app_messages where workspace_id = ${workspaceId} and id = ${id}`)).length === 1
  );
}

export interface PageRow {
  person_key: string;
  id: string;
  /** False where something else ended it in between. */
  recalled: boolean;
}

/** Whose deliveries are taken back: all of a definition, or those of it that one broadcast queued. */
export interface Whole {
  messageId: string;
  sourceId?: string;
}

/**
 * Takes back the next `limit` deliveries of a definition or a broadcast that are not over, in the order of their keys. Each is updated only
 * if it is still not over by then; the ids of those that are come too, for the cursor. Counts and times stay as they are.
 */
export const cancelPage = (
  tx: Queries,
  workspaceId: string,
  whole: Whole,
  after: { person_key: string; id: string } | undefined,
  limit: number,
): Promise<PageRow[]> =>
  tx.query(sql`
    with page as materialized (
      select person_key, id from deliveries
      where message_id = ${whole.messageId} ${whole.sourceId === undefined ? empty : sql`and source_id = ${whole.sourceId}`} and recallable and workspace_id = ${workspaceId}
        and (person_key, id) > (${after?.person_key ?? NONE}::uuid, ${after?.id ?? NONE}::uuid)
      order by person_key, id limit ${limit}),
    gone as (
      update deliveries d set status = ${"canceled" satisfies Status}, reason = 'recalled', live = false
      from page where d.person_key = page.person_key and d.id = page.id and d.recallable
      returning d.person_key, d.id)
    select page.person_key, page.id, gone.id is not null as recalled
    from page left join gone using (person_key, id) order by page.person_key, page.id`);

const NONE = "00000000-0000-0000-0000-000000000000";

export interface Found {
  person_key: string;
  channel: string;
  status: string;
}

export async function findDelivery(q: Queries, workspaceId: string, id: string): Promise<Found | undefined> {
  return (
    await q.query<Found>(sql`
      select person_key, channel, status from deliveries where id = ${id} and workspace_id = ${workspaceId}`)
  )[0];
}

/** Takes one back. False where it is over: dismissed, expired, recalled before, or failed. */
export async function cancelOne(tx: Queries, personKey: string, id: string): Promise<boolean> {
  const changed = await tx.execute(sql`
    update deliveries set status = ${"canceled" satisfies Status}, reason = 'recalled', live = false
    where person_key = ${personKey} and id = ${id} and recallable`);
  return changed === 1;
}
