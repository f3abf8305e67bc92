import { type Queries, sql } from "../platform/db/index.ts";
import { type Canceled, type Page, type PersonTable, type Rows, rowsOf } from "../workspaces/index.ts";

/** A page of a person's deliveries, each with the content that it has of its own or shares with others. */
export const deliveriesOf = (q: Queries, personKey: string, page: Page, shape: PersonTable): Promise<Rows> =>
  rowsOf(q, shape, personKey, page, {
    content: sql`coalesce(t.content, (select v.definition from in_app_message_versions v
    where v.workspace_id = t.workspace_id and v.id = t.message_id and v.version = t.message_version))`,
  });

/** Gives the deliveries of a person that an application may be showing. */
export async function liveOf(tx: Queries, personKey: string, locked = false): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    locked
      ? sql`select id from deliveries where person_key = ${personKey} and live for update`
      : sql`select id from deliveries where person_key = ${personKey} and live`,
  );
  return rows.map((row) => row.id);
}

/**
 * Cancels what is still to be sent or shown, and empties all deliveries. The rows stay, so that the counts of what was sent stay
 * true. A worker that is just sending one loses its lease and can't write the content back.
 */
export const emptyDeliveries = (tx: Queries, personKey: string): Promise<number> =>
  tx.execute(sql`
    update deliveries set
      status = case when live or status in ('queued', 'sending') then 'canceled' else status end,
      reason = case when live or status in ('queued', 'sending') then 'erased' else reason end,
      live = false, due_at = null, lease_id = null, content = null, recipient = null
    where person_key = ${personKey}`);

/** Keeps of the log only the entries that count deliveries, without what they said. */
export async function emptyActivity(tx: Queries, personKey: string): Promise<void> {
  await tx.execute(sql`delete from activity where person_key = ${personKey} and delivery_id is null`);
  await tx.execute(sql`update activity set data = '{}' where person_key = ${personKey}`);
}

/**
 * Locks what is still to be sent to a person, so that no worker takes it any more. False where a worker has one just now: its
 * row would be gone when it wants to say that it is sent, and be sent again.
 */
export async function holdDue(tx: Queries, personKey: string): Promise<boolean> {
  const rows = await tx.query<{ leased: boolean }>(sql`
    select lease_id is not null and due_at > now() as leased from deliveries
    where person_key = ${personKey} and due_at is not null order by id for update`);
  return !rows.some((row) => row.leased);
}

/** A delivery that a broadcast made, and how far it came. */
export interface Copy {
  id: string;
  broadcast: string;
  status: string;
}

/** The deliveries that broadcasts made for a person, excluding those that can no longer arrive. */
export const copiesOf = (tx: Queries, personKey: string): Promise<Copy[]> =>
  tx.query<Copy>(sql`
    select id, source_id as broadcast, status from deliveries
    where person_key = ${personKey} and source = 'broadcast' and source_id is not null
      and status not in ('failed', 'suppressed', 'canceled', 'expired')`);

/** Cancels those of these deliveries that wait. What a worker has just now is not called back any more. */
export const cancelCopies = (tx: Queries, personKey: string, ids: string[]): Promise<Canceled[]> =>
  tx.query<Canceled>(sql`
    update deliveries set status = 'canceled', reason = 'merged', live = false, due_at = null
    where person_key = ${personKey} and id = any(${ids}::uuid[])
      and (live or (channel <> 'in_app' and status = 'queued' and (lease_id is null or due_at <= now())))
    returning id, channel`);
