import { choosing, empty, type Queries, sql } from "../../platform/db/index.ts";
import type { Status } from "../delivery/delivery.ts";

/** Returns the name of a definition that the workspace has or had: deliveries of a deleted one can still be recalled. */
export async function nameEverDefined(q: Queries, workspaceId: string, id: string): Promise<string | undefined> {
  const [row] = await q.query<{ name: string }>(
    sql`select name from in_app_messages where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row?.name;
}

export interface RecalledRow {
  person_key: string;
  id: string;
  /** PostgreSQL's text, because a Date has no microseconds. */
  queued_at: string;
  /** False where something else ended the delivery in between. */
  recalled: boolean;
}

/** The deliveries to recall: all of a definition, or those of it that one broadcast queued. */
export interface RecallScope {
  messageId: string;
  sourceId?: string;
}

/**
 * Recalls the next `limit` deliveries of a scope that are not over, in the order of their times. A delivery that is over by the time
 * of its update stays, and is returned too, for the cursor. Counts and times stay as they are.
 */
export const cancelBatch = (
  tx: Queries,
  workspaceId: string,
  { messageId, sourceId }: RecallScope,
  { after, limit }: { after: Omit<RecalledRow, "recalled"> | undefined; limit: number },
): Promise<RecalledRow[]> =>
  tx.query(sql`
    with batch as materialized (
      select person_key, id, queued_at from deliveries
      where message_id = ${messageId} ${sourceId === undefined ? empty : sql`and source_id = ${sourceId}`}
        and recallable and workspace_id = ${workspaceId}
        and (queued_at, person_key, id) > (
          ${after?.queued_at ?? "-infinity"}::timestamptz, ${after?.person_key ?? NONE}::uuid, ${after?.id ?? NONE}::uuid)
      order by queued_at, person_key, id limit ${limit}),
    gone as (
      update deliveries d set status = ${"canceled" satisfies Status}, reason = 'recalled', live = false
      from batch where d.person_key = batch.person_key and d.id = batch.id and d.recallable
      returning d.person_key, d.id)
    select batch.person_key, batch.id, batch.queued_at::text as queued_at, gone.id is not null as recalled
    from batch left join gone using (person_key, id)
    order by batch.queued_at, batch.person_key, batch.id`);

const NONE = "00000000-0000-0000-0000-000000000000";

export interface RecallTarget {
  person_key: string;
  channel: string;
  status: string;
}

export async function findDelivery(q: Queries, workspaceId: string, id: string): Promise<RecallTarget | undefined> {
  return (
    await q.query<RecallTarget>(sql`
      select person_key, channel, status from deliveries where id = ${id} and workspace_id = ${workspaceId}`)
  )[0];
}

/** Recalls one delivery. False where it is over: dismissed, expired, recalled before, or failed. */
export async function cancelOne(tx: Queries, personKey: string, id: string): Promise<boolean> {
  const changed = await tx.execute(sql`
    update deliveries set status = ${"canceled" satisfies Status}, reason = 'recalled', live = false
    where person_key = ${personKey} and id = ${id} and recallable`);
  return changed === 1;
}

/**
 * Recalls those of these deliveries that were never shown and are in no inbox. A row that another transaction has locked stays as it is:
 * an impression is being written.
 */
export function cancelUnseen(
  tx: Queries,
  rows: Pick<RecalledRow, "person_key" | "id">[],
  reason: string,
): Promise<Pick<RecalledRow, "person_key" | "id">[]> {
  const unseen = sql`d.recallable and d.shown_at is null and not d.inbox`;
  const { lock, still } = choosing(tx, sql`order by d.person_key, d.id for no key update of d skip locked`, unseen);
  return tx.query(sql`
    with unseen as materialized (
      select d.person_key, d.id from deliveries d
      join unnest(${rows.map((row) => row.person_key)}::uuid[], ${rows.map((row) => row.id)}::uuid[]) as t (person_key, id)
        on d.person_key = t.person_key and d.id = t.id
      where ${unseen}
      ${lock})
    update deliveries d set status = ${"canceled" satisfies Status}, reason = ${reason}, live = false
    from unseen u where d.person_key = u.person_key and d.id = u.id ${still}
    returning d.person_key, d.id`);
}
