import { expect, test } from "vitest";
import { given, preparedOnOne, rowsOf, rowsToCheck } from "./given.ts";
import { sql } from "./sql.ts";

const columns = {
  id: given.uuid(["a", "b"]),
  note: given.text(['it\'s {x}, "y"', null]),
  at: given.time([new Date(0), null]),
};

const textOf = ({ text }: { text: string }) => text.replaceAll(/\s+/g, " ");

test("the rows of an insert are a select from one array for each column", () => {
  const rows = rowsOf(columns);
  expect(textOf(rows)).toBe(
    "select t.id,t.note,t.at from unnest((select $1::uuid[]),(select $2::text[]),(select $3::timestamptz[])) as t (id,note,at)",
  );
  expect(rows.values[0]).toBe("{a,b}");
  expect(rows.values[2]).toBe("{1970-01-01T00:00:00.000Z,NULL}");
});

test("in shards rows that are checked are a list of values", () => {
  const rows = rowsToCheck({ distributed: true }, columns, (t) => sql`${t.id}, coalesce(${t.note}, 'none')`);
  expect(textOf(rows)).toBe("values ($1::uuid, coalesce($2::text, 'none')), ($3::uuid, coalesce($4::text, 'none'))");
  expect(rows.values).toEqual(["a", 'it\'s {x}, "y"', "b", null]);
});

test("on one PostgreSQL rows that are checked are a select", () => {
  expect(rowsToCheck({ distributed: false }, columns).text).toBe(rowsOf(columns).text);
});

test("no rows insert nothing in both forms", () => {
  const none = { id: given.uuid([]) };
  expect(rowsToCheck({ distributed: true }, none).text).toBe(rowsOf(none).text);
});

test("more rows than a statement has room for remain a select", () => {
  const many = (length: number) => ({ id: given.integer(Array.from({ length }, (_, i) => i)) });
  expect(rowsToCheck({ distributed: true }, many(60_000)).values).toHaveLength(60_000);
  expect(rowsToCheck({ distributed: true }, many(60_001)).text).toBe(rowsOf(many(1)).text);
});

test("JSON in pieces is one value", () => {
  const rows = rowsToCheck({ distributed: true }, { data: given.json([['{"a":', "1}"], null]) });
  expect(rows.values).toEqual(['{"a":1}', null]);
});

test("a statement has a name only where its text does not vary", () => {
  const statement = (distributed: boolean) => preparedOnOne({ distributed }, "a.name", sql`select 1`);
  expect([statement(false).name, statement(true).name]).toEqual(["a.name", undefined]);
});
