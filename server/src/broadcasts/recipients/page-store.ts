import { prepared, type Queries, sql, unquoted } from "../../platform/db/index.ts";
import type { BroadcastRow } from "../definition/store.ts";

export interface Page {
  id: string;
  dueAt: Date;
  personKeys: string[];
}

type Of = Pick<BroadcastRow, "workspace_id" | "id">;

/** Keeps pages of the audience. */
export const insertPages = (tx: Queries, of: Of, pages: Page[]): Promise<number> =>
  tx.execute(sql`
    insert into broadcast_pages (workspace_id, broadcast_id, due_at, id, person_keys)
    select ${of.workspace_id}::uuid, ${of.id}::uuid, t.due_at, t.id, t.keys::uuid[]
    from unnest(${pages.map((page) => page.dueAt)}::timestamptz[], ${pages.map((page) => page.id)}::uuid[],
      ${pages.map((page) => unquoted(page.personKeys))}::text[]) as t (due_at, id, keys)`);

/** The page that is due first of those that nobody holds, held until the transaction ends; undefined where there is none. */
export async function takePage(tx: Queries, of: Of, now: Date): Promise<Page | undefined> {
  const [row] = await tx.query<Omit<Page, "personKeys"> & { keys: string }>(
    prepared(
      "broadcasts.takePage",
      // As text: taken apart by the driver, an array of 1,000 costs 1 ms.
      sql`
      select id, due_at as "dueAt", array_to_string(person_keys, ' ') as keys from broadcast_pages
      where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and due_at <= ${now}
      order by due_at, id limit 1 for update skip locked`,
    ),
  );
  return row && { id: row.id, dueAt: row.dueAt, personKeys: row.keys.split(" ") };
}

/** Leaves the page with those who are still to come, or removes it where nobody is. */
export const cutPage = (tx: Queries, of: Of, { dueAt, id }: Page, left: string[]): Promise<number> =>
  tx.execute(
    left.length === 0
      ? prepared(
          "broadcasts.dropPage",
          sql`
          delete from broadcast_pages
          where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and due_at = ${dueAt} and id = ${id}`,
        )
      : prepared(
          "broadcasts.cutPage",
          sql`
          update broadcast_pages set person_keys = ${unquoted(left)}::uuid[]
          where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and due_at = ${dueAt} and id = ${id}`,
        ),
  );

/** How many are still to come, and when the first of them are due; null where nobody is. */
export async function still(tx: Queries, of: Of): Promise<{ people: number; dueAt: Date | null }> {
  const [row] = await tx.query<{ people: number; dueAt: Date | null }>(
    prepared(
      "broadcasts.still",
      sql`
      select coalesce(sum(people), 0)::integer as people, min(due_at) as "dueAt" from broadcast_pages
      where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id}`,
    ),
  );
  return row ?? { people: 0, dueAt: null };
}

/** Forgets the people who will get nothing more. Gives how many: a page that is being committed just now is waited for. */
export async function dropPages(tx: Queries, of: Of): Promise<number> {
  const pages = await tx.query<{ people: number }>(sql`
    delete from broadcast_pages where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} returning people`);
  return pages.reduce((sum, { people }) => sum + people, 0);
}

/** The people of those deliveries that exist. */
export async function existing(tx: Queries, deliveries: { personKey: string; id: string }[]): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = await tx.query<{ person_key: string }>(sql`
    select d.person_key from deliveries d
    join unnest(${deliveries.map((d) => d.personKey)}::uuid[], ${deliveries.map((d) => d.id)}::uuid[]) as t (person_key, id)
      on d.person_key = t.person_key and d.id = t.id`);
  return rows.map((row) => row.person_key);
}
