import { type Queries, sql } from "../platform/db/index.ts";
import type { BroadcastRow } from "./store.ts";

/**
 * The broadcast that has waited longest for its next step, locked until the transaction ends: two workers never have the
 * same. A process that is cut off in the middle of a step is given up by PostgreSQL after five minutes, which frees the lock: a page of
 * 1,000 whose every render is as heavy as may be takes four.
 */
export async function claimDue(tx: Queries, now: Date): Promise<BroadcastRow | undefined> {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = '5min'`);
  return (
    await tx.query<BroadcastRow>(sql`
      select * from broadcasts where next_at <= ${now} order by next_at limit 1 for update skip locked`)
  )[0];
}

/** Puts a broadcast behind the others, unless something else has changed it since it was claimed. */
export const putOff = (q: Queries, { workspace_id, id, next_at }: BroadcastRow, until: Date): Promise<number> =>
  q.execute(sql`
    update broadcasts set next_at = ${until} where workspace_id = ${workspace_id} and id = ${id} and next_at = ${next_at}`);

export interface Page {
  id: string;
  dueAt: Date;
  personKeys: string[];
}

type Of = Pick<BroadcastRow, "workspace_id" | "id">;

/** Keeps pages of the audience. */
export async function insertPages(tx: Queries, of: Of, pages: Page[]): Promise<void> {
  for (const page of pages) {
    await tx.execute(sql`
      insert into broadcast_pages (workspace_id, broadcast_id, due_at, id, person_keys)
      values (${of.workspace_id}, ${of.id}, ${page.dueAt}, ${page.id}, ${page.personKeys}::uuid[])`);
  }
}

/** The page that is due first, or undefined where nobody is left. */
export async function firstPage(tx: Queries, of: Of): Promise<Page | undefined> {
  return (
    await tx.query<Page>(sql`
      select id, due_at as "dueAt", person_keys as "personKeys" from broadcast_pages
      where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} order by due_at, id limit 1`)
  )[0];
}

/** Leaves the page with those who are still to come, or removes it where nobody is. */
export async function cutPage(tx: Queries, of: Of, page: Page, left: string[]): Promise<void> {
  const here = sql`workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and due_at = ${page.dueAt} and id = ${page.id}`;
  await tx.execute(
    left.length === 0
      ? sql`delete from broadcast_pages where ${here}`
      : sql`update broadcast_pages set person_keys = ${left}::uuid[] where ${here}`,
  );
}

/** Forgets the people who will get nothing more. */
export const dropPages = (tx: Queries, of: Of): Promise<number> =>
  tx.execute(sql`delete from broadcast_pages where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id}`);

/** The people of those deliveries that exist. */
export async function existing(tx: Queries, deliveries: { personKey: string; id: string }[]): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = await tx.query<{ person_key: string }>(sql`
    select d.person_key from deliveries d
    join unnest(${deliveries.map((d) => d.personKey)}::uuid[], ${deliveries.map((d) => d.id)}::uuid[]) as t (person_key, id)
      on d.person_key = t.person_key and d.id = t.id`);
  return rows.map((row) => row.person_key);
}
