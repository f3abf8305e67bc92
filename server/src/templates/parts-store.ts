import type { Format } from "@tidings/contract/messages/templates";
import { type Queries, sql, type Sql } from "../platform/db/index.ts";
import { byInstant, byText, type ListSource } from "../platform/resources/lists.ts";

// Layouts and snippets: only their current texts. The versions of templates keep what was compiled with older texts.

export interface LayoutRow {
  id: string;
  version: number;
  name: string;
  body: string;
  format: Format;
  created_at: Date;
  updated_at: Date;
}

export interface SnippetRow {
  id: string;
  version: number;
  name: string;
  body: string;
  created_at: Date;
  updated_at: Date;
}

export async function insertLayout(
  tx: Queries,
  workspaceId: string,
  row: Pick<LayoutRow, "id" | "name" | "body" | "format">,
  { snippets, now }: { snippets: string[]; now: Date },
): Promise<LayoutRow> {
  await tx.execute(sql`
    insert into email_layouts (workspace_id, id, version, name, body, format, snippets, created_at, updated_at)
    values (${workspaceId}, ${row.id}, 1, ${row.name}, ${row.body}, ${row.format}, ${snippets}, ${now}, ${now})`);
  return { ...row, version: 1, created_at: now, updated_at: now };
}

export const updateLayout = (tx: Queries, workspaceId: string, row: LayoutRow, snippets: string[]): Promise<number> =>
  tx.execute(sql`
    update email_layouts set version = ${row.version}, name = ${row.name}, body = ${row.body}, format = ${row.format},
      snippets = ${snippets}, updated_at = ${row.updated_at}
    where workspace_id = ${workspaceId} and id = ${row.id}`);

/** Returns up to ten layouts and ten snippets with this text, each with the prefix of its ids. */
export const partsSaying = (
  q: Queries,
  workspaceId: string,
  text: string,
): Promise<{ prefix: "lay" | "snp"; id: string; name: string }[]> =>
  q.query(sql`
    (select 'lay' as prefix, id, name from email_layouts
      where workspace_id = ${workspaceId} and strpos(body, ${text}) > 0 order by name limit 10)
    union all
    (select 'snp', id, name from snippets
      where workspace_id = ${workspaceId} and strpos(body, ${text}) > 0 order by name limit 10)`);

export async function layoutById(q: Queries, workspaceId: string, id: string): Promise<LayoutRow | undefined> {
  return (
    await q.query<LayoutRow>(sql`
      select id, version, name, body, format, created_at, updated_at from email_layouts
      where workspace_id = ${workspaceId} and id = ${id}`)
  )[0];
}

/** Returns the source of a list of layouts or snippets, without their bodies. */
const partSource = (columns: Sql, from: Sql): ListSource => ({
  columns,
  from,
  of: (workspaceId) => sql`workspace_id = ${workspaceId}`,
  id: sql`id`,
  sorts: { updated_at: byInstant(sql`updated_at`), name: byText(sql`name`) },
  facets: {},
  texts: [sql`name`],
});
export const layouts = partSource(sql`id, version, name, format, created_at, updated_at`, sql`email_layouts`);
export const snippets = partSource(sql`id, version, name, created_at, updated_at`, sql`snippets`);

export async function lockLayout(tx: Queries, workspaceId: string, id: string): Promise<number | undefined> {
  const [row] = await tx.query<{ version: number }>(sql`
    select version from email_layouts where workspace_id = ${workspaceId} and id = ${id} for update`);
  return row?.version;
}

export const deleteLayout = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from email_layouts where workspace_id = ${workspaceId} and id = ${id}`);

export async function insertSnippet(
  tx: Queries,
  workspaceId: string,
  row: Pick<SnippetRow, "id" | "name" | "body">,
  { snippets, now }: { snippets: string[]; now: Date },
): Promise<SnippetRow> {
  await tx.execute(sql`
    insert into snippets (workspace_id, id, version, name, body, snippets, created_at, updated_at)
    values (${workspaceId}, ${row.id}, 1, ${row.name}, ${row.body}, ${snippets}, ${now}, ${now})`);
  return { ...row, version: 1, created_at: now, updated_at: now };
}

export const updateSnippet = (tx: Queries, workspaceId: string, row: SnippetRow, snippets: string[]): Promise<number> =>
  tx.execute(sql`
    update snippets set version = ${row.version}, body = ${row.body}, snippets = ${snippets}, updated_at = ${row.updated_at}
    where workspace_id = ${workspaceId} and id = ${row.id}`);

export async function snippetById(q: Queries, workspaceId: string, id: string): Promise<SnippetRow | undefined> {
  return (
    await q.query<SnippetRow>(sql`
      select id, version, name, body, created_at, updated_at from snippets
      where workspace_id = ${workspaceId} and id = ${id}`)
  )[0];
}

export const snippetsByName = (q: Queries, workspaceId: string, names: string[]): Promise<SnippetRow[]> =>
  q.query(sql`
    select id, version, name, body, created_at, updated_at from snippets
    where workspace_id = ${workspaceId} and name = any(${names}::text[])`);

/** Locks snippets until the transaction ends, always in the same order. */
export const lockSnippets = (
  tx: Queries,
  workspaceId: string,
  names: string[],
): Promise<{ id: string; name: string; version: number }[]> =>
  tx.query(sql`
    select id, name, version from snippets
    where workspace_id = ${workspaceId} and name = any(${names}::text[]) order by name for update`);

export const deleteSnippet = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from snippets where workspace_id = ${workspaceId} and id = ${id}`);

/** The names of the layouts and snippets whose own text has the tag of this snippet, ten at most. */
export const partsWith = (q: Queries, workspaceId: string, snippet: string): Promise<{ name: string }[]> =>
  q.query(sql`
    select name from email_layouts where workspace_id = ${workspaceId} and snippets @> ${[snippet]}::text[]
    union all
    select name from snippets where workspace_id = ${workspaceId} and snippets @> ${[snippet]}::text[]
    order by name limit 10`);
