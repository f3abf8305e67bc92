import { expect, test } from "vitest";
import { type Columns, given, preparedOnOne, rowsOf, rowsToCheck, times, uuids } from "./given.ts";
import { sql } from "./sql.ts";

interface Note {
  id: string;
  note: string | null;
  at: Date | null;
}

const [A, B] = ["01a201ba-2dd8-7659-8a3b-8576d537dba6", "01A201BA-2DD8-7659-8A3B-8576D537DBA7"];
const notes: Note[] = [
  { id: A, note: 'it\'s {x}, "y"', at: new Date(0) },
  { id: B, note: null, at: null },
];
const columns = {
  id: given.uuid((one) => one.id),
  note: given.text((one) => one.note),
  at: given.time((one) => one.at),
} satisfies Columns<Note>;

const textOf = ({ text }: { text: string }) => text.replaceAll(/\s+/g, " ");

test("the rows of an insert are a select from one array for each column", () => {
  const rows = rowsOf(notes, columns);
  expect(textOf(rows)).toBe(
    "select t.id,t.note,t.at from unnest((select $1::uuid[]),(select $2::text[]),(select $3::timestamptz[])) as t (id,note,at)",
  );
  expect(rows.values[0]).toEqual(uuids([A, B]));
  expect(rows.values[2]).toEqual(times([new Date(0), null]));
});

test("in shards rows that are checked are a list of values", () => {
  const rows = rowsToCheck({ distributed: true }, notes, columns, (t) => sql`${t.id}, coalesce(${t.note}, 'none')`);
  expect(textOf(rows)).toBe("values ($1::uuid, coalesce($2::text, 'none')), ($3::uuid, coalesce($4::text, 'none'))");
  expect(rows.values).toEqual([A, 'it\'s {x}, "y"', B, null]);
});

test("on one PostgreSQL rows that are checked are a select", () => {
  expect(rowsToCheck({ distributed: false }, notes, columns).text).toBe(rowsOf(notes, columns).text);
});

test("no rows insert nothing in both forms", () => {
  expect(rowsToCheck({ distributed: true }, [], columns).text).toBe(rowsOf([], columns).text);
});

test("more rows than a statement has room for remain a select", () => {
  const numbers = Array.from({ length: 60_001 }, (_, i) => i);
  const number = { id: given.integer((n: number) => n) };
  expect(rowsToCheck({ distributed: true }, numbers.slice(1), number).values).toHaveLength(60_000);
  expect(rowsToCheck({ distributed: true }, numbers, number).text).toBe(rowsOf(numbers, number).text);
});

test("JSON in pieces is one value", () => {
  const rows = rowsToCheck({ distributed: true }, [['{"a":', "1}"], null], { data: given.json((json) => json) });
  expect(rows.values).toEqual(['{"a":1}', null]);
});

test("a statement has a name only where its text does not vary", () => {
  const statement = (distributed: boolean) => preparedOnOne({ distributed }, "a.name", sql`select 1`);
  expect([statement(false).name, statement(true).name]).toEqual(["a.name", undefined]);
});

test.each(["", "a", `${A} `, A.slice(1), A.replace("0", "g"), A.replace("0", "İ"), A.replaceAll("-", "0")])(
  "%j is not written as a UUID",
  (text) => expect(() => uuids([A, text])).toThrow(new TypeError(`${text} is no UUID`)),
);

test("an invalid date is not written", () => {
  expect(() => times([new Date(Number.NaN)])).toThrow(RangeError);
});
