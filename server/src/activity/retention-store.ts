import { choosing, type Queries, sql } from "../platform/db/index.ts";
import type { Position } from "./feed-store.ts";

interface DeletedBatch {
  seen: number;
  gone: number;
  txid: string | null;
  id: string | null;
}

/**
 * Deletes the entries older than `before` among the next `limit` entries of the log, in the order in which they were written. Returns
 * the position to continue at, or undefined if this batch had no old entry: all later ones were written after it.
 */
export async function forgetEntries(
  tx: Queries,
  workspaceId: string,
  { before, after, limit }: { before: Date; after: Position; limit: number },
): Promise<Position | undefined> {
  const [batch] = await tx.query<DeletedBatch>(sql`
    with page as materialized (
      select person_key, id, txid, at from activity
      where workspace_id = ${workspaceId} and (txid, id) > (${after.txid}::xid8, ${after.id}::uuid)
      order by txid, id limit ${limit}),
    gone as (
      delete from activity a using page p
      where a.person_key = p.person_key and a.id = p.id and p.at < ${before}
      returning a.id),
    ending as (select txid, id from page order by txid desc, id desc limit 1)
    select (select count(*) from page) as seen, (select count(*) from gone) as gone, e.txid::text, e.id
    from (select) as one left join ending e on true`);
  if (!batch || batch.txid === null || batch.id === null || batch.gone === 0 || batch.seen < limit) return undefined;
  return { txid: batch.txid, id: batch.id };
}

/** A delivery that is neither live nor waits to be sent. A message that waits, also for a late send_at, is kept until then. */
const OVER = sql`(not live and due_at is null and (channel = 'in_app' or status not in ('queued', 'sending')))`;

/** Deliveries that were queued from `from` on and before `before`; at most `limit` of them, oldest first. */
export interface OldRows {
  from: Date | "-infinity";
  before: Date;
  limit: number;
}

/** Deletes deliveries that are over. Returns when each was queued, because the next batch begins at the latest (`latestOf`). */
export function forgetDeliveries(
  tx: Queries,
  workspaceId: string,
  { from, before, limit }: OldRows,
): Promise<{ queued_at: Date }[]> {
  const { lock, still } = choosing(tx, sql`for update skip locked`, OVER);
  return tx.query(sql`
    with old as (
      select person_key, id from deliveries
      where workspace_id = ${workspaceId} and queued_at >= ${from}::timestamptz and queued_at < ${before} and ${OVER}
      order by queued_at limit ${limit} ${lock})
    delete from deliveries d using old where d.person_key = old.person_key and d.id = old.id ${still} returning d.queued_at`);
}

/** Removes the rendered content of deliveries that are over. Returns when each was queued, as `forgetDeliveries`. */
export function forgetContent(
  tx: Queries,
  workspaceId: string,
  { from, before, limit }: OldRows,
): Promise<{ queued_at: Date }[]> {
  const { lock, still } = choosing(tx, sql`for update skip locked`, sql`content is not null and ${OVER}`);
  return tx.query(sql`
    with old as (
      select person_key, id from deliveries
      where workspace_id = ${workspaceId} and queued_at >= ${from}::timestamptz and queued_at < ${before} and content is not null and ${OVER}
      order by queued_at limit ${limit} ${lock})
    update deliveries d set content = null from old where d.person_key = old.person_key and d.id = old.id ${still} returning d.queued_at`);
}
