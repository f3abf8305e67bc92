import { choosing, type Queries, sql, type Tx } from "../../platform/db/index.ts";
import { expiring } from "../delivery/store.ts";

/** Expires at most `limit` live deliveries that were queued before `before`, also of messages that never expire. */
export async function retireOld(
  tx: Tx,
  workspaceId: string,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<{ person_key: string; id: string; workspace_id: string }[]> {
  const { lock, still } = choosing(tx, sql`for update skip locked`, sql`d.live`);
  return tx.query(sql`
    with old as (
      select person_key, id from deliveries
      where workspace_id = ${workspaceId} and queued_at < ${before} and live
      order by queued_at limit ${limit} ${lock})
    update deliveries d set ${await expiring(tx, now)}, reason = 'retention'
    from old where d.person_key = old.person_key and d.id = old.id ${still}
    returning d.person_key, d.id, d.workspace_id`);
}

/**
 * Deletes the cap records without an impression since `before`, among the next `limit` records in the order of their keys. Returns
 * the key after which to continue, or undefined at the end.
 */
export async function forgetCaps(tx: Queries, before: Date, after: string, limit: number): Promise<string | undefined> {
  const rows = await tx.query<{ person_key: string }>(sql`
    with batch as materialized (
      select person_key from in_app_caps where person_key > ${after}::uuid order by person_key limit ${limit}),
    gone as (
      delete from in_app_caps c using batch b
      where c.person_key = b.person_key
        and not exists (select from unnest(c.impressions) as at where at >= ${before})
      returning 1)
    select person_key from batch order by person_key`);
  return rows.length === limit ? rows.at(-1)?.person_key : undefined;
}

/**
 * Deletes the counts whose last impression was before `before` and whose deliveries are all over, among the next `limit` counts in
 * the order of their keys. Returns the key after which to continue, or undefined at the end. `offset 0` makes PostgreSQL look among the
 * person's deliveries: it might look among all of the message's.
 */
export async function forgetCounts(
  tx: Queries,
  before: Date,
  after: [person: string, message: string],
  limit: number,
): Promise<[string, string] | undefined> {
  const rows = await tx.query<{ person_key: string; message_id: string }>(sql`
    with batch as materialized (
      select person_key, message_id, last_impression_at from in_app_counts
      where (person_key, message_id) > (${after[0]}::uuid, ${after[1]}::uuid)
      order by person_key, message_id limit ${limit}),
    gone as (
      delete from in_app_counts c using batch b
      where c.person_key = b.person_key and c.message_id = b.message_id and c.last_impression_at < ${before}
        and not exists (${
          tx.distributed
            ? sql`select 1 from deliveries d where d.person_key = c.person_key and d.message_id = c.message_id and d.recallable`
            : sql`
          select from (select message_id, recallable from deliveries where person_key = b.person_key offset 0) d
          where d.message_id = b.message_id and d.recallable`
        })
      returning 1)
    select person_key, message_id from batch order by person_key, message_id`);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return last && [last.person_key, last.message_id];
}
