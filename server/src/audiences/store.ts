import type { Filter } from "@tidings/contract/audience/audiences";
import { empty, type Queries, rowLock, sql } from "../platform/db/index.ts";
import { byInstant, byText, type ListSource } from "../platform/resources/lists.ts";

export interface AudienceRow {
  id: string;
  name: string;
  kind: "filter" | "list";
  /** Null for a list. */
  filter: Filter | null;
  created_at: Date;
  updated_at: Date;
}

/** The fields of an audience that another filter names. */
export type NamedAudience = Pick<AudienceRow, "id" | "name" | "filter">;

const COLUMNS = sql`id, name, kind, filter, created_at, updated_at`;

/**
 * Makes changes of a workspace's audiences take turns until the transaction ends: two changes that each name the other audience
 * would both pass the check for circles.
 */
export const serialized = (tx: Queries, workspaceId: string): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`audiences ${workspaceId}`}, 0))`);

export async function insertAudience(
  tx: Queries,
  workspaceId: string,
  row: Pick<AudienceRow, "id" | "name" | "kind" | "filter">,
  { uses, now }: { uses: string[]; now: Date },
): Promise<AudienceRow> {
  await tx.execute(sql`
    insert into audiences (workspace_id, id, name, kind, filter, uses, created_at, updated_at)
    values (${workspaceId}, ${row.id}, ${row.name}, ${row.kind}, ${json(row.filter)}::jsonb, ${uses}, ${now}, ${now})`);
  return { ...row, created_at: now, updated_at: now };
}

export const updateAudience = (tx: Queries, workspaceId: string, row: AudienceRow, uses: string[]): Promise<number> =>
  tx.execute(sql`
    update audiences set name = ${row.name}, filter = ${json(row.filter)}::jsonb, uses = ${uses},
      updated_at = ${row.updated_at}
    where workspace_id = ${workspaceId} and id = ${row.id}`);

const json = (filter: Filter | null): string | null => (filter === null ? null : JSON.stringify(filter));

export async function audienceById(q: Queries, workspaceId: string, id: string): Promise<AudienceRow | undefined> {
  return (
    await q.query<AudienceRow>(sql`select ${COLUMNS} from audiences where workspace_id = ${workspaceId} and id = ${id}`)
  )[0];
}

/** Reads an audience in a turn of the workspace's changes of audiences. */
export async function audienceInTurn(tx: Queries, workspaceId: string, id: string): Promise<AudienceRow | undefined> {
  await serialized(tx, workspaceId);
  return audienceById(tx, workspaceId, id);
}

/**
 * Reads audiences and locks them until the transaction ends: "key share" against removal, by what names them; "update" by a removal, before it
 * looks who uses them, so that nothing begins to use them in between.
 */
export async function lockAudiences(
  tx: Queries,
  workspaceId: string,
  ids: string[],
  lock: "key share" | "update",
): Promise<AudienceRow[]> {
  const inOrder = ids.toSorted();
  const locked = await rowLock(tx, inOrder, lock);
  return tx.query<AudienceRow>(sql`
    select ${COLUMNS} from audiences where workspace_id = ${workspaceId} and id = any(${inOrder}::uuid[])
    order by id ${locked}`);
}

/** An audience in a list, without its filter. */
export type ListedAudience = Omit<AudienceRow, "filter">;

export const listSource: ListSource = {
  columns: sql`id, name, kind, created_at, updated_at`,
  from: sql`audiences`,
  of: (workspaceId) => sql`workspace_id = ${workspaceId}`,
  id: sql`id`,
  sorts: { updated_at: byInstant(sql`updated_at`), name: byText(sql`name`) },
  facets: { kind: sql`kind` },
  texts: [sql`name`],
};

/** Deletes an audience that is locked, and the members of its list. */
export async function deleteAudience(tx: Queries, workspaceId: string, id: string): Promise<void> {
  await tx.execute(sql`delete from audiences where workspace_id = ${workspaceId} and id = ${id}`);
  await tx.execute(sql`delete from audience_members where audience_id = ${id}`);
}

/** The audiences whose own filter names this one. */
export const audiencesWith = (q: Queries, workspaceId: string, id: string): Promise<{ id: string; name: string }[]> =>
  q.query(sql`
    select id, name from audiences where workspace_id = ${workspaceId} and uses @> ${[id]}::uuid[] order by name, id`);

/** The audiences whose filter names a topic, given by its public id; ten at most. */
export const audiencesOnTopic = (q: Queries, workspaceId: string, topic: string): Promise<{ name: string }[]> =>
  q.query(sql`
    select name from audiences
    where workspace_id = ${workspaceId} and filter @? ${`$.** ? (@.topic == "${topic}")`}::jsonpath
    order by name limit 10`);

/** These audiences and all audiences that they name, directly or through others. */
export const reachable = (q: Queries, workspaceId: string, ids: string[]): Promise<NamedAudience[]> =>
  q.query(sql`
    with recursive needed (id) as (
      select unnest(${ids}::uuid[])
      union
      select u.id from needed n
      join audiences a on a.workspace_id = ${workspaceId} and a.id = n.id cross join unnest(a.uses) as u (id))
    select a.id, a.name, a.filter from audiences a join needed using (id) where a.workspace_id = ${workspaceId}`);

/** The topics of these ids that the workspace has. `holds`: they can't be removed until the transaction ends. */
export const topicsAmong = (
  q: Queries,
  workspaceId: string,
  ids: string[],
  holds = false,
): Promise<{ id: string; name: string; on: boolean }[]> =>
  q.query(sql`
    select id, name, default_state = 'subscribed' as on from topics
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    order by id ${holds ? sql`for key share` : empty}`);
