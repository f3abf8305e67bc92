import { join, prepared, type Queries, raw, Sql, type Statement, sql } from "./sql.ts";

// What this process gives to a statement: arrays, and rows of them.

/**
 * Writes an array in PostgreSQL's text form, for values that need no quotes: ids, numbers, booleans, times, our own words.
 * The driver would escape each value: 90 us for 1,000 ids, where this takes 24.
 */
export const unquoted = (list: readonly Value[]): string =>
  `{${list.map((value) => (value instanceof Date ? value.toISOString() : (value ?? "NULL"))).join(",")}}`;
type Value = string | number | boolean | Date | null;

/**
 * Writes a `text[]` in PostgreSQL's binary form (array_recv), for any text. In the text form this process would escape each character and
 * PostgreSQL would read it back: for the contents of 30 emails that is a fifth of the insert's cost.
 */
export const texts = (list: readonly (string | null)[]): Buffer => binary(list, TEXT, NO_PREFIX);
/** Writes a `jsonb[]` in the binary form. A value may be in pieces: to join 20 MiB first takes as long as all the rest. */
export const jsonbs = (list: readonly (Pieces | null)[]): Buffer => binary(list, JSONB, JSONB_PREFIX);
type Pieces = string | readonly string[];

/**
 * Writes a `uuid[]` in the binary form. PostgreSQL reads an id's text with 16 calls of strtoul: 2.3 of the 54 us of an event.
 * @throws TypeError for what is no UUID in its usual form
 */
export const uuids = (list: readonly (string | null)[]): Buffer => fixed(list, UUID, 16, writeUuid);

/** Writes a `timestamptz[]` in the binary form: microseconds since 2000. @throws RangeError for an invalid date */
export const times = (list: readonly (Date | null)[]): Buffer =>
  fixed(list, TIMESTAMPTZ, 8, (bytes, at, date) => bytes.writeBigInt64BE(BigInt(date.getTime() - Y2000) * 1_000n, at));

/** Writes an array of values that all have this many bytes. `write` returns where the next one begins. */
function fixed<V>(
  list: readonly (V | null)[],
  type: number,
  size: number,
  write: (bytes: Buffer, at: number, value: V) => number,
): Buffer {
  const missing = list.reduce<number>((count, value) => (value === null ? count + 1 : count), 0);
  const bytes = begun(list.length, list.length * (4 + size) - missing * size, missing > 0, type);
  let at = HEADER;
  for (const value of list) {
    at = bytes.writeInt32BE(value === null ? -1 : size, at);
    if (value !== null) at = write(bytes, at, value);
  }
  return bytes;
}

function writeUuid(bytes: Buffer, at: number, id: string): number {
  let digits = id.length === 36 ? 0 : NO_DIGIT;
  let from = 0;
  for (let byte = 0; byte < 16; byte++) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) digits |= id.charCodeAt(from++) === DASH ? 0 : NO_DIGIT;
    const high = DIGITS[id.charCodeAt(from++)] ?? NO_DIGIT;
    const low = DIGITS[id.charCodeAt(from++)] ?? NO_DIGIT;
    digits |= high | low;
    bytes[at++] = (high << 4) | low;
  }
  if (digits >= 16) throw new TypeError(`${id} is no UUID`);
  return at;
}

const DASH = 45;
const NO_DIGIT = 0xff;
/** The value of each hexadecimal digit, by the code of its character. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? NO_DIGIT : digit;
});

const Y2000 = Date.UTC(2000);

const TEXT = 25;
const TIMESTAMPTZ = 1184;
const UUID = 2950;
const JSONB = 3802;
const NO_PREFIX = Buffer.alloc(0);
/** The version of jsonb's binary form, before the JSON itself. */
const JSONB_PREFIX = Buffer.from([1]);

/** Bytes of: dimensions, whether there are nulls, type, count, first index. Each element follows with its length, -1 for null. */
const HEADER = 20;
/** An array without elements has no dimension, so neither count nor first index. */
const EMPTY = 12;

function binary(list: readonly (Pieces | null)[], type: number, prefix: Buffer): Buffer {
  const lengths = list.map((text) => (text === null ? -1 : prefix.length + bytesIn(text)));
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 0);
  const bytes = begun(list.length, size, lengths.includes(-1), type);
  let at = HEADER;
  list.forEach((text, i) => {
    at = bytes.writeInt32BE(lengths[i] as number, at);
    if (text === null) return;
    at += prefix.copy(bytes, at);
    if (typeof text === "string") at += bytes.write(text, at);
    else for (const piece of text) at += bytes.write(piece, at);
  });
  return bytes;
}

const bytesIn = (text: Pieces): number =>
  typeof text === "string" ? Buffer.byteLength(text) : text.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);

