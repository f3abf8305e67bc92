import { choosing, join, type Queries, sql } from "../platform/db/index.ts";
import { IS_DELIVERY, OF_DELIVERIES, valuesOf } from "./deliveries/entries-store.ts";
import { behind, type Position } from "./feed-store.ts";

interface ForgottenBatch {
  seen: number;
  gone: number;
  txid: string | null;
  id: string | null;
}

/**
 * Forgets the entries older than `before` among the next `limit` entries of the log, in the order in which they were written: deletes those of `activity`, and
 * takes the numbers from deliveries that are kept longer. Returns the position to continue at, or undefined if this batch had no old entry: all later ones were written after it.
 */
export async function forgetEntries(
  tx: Queries,
  workspaceId: string,
  { before, after, limit }: { before: Date; after: Position; limit: number },
): Promise<Position | undefined> {
  const { lock, still } = choosing(
    tx,
    sql`for update of d skip locked`,
    sql`(d.queued_txid is not null or d.expired_txid is not null)`,
  );
  const [batch] = await tx.query<ForgottenBatch>(sql`
    with page as materialized (
      select log.*, ${IS_DELIVERY} as own from (${behind(workspaceId, after, { limit })}) log order by txid, id limit ${limit}),
    gone as (
      delete from activity a using page p
      where a.person_key = p.person_key and a.id = p.id and p.at < ${before}
      returning a.id),
    old as materialized (
      select person_key, delivery_id, bool_or(type = 'in_app.queued') as queued, bool_or(type = 'in_app.expired') as expired
      from page where own and at < ${before} group by person_key, delivery_id),
    kept as materialized (
      select d.person_key, d.id, o.queued, o.expired from old o join deliveries d on d.person_key = o.person_key and d.id = o.delivery_id
      order by d.id ${lock}),
    untold as (
      update deliveries d set
        queued_txid = case when k.queued then null else d.queued_txid end,
        expired_txid = case when k.expired then null else d.expired_txid end
      from kept k where d.person_key = k.person_key and d.id = k.id ${still}
      returning d.id),
    ending as (select txid, id from page order by txid desc, id desc limit 1)
    select (select count(*) from page) as seen, (select count(*) from gone) + (select count(*) from untold) as gone, e.txid::text, e.id
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

/**
 * Deletes deliveries that are over. Entries of the log that are such deliveries, and are of `logged` or later, become rows of `activity`, at their places: the log may
 * be kept longer, and a delivery may have expired long after it was queued.
 * Returns when each was queued, because the next batch begins at the latest (`latestOf`).
 */
export async function forgetDeliveries(
  tx: Queries,
  workspaceId: string,
  { from, before, limit, logged }: OldRows & { logged: Date },
): Promise<{ queued_at: Date }[]> {
  const { lock, still } = choosing(tx, sql`for update skip locked`, OVER);
  const entries = OF_DELIVERIES.map(
    (e) => sql`select ${valuesOf(e)} from gone d where ${e.txid} is not null and ${e.at} >= ${logged}`,
  );
  return tx.query(sql`
    with old as (
      select person_key, id from deliveries
      where workspace_id = ${workspaceId} and queued_at >= ${from}::timestamptz and queued_at < ${before} and ${OVER}
      order by queued_at limit ${limit} ${lock}),
    gone as (
      delete from deliveries d using old where d.person_key = old.person_key and d.id = old.id ${still}
      returning d.*),
    told as (
      insert into activity (person_key, id, workspace_id, delivery_id, type, at, data, txid)
      ${join(entries, " union all ")})
    select queued_at from gone`);
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
