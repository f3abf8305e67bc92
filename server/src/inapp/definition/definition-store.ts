import type { InAppDefinition } from "@tidings/contract/inapp/definition";
import { prepared, type Queries, sql } from "../../platform/db/index.ts";
import { byInstant, byText, type ListSource } from "../../platform/resources/lists.ts";

// Each definition is a row that names its newest version, and one immutable row per version.

export interface MessageRow {
  id: string;
  version: number;
  definition: InAppDefinition;
  created_at: Date;
  updated_at: Date;
}

export async function insertMessage(
  tx: Queries,
  workspaceId: string,
  { id, definition, now }: { id: string; definition: InAppDefinition; now: Date },
): Promise<MessageRow> {
  await tx.execute(sql`
    insert into in_app_messages (workspace_id, id, version, name, created_at, updated_at)
    values (${workspaceId}, ${id}, 1, ${definition.name}, ${now}, ${now})`);
  await insertVersion(tx, workspaceId, { id, version: 1, definition, now });
  return { id, version: 1, definition, created_at: now, updated_at: now };
}

const insertVersion = (
  tx: Queries,
  workspaceId: string,
  { id, version, definition, now }: { id: string; version: number; definition: InAppDefinition; now: Date },
) =>
  tx.execute(sql`
    insert into in_app_message_versions (workspace_id, id, version, definition, created_at)
    values (${workspaceId}, ${id}, ${version}, ${JSON.stringify(definition)}, ${now})`);

export async function messageById(q: Queries, workspaceId: string, id: string): Promise<MessageRow | undefined> {
  const byId = sql`
    select m.id, m.version, v.definition, m.created_at, m.updated_at from in_app_messages m
    join in_app_message_versions v using (workspace_id, id, version)
    where workspace_id = ${workspaceId} and id = ${id} and m.deleted_at is null`;
  return (await q.query<MessageRow>(prepared("inapp.messageById", byId)))[0];
}

/** Returns the names of messages, also of removed ones, because their deliveries stay. */
export const namesById = (q: Queries, workspaceId: string, ids: string[]): Promise<{ id: string; name: string }[]> =>
  q.query(sql`select id, name from in_app_messages where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);

/** Locks a definition, so that two edits at once take turns and each makes its own version, and returns it as it is then. */
export async function lockMessage(tx: Queries, workspaceId: string, id: string): Promise<MessageRow | undefined> {
  await tx.execute(sql`select from in_app_messages where workspace_id = ${workspaceId} and id = ${id} for update`);
  return messageById(tx, workspaceId, id);
}

/** Whether the definition exists, and locks it until the transaction ends, so that a reference to it can be written. */
export const isLive = async (tx: Queries, workspaceId: string, id: string): Promise<boolean> =>
  (await tx.execute(sql`
    select from in_app_messages where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null for share`)) ===
  1;

export async function addVersion(
  tx: Queries,
  workspaceId: string,
  before: MessageRow,
  { definition, now }: { definition: InAppDefinition; now: Date },
): Promise<MessageRow> {
  const version = before.version + 1;
  await insertVersion(tx, workspaceId, { id: before.id, version, definition, now });
  await tx.execute(sql`
    update in_app_messages set version = ${version}, name = ${definition.name}, updated_at = ${now}
    where workspace_id = ${workspaceId} and id = ${before.id}`);
  return { ...before, version, definition, updated_at: now };
}

/** A definition in a list, without its body. */
export type ListedMessage = Omit<MessageRow, "definition"> & { definition: Omit<InAppDefinition, "body"> };

export const listSource: ListSource = {
  columns: sql`m.id, m.version, m.name, v.definition - 'body' as definition, m.created_at, m.updated_at`,
  from: sql`in_app_messages m join in_app_message_versions v using (workspace_id, id, version)`,
  of: (workspaceId) => sql`workspace_id = ${workspaceId} and m.deleted_at is null`,
  id: sql`id`,
  sorts: { updated_at: byInstant(sql`m.updated_at`), name: byText(sql`m.name`) },
  facets: { render_type: sql`v.definition ->> 'render_type'` },
  texts: [sql`m.name`, sql`v.definition ->> 'title'`],
};

/** The messages that have rules about screens, with these rules. */
export const messagesWithScreens = (
  q: Queries,
  workspaceId: string,
): Promise<{ id: string; name: string; include: string[]; exclude: string[] }[]> =>
  q.query(sql`
    select m.id, m.name, v.definition #> '{screens,include}' as include, v.definition #> '{screens,exclude}' as exclude
    from in_app_messages m join in_app_message_versions v using (workspace_id, id, version)
    where workspace_id = ${workspaceId} and m.deleted_at is null
      and (v.definition #> '{screens,include}' <> '[]' or v.definition #> '{screens,exclude}' <> '[]')
    order by lower(m.name), m.id`);

/** Returns up to ten messages whose newest version has this text. */
export const messagesSaying = (
  q: Queries,
  workspaceId: string,
  text: string,
): Promise<{ id: string; name: string }[]> =>
  q.query(sql`
    select m.id, m.name from in_app_messages m join in_app_message_versions v using (workspace_id, id, version)
    where workspace_id = ${workspaceId} and m.deleted_at is null and strpos(v.definition::text, ${text}) > 0
    order by m.name limit 10`);

/** Marks a definition as deleted; false where there is none. Its versions stay, because queued deliveries need them. */
export async function deleteMessage(tx: Queries, workspaceId: string, id: string, now: Date): Promise<boolean> {
  return (
    (await tx.execute(sql`
      update in_app_messages set deleted_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`)) === 1
  );
}

/** The wanted versions that exist, each once, in any order. */
export const versionsOf = (
  q: Queries,
  workspaceId: string,
  wanted: { message_id: string; message_version: number }[],
): Promise<{ id: string; version: number; definition: InAppDefinition }[]> =>
  q.query(
    prepared(
      "inapp.versionsOf",
      sql`
      select distinct v.id, v.version, v.definition
      from unnest(
        ${wanted.map((row) => row.message_id)}::uuid[],
        ${wanted.map((row) => row.message_version)}::integer[]
      ) as w (id, version)
      join in_app_message_versions v on v.workspace_id = ${workspaceId} and v.id = w.id and v.version = w.version`,
    ),
  );
