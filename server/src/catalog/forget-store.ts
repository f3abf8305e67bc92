import { type Queries, sql } from "../platform/db/index.ts";

/** Deletes names that were last seen before `before`. */
export async function forgetNames(q: Queries, workspaceId: string, before: Date): Promise<void> {
  await q.execute(sql`delete from catalog_events where workspace_id = ${workspaceId} and last_seen < ${before}`);
  await q.execute(sql`
    delete from catalog_fields f where workspace_id = ${workspaceId} and event <> '' and (last_seen < ${before}
      or not exists (select from catalog_events e where e.workspace_id = f.workspace_id and e.name = f.event))`);
}

/** Deletes events that were seen for less than a minute, and not since `before`: names with an id in them are seen once. */
export const forgetSeenOnce = (q: Queries, workspaceId: string, before: Date): Promise<number> =>
  q.execute(sql`
    delete from catalog_events
    where workspace_id = ${workspaceId} and last_seen < ${before} and last_seen - first_seen < interval '1 minute'`);

/** Returns the attributes that were last seen before `before`. */
export async function attributesBefore(q: Queries, workspaceId: string, before: Date): Promise<string[]> {
  const rows = await q.query<{ name: string }>(sql`
    select name from catalog_fields where workspace_id = ${workspaceId} and event = '' and last_seen < ${before}`);
  return rows.map(({ name }) => name);
}

export const forgetAttributes = (q: Queries, workspaceId: string, names: string[]): Promise<number> =>
  q.execute(
    sql`delete from catalog_fields where workspace_id = ${workspaceId} and event = '' and name = any(${names}::text[])`,
  );

/** Deletes what is left of workspaces that are gone. */
export async function forgetGone(q: Queries): Promise<void> {
  const gone = sql`not exists (select from workspaces w where w.id = c.workspace_id)`;
  await q.execute(sql`delete from catalog_events c where ${gone}`);
  await q.execute(sql`delete from catalog_fields c where ${gone}`);
  await q.execute(sql`delete from catalog_fills c where ${gone}`);
}