/** Returns room for an array whose elements take `size` bytes with their lengths, and writes what stands before them. */
function begun(count: number, size: number, nulls: boolean, type: number): Buffer {
  const bytes = Buffer.allocUnsafe(count === 0 ? EMPTY : HEADER + size);
  bytes.writeInt32BE(count === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(nulls ? 1 : 0, 4);
  bytes.writeInt32BE(type, 8);
  if (count > 0) {
    bytes.writeInt32BE(count, 12);
    bytes.writeInt32BE(1, 16);
  }
  return bytes;
}

type JsonText = string | readonly string[] | null;

/** A column of rows that this process gives to an insert. */
interface Column<Row> {
  /** As PostgreSQL names its type. */
  type: string;
  /** Its value in a row, the `i`-th of the list. */
  of(row: Row, i: number): Value | JsonText;
  /** Its values as one array of this type. */
  array(rows: readonly Row[]): string | Buffer;
}

/** The columns of an insert, by names that `write` calls them by. For columns that several statements share: `{...} satisfies Columns<Row>`. */
export type Columns<Row, Name extends string = string> = Record<Name, Column<Row>>;

/** @param arrayOf writes values of this type as an array */
const ofType =
  <V extends Value | JsonText>(type: string, arrayOf: (values: V[]) => string | Buffer) =>
  <Row>(of: (row: Row, i: number) => V): Column<Row> => ({ type, of, array: (rows) => arrayOf(rows.map(of)) });
const plain = (type: string) => ofType<Value>(type, unquoted);

/** Columns by their type, from what a row has there. `word` is text of our own, which needs no quotes; `json` is written as JSON already. */
export const given = {
  uuid: ofType<string | null>("uuid", uuids),
  word: plain("text"),
  time: ofType<Date | null>("timestamptz", times),
  boolean: plain("boolean"),
  integer: plain("integer"),
  smallint: plain("smallint"),
  float8: plain("float8"),
  text: ofType<string | null>("text", texts),
  json: ofType<JsonText>("jsonb", jsonbs),
};

/**
 * Returns the rows that follow `insert into table (...)` as a select from one array for each column.
 * @param write returns the row to insert from the columns of a given row; all of them in their order if it is absent
 */
export function rowsOf<Row, Name extends string>(
  rows: readonly Row[],
  columns: Columns<Row, Name>,
  write: Write<Name> = inOrder,
): Sql {
  const all = Object.entries<Column<Row>>(columns) as [Name, Column<Row>][];
  // In a sub-select PostgreSQL does not see how long an array is, so that it keeps one plan for all. All of them are one part of the
  // statement: with a part for each column 20 emails took 36 us here, and take 31.
  const between = all.map(([, column], i) => `::${column.type}[])${i + 1 < all.length ? ",(select " : ""}`);
  const arrays = new Sql(
    ["(select ", ...between],
    all.map(([, column]) => column.array(rows)),
  );
  const row = Object.fromEntries(all.map(([name]) => [name, raw(`t.${name}`)])) as Record<Name, Sql>;
  return sql`select ${write(row)} from unnest(${arrays}) as t (${raw(all.map(([name]) => name).join(","))})`;
}

/** PostgreSQL takes 65,535; the rest of the statement has some. Citus sends all of them to each shard, so with that many a list gains little. */
const MOST_PARAMETERS = 60_000;

/**
 * Returns the rows of an insert that has `on conflict` or `returning`: `rowsOf`, or in shards a list of values. Citus gives a list to the shards with
 * its insert. Such a select goes there by way of a file for each shard: 100 rows took 5 and 72 ms on a cluster of three nodes, and 3.5 without
 * the two clauses, where it is copied. A list of very many rows remains a select.
 */
export function rowsToCheck<Row, Name extends string>(
  q: Pick<Queries, "distributed">,
  rows: readonly Row[],
  columns: Columns<Row, Name>,
  write: Write<Name> = inOrder,
): Sql {
  const all = Object.entries<Column<Row>>(columns) as [Name, Column<Row>][];
  const listed = (row: Row, i: number) => {
    const values = all.map(([name, { type, of }]) => [name, sql`${parameterOf(of(row, i))}::${raw(type)}`]);
    return write(Object.fromEntries(values) as Record<Name, Sql>);
  };
  const [first] = rows;
  if (!q.distributed || first === undefined || listed(first, 0).values.length * rows.length > MOST_PARAMETERS)
    return rowsOf(rows, columns, write);
  return sql`values ${join(rows.map(listed), "), (", "(", ")")}`;
}

type Write<Name extends string> = (row: Record<Name, Sql>) => Sql;
const inOrder = (row: Record<string, Sql>): Sql => join(Object.values(row));

const parameterOf = (value: Value | JsonText): unknown => (Array.isArray(value) ? value.join("") : value);

/** Names a statement with `rowsToCheck` as `prepared` does, but not in shards, where its text varies with the number of rows. */
export const preparedOnOne = (q: Pick<Queries, "distributed">, name: string, statement: Sql): Statement =>
  q.distributed ? statement : prepared(name, statement);
