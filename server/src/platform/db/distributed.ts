import pg from "pg";
import { unquoted } from "./given.ts";
import { empty, type Queries, raw, type Sql, sql } from "./sql.ts";

/**
 * Returns whether the tables of people are in shards on several PostgreSQLs, by Citus (docs/decisions/0059-statements-for-shards.md). A process asks once, when it
 * starts, and each pool carries the answer: `Queries.distributed`.
 */
export async function isDistributed(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ yes: boolean }>("select to_regclass('pg_dist_partition') is not null as yes");
    if (!rows[0]?.yes) return false;
    const found = await client.query("select 1 from pg_dist_partition where partmethod = 'h' limit 1");
    return found.rows.length > 0;
  } finally {
    await client.end();
  }
}

/**
 * Returns the word after `as` for a part of a statement that computes from the clock or by functions that are not immutable. In shards an update
 * may not call these, so the part runs once, before; one PostgreSQL takes it into the rest, as if it stood there.
 */
export const once = (q: Pick<Queries, "distributed">): Sql => (q.distributed ? sql`materialized` : empty);

/** The two parts of a statement that chooses rows and then writes them. */
interface Choice {
  /** The end of the select that chooses. */
  lock: Sql;
  /** The end of the condition of the write. */
  still: Sql;
}

/**
 * Returns how a statement that first chooses rows and then writes them stays exact. In one PostgreSQL the select locks what it chooses. No
 * lock reaches over many shards: there the select locks nothing, and the write repeats the condition, so that a row that another
 * transaction changed in between is not written, and not returned.
 * @param lock such as `for update skip locked`, with the order in which rows are locked
 * @param condition of the chosen rows, on the table that is written. It must be false once another transaction has done the same
 */
export const choosing = (q: Pick<Queries, "distributed">, lock: Sql, condition: Sql): Choice => ({
  lock: lockOf(q, lock),
  still: q.distributed ? sql`and ${condition}` : empty,
});

/** Returns the lock of a choice whose write has its own condition: none in shards. */
export const lockOf = (q: Pick<Queries, "distributed">, lock: Sql): Sql => (q.distributed ? empty : lock);

/** The locks of a row, the weakest first (PostgreSQL, "Row-Level Locks"). */
export type RowLock = "key share" | "share" | "no key update" | "update";

/** The two locks of an id that conflict as the locks of its row do: of its existence, and of what it says. */
const PARTS: Record<RowLock, { says?: "_shared" | ""; exists: "_shared" | "" }> = {
  "key share": { exists: "_shared" },
  share: { says: "_shared", exists: "_shared" },
  "no key update": { says: "", exists: "_shared" },
  update: { says: "", exists: "" },
};

/**
 * Prepares the lock of rows of a table of which each node has a copy, and returns the end of the select that reads them. In shards a lock of a row
 * there holds all of the table on all nodes, so that writes of its other rows wait, too. Instead the transaction holds the ids, on the coordinator, with
 * the same conflicts. A statement that updates or deletes such a row must come after the lock "no key update" or "update".
 * @param ids in an order that all transactions keep
 */
export async function rowLock(tx: Queries, ids: string[], lock: RowLock): Promise<Sql> {
  if (tx.distributed) {
    const { says, exists } = PARTS[lock];
    await Promise.all([says !== undefined && hold(tx, ids, says, 1), hold(tx, ids, exists, 0)]);
  }
  return lockOf(tx, sql`for ${raw(lock)}`);
}

const hold = (tx: Queries, ids: string[], shared: "_shared" | "", seed: number): Promise<unknown> =>
  tx.query(sql`
    select pg_advisory_xact_lock${raw(shared)}(hashtextextended(id, ${raw(String(seed))})) from unnest(${unquoted(ids)}::text[]) as t (id)`);

/**
 * Returns a table for a left join with rows that a part of the statement has read. Citus would read all of the table for such a join, so in shards it is
 * narrowed to the keys of that part.
 * @param key a column of the table and of the part
 * @param part the name of the part
 */
export const narrowed = (q: Pick<Queries, "distributed">, table: string, key: string, part: string): Sql =>
  q.distributed
    ? sql`(select * from ${raw(table)} where ${raw(key)} in (select ${raw(key)} from ${raw(part)}))`
    : raw(table);

/**
 * Returns the right side of `key = ...` for some keys. In one PostgreSQL they are in a subquery, so that the plan does not depend on their number;
 * in shards they are a plain list, by which Citus finds their shards: it asks all of them for a subquery.
 */
export const anyOf = (q: Pick<Queries, "distributed">, keys: string[]): Sql =>
  q.distributed ? sql`any(${unquoted(keys)}::uuid[])` : sql`any((select ${unquoted(keys)}::uuid[])::uuid[])`;

/**
 * Returns a condition that names the keys of a part of a statement that gets them from another part. Without it Citus asks all shards, so what concerns one key waits
 * for each node, and fails while any of them is away. Empty in one PostgreSQL.
 * @param column by which the table is distributed
 */
export const inShardsOf = (q: Pick<Queries, "distributed">, column: string, keys: string[]): Sql =>
  q.distributed ? sql`and ${raw(column)} = any(${keys}::uuid[])` : empty;

/** The first rows of each of some values of a column, in an order. */
export interface RowsOfEach {
  /** The table; `t` in the other parts. */
  from: string;
  key: string;
  values: Sql;
  columns: Sql;
  where: Sql;
  order: Sql;
  limit: number;
}

/**
 * Selects the first `limit` rows of each value, with the value: by a look-up for each value, or, in shards, which no look-up with a limit can be
 * sent to together, by numbering the rows of the values in each shard.
 */
export const rowsOfEach = (q: Pick<Queries, "distributed">, each: RowsOfEach): Sql => {
  const { from, key, values, columns, where, order, limit } = each;
  if (q.distributed)
    return sql`
    select * from (
      select t.${raw(key)}, ${columns}, row_number() over (partition by t.${raw(key)} order by ${order}) as nth
      from ${raw(from)} t where t.${raw(key)} = any(${values}) and ${where}) numbered
    where nth <= ${limit}`;
  return sql`
    select k.${raw(key)}, found.* from unnest(${values}) as k (${raw(key)})
    cross join lateral (
      select ${columns} from ${raw(from)} t
      where t.${raw(key)} = k.${raw(key)} and ${where} order by ${order} limit ${limit}) found`;
};
