import { empty, join, type Queries, raw, type Sql, sql } from "../../platform/db/index.ts";

/** A table with a person_key, as the catalog has it. Names come from there alone, so they are safe in a statement. */
export interface PersonTable {
  name: string;
  /** Without generated ones. */
  columns: string[];
  generated: string[];
  /** Those of the columns that hold JSON. */
  json: string[];
  /** The primary key's columns. */
  key: string[];
}

/**
 * Every table with a `person_key`, in the order of their names, as the catalog has it, so that a column that a later migration adds is
 * never forgotten. The marks of erased people hold nothing but a hash and stay out of it.
 */
export const personTables = (q: Queries): Promise<PersonTable[]> =>
  q.query(sql`
    select c.relname::text as name,
      array(select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated <> '' order by a.attnum) as generated,
      array(select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and a.atttypid in ('json'::regtype, 'jsonb'::regtype)) as json,
      array(select quote_ident(a.attname) from pg_index i cross join unnest(i.indkey) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.place) as key
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'erased_people'
      and exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'person_key' and not p.attisdropped)
    order by c.relname`);

const listed = (columns: string[]) =>
  join(
    columns.map((column) => raw(column)),
    ", ",
  );

/** Deletes a person's rows of a table. The name is a word of the code. */
export const deleteRows = (tx: Queries, table: string, personKey: string): Promise<number> =>
  tx.execute(sql`delete from ${raw(table)} where person_key = ${personKey}`);

/** A table whose rows move to another person. */
export interface Moving {
  shape: PersonTable;
  /** When one of its rows must not move. */
  inUse: Sql | undefined;
}

/**
 * Gives a person's rows of these tables to another, as new rows: where the tables are distributed, a row can't change its key in
 * place. A row that the other has already, by its key, is dropped. Returns whether one of them was in use, and should not have moved.
 *
 * One statement moves all: it sees all rows of a transaction that ends meanwhile or none, so that a delivery and its entry in the log have the same
 * person afterwards. In shards each table is moved by itself, because each node would see another moment anyway.
 */
export async function moveRows(tx: Queries, tables: Moving[], from: string, to: string): Promise<boolean> {
  let inUse = false;
  for (const together of tx.distributed ? tables.map((one) => [one]) : [tables]) {
    const moves = together.map(({ shape }) => movedBy(shape, from, to));
    const uses = together.flatMap((one) =>
      one.inUse ? [sql`exists (select from ${gone(one.shape)} where ${one.inUse})`] : [],
    );
    const [row] = await tx.query<{ in_use: boolean }>(sql`
      with ${join(moves, ", ")} select ${join([raw("false"), ...uses], " or ")} as in_use`);
    inUse ||= row?.in_use === true;
  }
  return inUse;
}

/** The part of the statement with the rows of a table that go. */
const gone = ({ name }: PersonTable): Sql => raw(`gone_${name}`);

/** The parts of a statement that move the rows of one table. */
function movedBy(shape: PersonTable, from: string, to: string): Sql {
  const { name, columns, key } = shape;
  const table = raw(name);
  if (!key.includes("person_key"))
    return sql`${gone(shape)} as (update ${table} set person_key = ${to} where person_key = ${from})`;
  const moved = columns.map((column) => (column === "person_key" ? sql`${to}::uuid` : raw(column)));
  return sql`
    ${gone(shape)} as (delete from ${table} where person_key = ${from} returning ${listed(columns)}),
    ${raw(`moved_${name}`)} as (
      insert into ${table} (${listed(columns)})
      select ${join(moved, ", ")} from ${gone(shape)} on conflict (${listed(key)}) do nothing)`;
}

/** Returns those of these people who have rows in a table. */
export async function keysOf(q: Queries, table: PersonTable, personKeys: string[]): Promise<string[]> {
  const rows = await q.query<{ person_key: string }>(sql`
    select distinct person_key from ${raw(table.name)} where person_key = any(${personKeys}::uuid[])`);
  return rows.map(({ person_key }) => person_key);
}

export interface Rows {
  rows: Record<string, unknown>[];
  /** Columns whose value is the text of JSON. To read and write 20 MiB of it takes 100 ms, in which nobody else is served. */
  json: ReadonlySet<string>;
  /** The last row's key, to go on behind. */
  last: string[] | undefined;
}

/** A page of a person's rows of a table, in the order of its key. `instead` has the values of columns that are not read from the row `t` alone. */
export async function rowsOf(
  q: Queries,
  table: PersonTable,
  personKey: string,
  {
    after,
    limit,
    instead = {},
  }: { after: string[] | undefined; limit: number; instead?: Record<string, ReturnType<typeof sql>> },
): Promise<Rows> {
  const key = listed(table.key);
  const columns = [...table.columns, ...table.generated].map((column) => {
    const value = instead[column] ?? sql`t.${raw(column)}`;
    return table.json.includes(column) ? sql`${value}::text as ${raw(column)}` : value;
  });
  const rows = await q.query<Record<string, unknown> & { __key: string[] }>(sql`
    select ${join(columns, ", ")},
      array[${join(table.key.map((column) => sql`t.${raw(column)}::text`))}] as __key
    from ${raw(table.name)} t
    where person_key = ${personKey} ${after ? sql`and (${key}) > (${join(after)})` : empty}
    order by ${key} limit ${limit}`);
  return {
    last: rows.at(-1)?.__key,
    rows: rows.map(({ __key, ...row }) => row),
    json: new Set(table.json.map(unquoted)),
  };
}

/** A name as quote_ident found it. */
const unquoted = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);
