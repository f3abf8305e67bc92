import type { TopicDefault, TopicInput, TopicPatch } from "@tidings/contract/audience/subscriptions";
import { empty, join, prepared, type Queries, sql } from "../../platform/db/index.ts";
import { byInstant, byText, type ListSource } from "../../platform/resources/lists.ts";

export interface TopicRow {
  workspace_id: string;
  id: string;
  name: string;
  description: string | null;
  default_state: TopicDefault;
  /** Its messages are neither held back by the workspace's limits nor counted. */
  exempt_from_limits: boolean;
  created_at: Date;
  updated_at: Date;
}

/** Topics with their columns by name, for named statements (docs/decisions/0069). */
const ALL = sql`(select workspace_id, id, name, description, default_state, exempt_from_limits, created_at, updated_at from topics)`;

/** All topics of a workspace, by name: at most MOST_TOPICS, so that a preference page can show all of them. */
export const topicsOf = (q: Queries, workspaceId: string): Promise<TopicRow[]> =>
  q.query(
    prepared(
      "subscriptions.topicsOf",
      sql`select * from ${ALL} as t where workspace_id = ${workspaceId} order by lower(name), id`,
    ),
  );

/** Topics of several workspaces, in any order; unknown ids are left out. */
export const topicsBy = (q: Queries, wanted: { workspaceId: string; id: string }[]): Promise<TopicRow[]> =>
  q.query(
    prepared(
      "subscriptions.topicsBy",
      sql`
      select t.* from unnest(
        ${wanted.map((one) => one.workspaceId)}::uuid[],
        ${wanted.map((one) => one.id)}::uuid[]
      ) as w (workspace_id, id)
      join ${ALL} t on t.workspace_id = w.workspace_id and t.id = w.id`,
    ),
  );

/** Returns the ids of a workspace's topics that are exempt from its limits. */
export async function exemptTopics(q: Queries, workspaceId: string): Promise<string[]> {
  const rows = await q.query<{ id: string }>(
    prepared(
      "subscriptions.exemptTopics",
      sql`select id from topics where workspace_id = ${workspaceId} and exempt_from_limits order by id`,
    ),
  );
  return rows.map(({ id }) => id);
}

export const listSource: ListSource = {
  columns: sql`*`,
  from: sql`topics`,
  of: (workspaceId) => sql`workspace_id = ${workspaceId}`,
  id: sql`id`,
  sorts: { updated_at: byInstant(sql`updated_at`), name: byText(sql`name`) },
  facets: {},
  texts: [sql`name`],
};

/** Inserts a topic; undefined where the workspace has `most` topics already. */
export async function insertTopic(
  tx: Queries,
  workspaceId: string,
  { id, input, most, now }: { id: string; input: TopicInput; most: number; now: Date },
): Promise<TopicRow | undefined> {
  return (
    await tx.query<TopicRow>(sql`
      insert into topics (workspace_id, id, name, description, default_state, exempt_from_limits,
        created_at, updated_at)
      select ${workspaceId}::uuid, ${id}::uuid, ${input.name}, ${input.description ?? null}, ${input.default},
        ${input.exempt_from_limits ?? false}, ${now}, ${now}
      where (select count(*) from topics where workspace_id = ${workspaceId}) < ${most}
      returning *`)
  )[0];
}

export async function updateTopic(
  tx: Queries,
  workspaceId: string,
  { id, patch, now }: { id: string; patch: TopicPatch; now: Date },
): Promise<TopicRow | undefined> {
  const set = [
    patch.name === undefined ? empty : sql`name = ${patch.name}`,
    patch.description === undefined ? empty : sql`description = ${patch.description}`,
    patch.default === undefined ? empty : sql`default_state = ${patch.default}`,
    patch.exempt_from_limits === undefined ? empty : sql`exempt_from_limits = ${patch.exempt_from_limits}`,
    sql`updated_at = ${now}`,
  ].filter((part) => part !== empty);
  return (
    await tx.query<TopicRow>(
      sql`update topics set ${join(set)} where workspace_id = ${workspaceId} and id = ${id} returning *`,
    )
  )[0];
}

export const deleteTopic = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from topics where workspace_id = ${workspaceId} and id = ${id}`);

/** Locks a topic until the transaction ends, so that new references to it wait. False where there is none. */
export async function lockTopic(tx: Queries, workspaceId: string, id: string): Promise<TopicRow | undefined> {
  return (
    await tx.query<TopicRow>(sql`select * from topics where workspace_id = ${workspaceId} and id = ${id} for update`)
  )[0];
}
