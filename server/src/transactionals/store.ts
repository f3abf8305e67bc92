import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { SubscriptionPreference } from "@tidings/contract/messages/transactionals";
import { empty, join, prepared, type Queries, sql } from "../platform/db/index.ts";
import { byInstant, byText, type ListSource } from "../platform/resources/lists.ts";

export interface TransactionalRow {
  workspace_id: string;
  id: string;
  version: number;
  name: string;
  trigger_name: string | null;
  subscription_preference: SubscriptionPreference;
  topic_id: string | null;
  track_opens: boolean;
  track_clicks: boolean;
  at_most_once: boolean;
  channel: PushedChannel;
  content: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}

/** How a trigger call names a transactional. */
export type Ref = { workspaceId: string } & ({ id: string } | { triggerName: string });

const LISTED = sql`workspace_id, id, version, name, trigger_name, subscription_preference, topic_id, track_opens,
  track_clicks, at_most_once, channel, created_at, updated_at`;
/** Transactionals with their columns by name, for named statements (docs/decisions/0069). */
const ALL = sql`(select ${LISTED}, content from transactionals)`;

/** Returns the current transactionals that the refs name, in their order: one statement for all calls of a moment. */
export async function definitions(q: Queries, refs: Ref[]): Promise<(TransactionalRow | undefined)[]> {
  const ids = new Map<string, [string, string]>();
  const names = new Map<string, [string, string]>();
  for (const ref of refs) {
    if ("id" in ref) ids.set(`${ref.workspaceId} ${ref.id}`, [ref.workspaceId, ref.id]);
    else names.set(`${ref.workspaceId} ${ref.triggerName}`, [ref.workspaceId, ref.triggerName]);
  }
  const column = (map: Map<string, [string, string]>, i: 0 | 1) => [...map.values()].map((pair) => pair[i]);
  const rows = await q.query<TransactionalRow>(
    prepared(
      "transactionals.definitions",
      sql`
      select t.*
        from unnest(${column(ids, 0)}::uuid[], ${column(ids, 1)}::uuid[]) as r (workspace_id, id)
        join ${ALL} t on t.workspace_id = r.workspace_id and t.id = r.id
      union all
      select t.*
        from unnest(${column(names, 0)}::uuid[], ${column(names, 1)}::text[]) as r (workspace_id, trigger_name)
        join ${ALL} t on t.workspace_id = r.workspace_id and t.trigger_name = r.trigger_name`,
    ),
  );
  const found = new Map<string, TransactionalRow>();
  for (const row of rows) {
    found.set(`${row.workspace_id} ${row.id}`, row);
    if (row.trigger_name !== null) found.set(`${row.workspace_id} ${row.trigger_name}`, row);
  }
  return refs.map((ref) => found.get(`${ref.workspaceId} ${"id" in ref ? ref.id : ref.triggerName}`));
}

/** A transactional in a list, without its content. */
export type ListedTransactional = Omit<TransactionalRow, "content">;

export const listSource: ListSource = {
  columns: LISTED,
  from: sql`transactionals`,
  of: (workspaceId) => sql`workspace_id = ${workspaceId}`,
  id: sql`id`,
  sorts: { updated_at: byInstant(sql`updated_at`), name: byText(sql`name`) },
  facets: { channel: sql`channel` },
  texts: [sql`name`, sql`trigger_name`],
};

export async function byId(q: Queries, workspaceId: string, id: string): Promise<TransactionalRow | undefined> {
  return (
    await q.query<TransactionalRow>(
      sql`select * from transactionals where workspace_id = ${workspaceId} and id = ${id}`,
    )
  )[0];
}

export const namesById = (q: Queries, workspaceId: string, ids: string[]): Promise<{ id: string; name: string }[]> =>
  q.query(sql`select id, name from transactionals where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);

/** Returns the names of up to ten transactionals that send this template. */
export const withTemplate = (q: Queries, workspaceId: string, wireId: string): Promise<{ name: string }[]> =>
  q.query(sql`
    select name from transactionals
    where workspace_id = ${workspaceId} and channel = 'email' and content ->> 'template_id' = ${wireId}
    order by name limit 10`);

/** Returns up to ten transactionals with this text. */
export const saying = (q: Queries, workspaceId: string, text: string): Promise<{ id: string; name: string }[]> =>
  q.query(sql`
    select id, name from transactionals
    where workspace_id = ${workspaceId} and strpos(content::text, ${text}) > 0
    order by name limit 10`);

/** Returns the row, locked until the transaction ends, so that two edits take turns. */
export async function lockById(tx: Queries, workspaceId: string, id: string): Promise<TransactionalRow | undefined> {
  return (
    await tx.query<TransactionalRow>(
      sql`select * from transactionals where workspace_id = ${workspaceId} and id = ${id} for update`,
    )
  )[0];
}

export async function insert(
  tx: Queries,
  row: Omit<TransactionalRow, "version" | "created_at" | "updated_at">,
  now: Date,
): Promise<TransactionalRow> {
  const [made] = await tx.query<TransactionalRow>(sql`
    insert into transactionals (workspace_id, id, version, name, trigger_name,
      subscription_preference, topic_id, track_opens, track_clicks, at_most_once,
      channel, content, created_at, updated_at)
    values (${row.workspace_id}, ${row.id}, 1, ${row.name}, ${row.trigger_name},
      ${row.subscription_preference}, ${row.topic_id}, ${row.track_opens}, ${row.track_clicks}, ${row.at_most_once},
      ${row.channel}, ${JSON.stringify(row.content)}, ${now}, ${now})
    returning *`);
  return made as TransactionalRow;
}

type TransactionalChanges = Partial<
  Omit<TransactionalRow, "workspace_id" | "id" | "version" | "channel" | "created_at" | "updated_at">
>;

export async function update(
  tx: Queries,
  workspaceId: string,
  { id, patch, now }: { id: string; patch: TransactionalChanges; now: Date },
): Promise<TransactionalRow | undefined> {
  const set = [
    patch.name === undefined ? empty : sql`name = ${patch.name}`,
    patch.trigger_name === undefined ? empty : sql`trigger_name = ${patch.trigger_name}`,
    patch.subscription_preference === undefined
      ? empty
      : sql`subscription_preference = ${patch.subscription_preference}`,
    patch.topic_id === undefined ? empty : sql`topic_id = ${patch.topic_id}`,
    patch.track_opens === undefined
      ? empty
      : sql`track_opens = ${patch.track_opens}, track_clicks = ${patch.track_clicks}`,
    patch.at_most_once === undefined ? empty : sql`at_most_once = ${patch.at_most_once}`,
    patch.content === undefined ? empty : sql`content = ${JSON.stringify(patch.content)}, version = version + 1`,
    sql`updated_at = ${now}`,
  ].filter((part) => part !== empty);
  return (
    await tx.query<TransactionalRow>(
      sql`update transactionals set ${join(set)} where workspace_id = ${workspaceId} and id = ${id} returning *`,
    )
  )[0];
}

export const remove = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from transactionals where workspace_id = ${workspaceId} and id = ${id}`);
