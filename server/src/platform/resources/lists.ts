import type { Listing } from "@tidings/contract/lists";
import { empty, join, type Queries, raw, sql, type Sql } from "../db/index.ts";
import type { PartKind } from "../http/index.ts";
import type { Prefix } from "../ids.ts";
import type { Group } from "./counts.ts";
import { anyCase, idsFrom } from "./search.ts";
import type { Sorted } from "./sorts.ts";

/** A column that a list can be sorted by. No row may have null in it. */
export interface SortColumn {
  by: Sql;
  /** The value of a cursor as the statement compares it with the column. */
  at(value: string): Sql;
  kind: PartKind;
}
export const byInstant = (column: Sql): SortColumn => ({
  by: column,
  at: (value) => sql`${value}::timestamptz`,
  kind: "instant",
});
/** Sorts texts without their case, as the locale of the database sorts. */
export const byText = (column: Sql): SortColumn => ({
  by: sql`lower(${column})`,
  at: (value) => sql`lower(${value}::text)`,
  kind: "text",
});

/** Where the rows of a list come from. A store declares it for a list of hundreds or thousands of rows, which each statement reads. */
export interface ListSource {
  /** What is selected. Each column that the list sorts by has the name of the sort. */
  columns: Sql;
  from: Sql;
  /** Returns the condition of a tenant's rows. */
  of(scope: string): Sql;
  /** Unique among a tenant's rows, and in the order of creation: the sort `created_at`. */
  id: Sql;
  /** The other sorts. */
  sorts: Record<string, SortColumn>;
  facets: Record<string, Sql>;
  /** The conditions of further parameters of the list, by their names. */
  filters?: Record<string, (value: string) => Sql>;
  /** The texts in which `q` may be. */
  texts: Sql[];
  /** Adds to the rows of a page what a table of people knows of them. A sub-select for each row would not reach over shards. */
  complete?<Row extends { id: string }>(queries: Queries, scope: string, rows: Row[]): Promise<Row[]>;
}

/** Which rows a request asks for. */
export interface ListSelection {
  scope: string;
  q: string | undefined;
  prefix: Prefix;
  chosen: Record<string, string | undefined>;
}

/** Returns the kinds of the parts of a cursor, for `sortedBy`. */
export const kindsOf =
  ({ sorts }: ListSource) =>
  (name: string): PartKind[] => [...(sorts[name] ? [sorts[name].kind] : []), "uuid"];

/** Returns the sort key of a row, for its cursor. */
export function keyOf({ sorts }: ListSource, { name }: Sorted, row: { id: string }): string[] {
  if (!sorts[name]) return [row.id];
  const value = (row as Record<string, unknown>)[name];
  return [value instanceof Date ? value.toISOString() : String(value), row.id];
}

/** Reads a page of a list. */
export async function readPage<Row extends { id: string }>(
  queries: Queries,
  source: ListSource,
  asked: ListSelection & { sorted: Sorted; limit: number },
): Promise<Row[]> {
  const { chosen, sorted, limit } = asked;
  const { id, facets, columns, from } = source;
  const { after, descending } = sorted;
  const [order, beyond] = descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const column = source.sorts[sorted.name];
  const words = Object.entries(facets).map(([name, facet]) =>
    chosen[name] === undefined ? empty : sql`and ${facet} = ${chosen[name]}`,
  );
  const [value = "", last = value] = after ?? [];
  const behind = column
    ? sql`and (${column.by}, ${id}) ${beyond} (${column.at(value)}, ${last}::uuid)`
    : sql`and ${id} ${beyond} ${last}::uuid`;
  const rows = await queries.query<Row>(sql`
    select ${columns} from ${from} where ${matching(source, asked)} ${join([empty, ...words], " ")} ${after ? behind : empty}
    order by ${column ? sql`${column.by} ${order}, ` : empty}${id} ${order} limit ${limit}`);
  return source.complete && rows.length > 0 ? source.complete(queries, asked.scope, rows) : rows;
}

/** Counts the rows by their words in all facets. The words that are chosen don't matter, see `countsOf`. */
export function readGroups(queries: Queries, source: ListSource, asked: ListSelection): Promise<Group[]> {
  const facets = Object.entries(source.facets);
  const selected = facets.map(([name, facet]) => sql`${facet} as ${raw(name)}`);
  const grouped = facets.length > 0 ? sql`group by ${join(facets.map(([, facet]) => facet))}` : empty;
  return queries.query(sql`
    select ${join([...selected, sql`count(*)::integer as n`])}
    from ${source.from} where ${matching(source, asked)} ${grouped}`);
}

function matching({ of, texts, id, filters = {} }: ListSource, { scope, q, prefix, chosen }: ListSelection): Sql {
  const given = Object.entries(filters).flatMap(([name, filter]) => {
    const value = chosen[name];
    return value === undefined ? [] : [sql`and ${filter(value)}`];
  });
  const rows = join([of(scope), ...given], " ");
  if (q === undefined) return rows;
  const ids = idsFrom(prefix, q);
  const found = [
    ...texts.map((text) => sql`${text} ~ ${anyCase(q)}`),
    ...(ids ? [sql`${id} between ${ids[0]}::uuid and ${ids[1]}::uuid`] : []),
  ];
  return sql`${rows} and (${join(found, " or ")})`;
}

/** Whether a source and its listing name the same sorts and facets. */
export const agrees = (source: ListSource, { sorts, facets }: Listing): boolean =>
  sorts.every((name) => name === "created_at" || name in source.sorts) &&
  Object.keys(facets).every((name) => name in source.facets);
