import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tablesOfPeople } from "./support/database/tables.ts";

// Statements on tables of people run on Citus too, where these tables are in shards (docs/decisions/0059-statements-for-shards.md). A form that
// Citus refuses stands beside its other form, or in a statement about one person, which one shard answers.

const root = fileURLToPath(new URL("../../", import.meta.url));
const src = join(root, "server/src");

const tables = tablesOfPeople();

/** Forms that Citus refuses in a statement over several shards, one that it answers wrongly (with each value, or none), one with which it asks all shards, and one that sends rows by way of files (0059). */
const FORMS: Record<string, RegExp> = {
  "locks rows": /\bfor (?:no key )?update\b|\bskip locked\b/,
  "finds rows by position": /\w\.ctid\b|\bd\.xmin\b/,
  "looks up with a limit for each row": /\blateral\b[^;]*?\blimit\b/,
  "asks a shard for its transactions": /\bpg_(?:current_)?snapshot/,
  "asks for each value": /\bfrom unnest\([^`]*?\bwhere (?:not )?exists \(\s*select\b/,
  "counts a part without columns": /\bfrom \(\s*select from (?!catalog_|screens)/,
  recurses: /\bwith recursive\b/,
  "checks rows that it selects": /\binsert into [^`]*?\bfrom unnest\([^`]*?\b(?:on conflict|returning)\b/,
  "hides the keys in a subquery": /\bperson_key = any\(\(select\b/,
};

/** What shows that the other form was thought of. */
const CHOSEN = /\bdistributed\b|\bchoosing\(|\browsOfEach\(|InShards\b|\block\}|\blockOf\(/;
/** A statement about one person, whose key it compares with a parameter. */
const OF_ONE = /person_key = \$\{/;

/** Halves of statements for one PostgreSQL: who calls them chooses. */
const BESIDE = new Set(["FIRST_CALL", "dueBy"]);

function refusedIn(file: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, "");
  return code.split(/\n(?=export |const |function |async function )/).flatMap((part) => {
    const name = /(?:const|function) (\w+)/.exec(part)?.[1];
    if (!name || BESIDE.has(name) || CHOSEN.test(part) || OF_ONE.test(part)) return [];
    if (!tables.some((table) => new RegExp(`\\b(?:from|join|update|into|using) ${table}\\b`).test(part))) return [];
    return Object.entries(FORMS).flatMap(([what, form]) => (form.test(part) ? [`${file}: ${name} ${what}`] : []));
  });
}

const stores = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => /[/-]store\.ts$/.test(name));

test("each statement on a table of people that Citus refuses has another form", () => {
  expect(stores.flatMap((file) => refusedIn(file, readFileSync(join(src, file), "utf8")))).toEqual([]);
});

test.each([
  [
    "export const f = (q) => q.query(sql`select id from deliveries limit 1 for update skip locked`);",
    ["a: f locks rows"],
  ],
  ["const f = () => sql`select from people where person_key = ${" + "key} for update`;", []],
  [
    "function f() {\n  const { lock } = choosing(q, sql`for update`, still);\n  return sql`select id from deliveries ${" +
      "lock}`;\n}",
    [],
  ],
  ["const f = sql`select from topics for update`;", []],
  ["const f = sql`select count(*) from (select from people limit 9) c`;", ["a: f counts a part without columns"]],
  [
    "const f = sql`select t.id from unnest($1) t (id) where exists (select from deliveries d where d.id = t.id)`;",
    ["a: f asks for each value"],
  ],
  ["const f = sql`select from deliveries d where d.ctid = t.place`;", ["a: f finds rows by position"]],
  [
    "const f = sql`select from people where person_key = any((select $1::uuid[])::uuid[])`;",
    ["a: f hides the keys in a subquery"],
  ],
  [
    "const f = sql`insert into people (person_key) select * from unnest($1::uuid[]) on conflict do nothing`;",
    ["a: f checks rows that it selects"],
  ],
])("in %j the forms are found", (text, found) => {
  expect(refusedIn("a", text)).toEqual(found);
});
