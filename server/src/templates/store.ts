import type { Actor } from "@tidings/contract/audit";
import type { Cause, Format } from "@tidings/contract/messages/templates";
import { empty, prepared, type Queries, sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";
import { byInstant, byText, type ListSource } from "../platform/resources/lists.ts";
import type { Content, Definition } from "./definition.ts";

// Each template is a row that names its newest version, and one immutable row per version.

export interface TemplateRow {
  id: string;
  version: number;
  name: string;
  snippets: string[];
  definition: Definition;
  created_at: Date;
  updated_at: Date;
}

/** A template in a list: without the long texts. */
export type TemplateSummary = Omit<TemplateRow, "definition"> & {
  definition: Omit<Definition, "body" | "plaintext">;
};

/** A compiled version, ready to be written. */
export interface Version {
  definition: Definition;
  content: Content;
  snippets: string[];
  cause: Cause;
  created_by: Actor;
}

export async function insertTemplate(
  tx: Queries,
  workspaceId: string,
  { id, name, version, now }: { id: string; name: string; version: Version; now: Date },
): Promise<TemplateRow> {
  const { definition, snippets } = version;
  await tx.execute(sql`
    insert into email_templates (workspace_id, id, version, name, layout_id, snippets, created_at, updated_at)
    values (${workspaceId}, ${id}, 1, ${name}, ${definition.layout_id}, ${snippets}, ${now}, ${now})`);
  await insertVersion(tx, workspaceId, { id, number: 1, version, now });
  return { id, version: 1, name, snippets, definition, created_at: now, updated_at: now };
}

const insertVersion = (
  tx: Queries,
  workspaceId: string,
  { id, number, version, now }: { id: string; number: number; version: Version; now: Date },
) =>
  tx.execute(sql`
    insert into email_template_versions (workspace_id, id, version, cause, definition, content, created_at, created_by)
    values (${workspaceId}, ${id}, ${number}, ${version.cause}, ${JSON.stringify(version.definition)},
      ${JSON.stringify(version.content)}, ${now}, ${JSON.stringify(version.created_by)})`);

export async function addVersion(
  tx: Queries,
  workspaceId: string,
  before: TemplateRow,
  { version, now }: { version: Version; now: Date },
): Promise<TemplateRow> {
  const number = before.version + 1;
  const { definition, snippets } = version;
  await insertVersion(tx, workspaceId, { id: before.id, number, version, now });
  await tx.execute(sql`
    update email_templates set version = ${number}, name = ${before.name}, layout_id = ${definition.layout_id},
      snippets = ${snippets}, updated_at = ${now}
    where workspace_id = ${workspaceId} and id = ${before.id}`);
  return { ...before, version: number, definition, snippets, updated_at: now };
}

export const rename = (
  tx: Queries,
  workspaceId: string,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<number> =>
  tx.execute(sql`
    update email_templates set name = ${name}, updated_at = ${now} where workspace_id = ${workspaceId} and id = ${id}`);

export async function templateById(q: Queries, workspaceId: string, id: string): Promise<TemplateRow | undefined> {
  return (
    await q.query<TemplateRow>(sql`
      select t.id, t.version, t.name, t.snippets, v.definition, t.created_at, t.updated_at from email_templates t
      join email_template_versions v using (workspace_id, id, version)
      where workspace_id = ${workspaceId} and id = ${id} and t.deleted_at is null`)
  )[0];
}

export const listSource: ListSource = {
  columns: sql`t.id, t.version, t.name, t.snippets, v.definition - 'body' - 'plaintext' as definition, t.created_at, t.updated_at`,
  from: sql`email_templates t join email_template_versions v using (workspace_id, id, version)`,
  of: (workspaceId) => sql`workspace_id = ${workspaceId} and t.deleted_at is null`,
  id: sql`id`,
  sorts: { updated_at: byInstant(sql`t.updated_at`), name: byText(sql`t.name`) },
  facets: {},
  filters: {
    layout_id: (id) => sql`t.layout_id = ${decodeId("lay", id) ?? null}::uuid`,
    snippet: (name) => sql`t.snippets @> ${[name]}::text[]`,
  },
  texts: [sql`t.name`, sql`v.definition ->> 'subject'`],
};

/** The live templates that use this layout or this snippet. */
export const templatesWith = (
  q: Queries,
  workspaceId: string,
  used: { layoutId: string } | { snippet: string },
  limit?: number,
): Promise<{ id: string; name: string }[]> =>
  q.query(sql`
    select id, name from email_templates
    where workspace_id = ${workspaceId} and deleted_at is null
      and ${"layoutId" in used ? sql`layout_id = ${used.layoutId}` : sql`snippets @> ${[used.snippet]}::text[]`}
    order by id ${limit === undefined ? empty : sql`limit ${limit}`}`);

/** Returns up to ten live templates whose newest version has this text. */
export const templatesSaying = (
  q: Queries,
  workspaceId: string,
  text: string,
): Promise<{ id: string; name: string }[]> =>
  q.query(sql`
    select t.id, t.name from email_templates t join email_template_versions v using (workspace_id, id, version)
    where workspace_id = ${workspaceId} and t.deleted_at is null and strpos(v.definition::text, ${text}) > 0
    order by t.name limit 10`);

/** Locks live templates until the transaction ends, always in the same order, and returns the columns that an edit changes. */
export const lockTemplates = (
  tx: Queries,
  workspaceId: string,
  ids: string[],
): Promise<{ id: string; version: number; name: string }[]> =>
  tx.query(sql`
    select id, version, name from email_templates
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null order by id for update`);

/**
 * Makes changes of one template, layout or snippet take turns until the transaction ends. Its row can't be locked first: a change of a
 * part locks the part before the templates that use it, and a change of a template would lock the other way round.
 */
export const inTurn = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`templates ${workspaceId} ${id}`}, 0))`);

/** Marks a template as deleted. Its versions stay, because they show what was sent. */
export const deleteTemplate = (tx: Queries, workspaceId: string, id: string, now: Date): Promise<number> =>
  tx.execute(sql`update email_templates set deleted_at = ${now} where workspace_id = ${workspaceId} and id = ${id}`);

export interface VersionRow {
  version: number;
  cause: Cause;
  subject: string;
  format: Format;
  created_at: Date;
  created_by: Actor | null;
}

export const versions = (
  q: Queries,
  workspaceId: string,
  { id, before, limit }: { id: string; before: string | undefined; limit: number },
): Promise<VersionRow[]> =>
  q.query(sql`
    select version, cause, definition ->> 'subject' as subject, definition ->> 'format' as format, created_at, created_by
    from email_template_versions where workspace_id = ${workspaceId} and id = ${id}
      ${before === undefined ? empty : sql`and version < ${before}::integer`}
    order by version desc limit ${limit}`);

export async function versionOf(
  q: Queries,
  workspaceId: string,
  id: string,
  version: number,
): Promise<(Omit<VersionRow, "subject" | "format"> & { definition: Definition }) | undefined> {
  return (
    await q.query<Omit<VersionRow, "subject" | "format"> & { definition: Definition }>(sql`
      select version, cause, definition, created_at, created_by from email_template_versions
      where workspace_id = ${workspaceId} and id = ${id} and version = ${version}`)
  )[0];
}

/** The newest version of each wanted template: one statement for all calls of a moment. */
export const newestVersions = (
  q: Queries,
  wanted: { workspaceId: string; id: string }[],
): Promise<{ workspace_id: string; id: string; version: number }[]> =>
  q.query(
    prepared(
      "templates.newestVersions",
      sql`
      select distinct t.workspace_id, t.id, t.version
      from unnest(
        ${wanted.map((one) => one.workspaceId)}::uuid[],
        ${wanted.map((one) => one.id)}::uuid[]
      ) as w (workspace_id, id)
      join email_templates t on t.workspace_id = w.workspace_id and t.id = w.id and t.deleted_at is null`,
    ),
  );

export const contentsOf = (
  q: Queries,
  wanted: { workspace_id: string; id: string; version: number }[],
): Promise<{ workspace_id: string; id: string; version: number; content: Content }[]> =>
  q.query(
    prepared(
      "templates.contentsOf",
      sql`
      select v.workspace_id, v.id, v.version, v.content
      from unnest(
        ${wanted.map((one) => one.workspace_id)}::uuid[],
        ${wanted.map((one) => one.id)}::uuid[],
        ${wanted.map((one) => one.version)}::integer[]
      ) as w (workspace_id, id, version)
      join email_template_versions v on v.workspace_id = w.workspace_id and v.id = w.id and v.version = w.version`,
    ),
  );

/** Whether the template exists, and locks it until the transaction ends, so that a reference to it can be written. */
export async function isLive(tx: Queries, workspaceId: string, id: string): Promise<boolean> {
  return (
    (await tx.execute(sql`
      select from email_templates where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null for share`)) ===
    1
  );
}
