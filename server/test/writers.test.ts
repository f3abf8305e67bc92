import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// One slice writes each table, read from the SQL in the source. Other slices call it for a change in its table.

/** Tables with several writers, and the decision that allows them. */
const SHARED: Record<string, { writers: string[]; decision: string }> = {
  deliveries: { writers: ["activity", "inapp", "outbound"], decision: "0026-writers-of-deliveries.md" },
  // A restored database has its own transaction numbers, so webhooks begin at its end.
  webhooks: { writers: ["cli", "webhooks"], decision: "0022-backups-without-pg-dump.md" },
  export_cursors: { writers: ["cli", "outflow"], decision: "0022-backups-without-pg-dump.md" },
  // The demo removes the workspace that it created, with all of its rows.
  workspaces: { writers: ["cli", "workspaces"], decision: "0026-writers-of-deliveries.md" },
};

/** Files that write tables without naming them in the statement: the tables of their own slice, or those that `held` names. */
const BY_NAME = [
  "analytics/roll-up-store.ts",
  "cli/backup/store.ts",
  "cli/workspaces/temporary-workspace.ts",
  "workspaces/tenant/held-store.ts",
];

const root = fileURLToPath(new URL("../../", import.meta.url));
const src = join(root, "server/src");
const tables = new Set(
  [...readFileSync(join(root, "server/schema.sql"), "utf8").matchAll(/^create table (\w+) /gm)].map(
    ([, name = ""]) => name,
  ),
);

/** Returns the tables that a file writes, with "" for a name that the statement does not show. */
function writtenIn(text: string): Set<string> {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, "");
  const statements = code.matchAll(/\b(?:insert into|update|delete from|truncate|merge into|copy)\s+(\$\{|\w+)/g);
  const names = [...statements].map(([, name = ""]) => (name === "${" ? "" : name));
  const held = [...code.matchAll(/\bheld\("(\w+)"/g)].map(([, name = ""]) => name);
  return new Set([...names, ...held].filter((name) => name === "" || tables.has(name)));
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);
const written = new Map(files.map((file) => [file, writtenIn(readFileSync(join(src, file), "utf8"))]));

test.each([...tables].sort())("the table %s is written by one slice", (table) => {
  const writers = new Set(files.filter((file) => written.get(file)?.has(table)).map((file) => file.split("/")[0]));
  expect([...writers].sort()).toEqual(SHARED[table]?.writers ?? [expect.any(String)]);
});

test("a statement names the table that it writes, except where many tables are written in one way", () => {
  expect(files.filter((file) => written.get(file)?.has("")).sort()).toEqual(BY_NAME);
});

test("each table with several writers has a decision that says why", () => {
  const decisions = readdirSync(join(root, "docs/decisions"));
  for (const { decision } of Object.values(SHARED)) expect(decisions).toContain(decision);
});

test.each([
  ["insert into people (person_key) values (1)", ["people"]],
  [
    "with gone as (delete from outbox returning id)\n    update\n      deliveries set live = false",
    ["deliveries", "outbox"],
  ],
  [`delete from $\{raw(table)}`, [""]],
  ['held("events", { ids: {} })', ["events"]],
  ["select from people for update of people", []],
  ["// update people", []],
])("in %j the writes are found", (text, found) => {
  expect([...writtenIn(text)].sort()).toEqual(found);
});
