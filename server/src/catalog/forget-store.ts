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

/** Deletes what is left of workspaces that are gone. They are read first: Citus deletes no local rows by a table that is on each node. */
export async function forgetGone(q: Queries): Promise<void> {
  const gone = await q.query<{ id: string }>(sql`
    select c.workspace_id as id from (
      select workspace_id from catalog_events union select workspace_id from catalog_fields union select workspace_id from catalog_fills) c
    where not exists (select from workspaces w where w.id = c.workspace_id)`);
  if (gone.length === 0) return;
  const theirs = sql`workspace_id = any(${gone.map(({ id }) => id)}::uuid[])`;
  await q.execute(sql`delete from catalog_events where ${theirs}`);
  await q.execute(sql`delete from catalog_fields where ${theirs}`);
  await q.execute(sql`delete from catalog_fills where ${theirs}`);
}
