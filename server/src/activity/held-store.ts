import { empty, type Queries, sql } from "../platform/db/index.ts";
import { type Canceled, type ExportPage, type PersonTable, type Rows, rowsOf } from "../workspaces/index.ts";

/** Returns a page of a person's deliveries, each with its own content or the content of its message's version. */
export const deliveriesOf = (q: Queries, personKey: string, page: ExportPage, shape: PersonTable): Promise<Rows> =>
  rowsOf(q, shape, personKey, {
    ...page,
    instead: {
      content: sql`coalesce(t.content, (
        select v.definition from in_app_message_versions v
        where v.workspace_id = t.workspace_id and v.id = t.message_id and v.version = t.message_version))`,
    },
  });

/** Returns the ids of a person's deliveries that an application may show. */
export async function liveOf(tx: Queries, personKey: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from deliveries where person_key = ${personKey} and live`);
  return rows.map((row) => row.id);
}

/** Whether a worker has a delivery now. */
export const LEASED = sql`lease_id is not null and due_at is not null and due_at > now()`;

/**
 * Locks a person's deliveries, in the order in which reports about them do, or only those that are to be shown or sent still (`open`). Returns for
 * each whether a worker sends it now.
 */
export async function lockDeliveries(tx: Queries, personKey: string, open: boolean): Promise<boolean[]> {
  const rows = await tx.query<{ leased: boolean }>(sql`
    select ${LEASED} as leased from deliveries
    where person_key = ${personKey} ${open ? sql`and (live or due_at is not null)` : empty} order by id for update`);
  return rows.map(({ leased }) => leased);
}

/**
 * Cancels deliveries that are not sent or shown yet, and removes the content of all. The rows stay, so that the metrics stay right.
 * A worker that is sending one loses its lease, so it can't write the content back.
 */
export const emptyDeliveries = (tx: Queries, personKey: string): Promise<number> =>
  tx.execute(sql`
    update deliveries set
      status = case when live or status in ('queued', 'sending') then 'canceled' else status end,
      reason = case when live or status in ('queued', 'sending') then 'erased' else reason end,
      live = false, due_at = null, lease_id = null, content = null, recipient = null
    where person_key = ${personKey}`);

/** Deletes the entries that are about no delivery. The others stay without their data, because metrics count them. */
export async function emptyActivity(tx: Queries, personKey: string): Promise<void> {
  await tx.execute(sql`delete from activity where person_key = ${personKey} and delivery_id is null`);
  await tx.execute(sql`update activity set data = '{}' where person_key = ${personKey}`);
}

/** A delivery of a broadcast, with its status. */
export interface Copy {
  id: string;
  broadcast: string;
  status: string;
}

/** Returns a person's deliveries of broadcasts, excluding those that can no longer arrive. */
export const copiesOf = (tx: Queries, personKey: string): Promise<Copy[]> =>
  tx.query<Copy>(sql`
    select id, source_id as broadcast, status from deliveries
    where person_key = ${personKey} and source = 'broadcast' and source_id is not null
      and status not in ('failed', 'suppressed', 'canceled', 'expired')`);

/** Cancels those of these deliveries that wait. A delivery that a worker sends now is not canceled. */
export const cancelCopies = (tx: Queries, personKey: string, ids: string[]): Promise<Canceled[]> =>
  tx.query<Canceled>(sql`
    update deliveries set status = 'canceled', reason = 'merged', live = false, due_at = null
    where person_key = ${personKey} and id = any(${ids}::uuid[])
      and (live or (channel <> 'in_app' and status = 'queued' and (lease_id is null or due_at <= now())))
    returning id, channel`);
