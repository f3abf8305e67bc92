import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tablesOfPeople } from "./support/database/tables.ts";

// The rule of docs/decisions/0069-expand-then-contract.md: the processes of the version before work on the new schema, while they are replaced.

const folder = fileURLToPath(new URL("../migrations", import.meta.url));
const names = readdirSync(folder).sort();

/** A file that removes what the version before it no longer uses says so, with the release since which nothing uses it. */
const CONTRACT = /^-- contract: unused since v\d+\.\d+\.\d+$/m;
/** Tables with a row for each person, message or event: an index of them takes minutes, in which nobody could write. */
const LARGE = [...tablesOfPeople(), "webhook_deliveries", "broadcast_addresses", "suppressions", "idempotency_keys"];

/** Statements that the version before would notice, and what to do instead. */
const NOTICED: [RegExp, string][] = [
  [/\bdrop table\b/, "removes a table"],
  [/\bdrop column\b/, "removes a column"],
  [/\brename (?:column\b|to\b|\w+ to\b)/, "renames"],
  [/\balter column \w+ (?:set data )?type\b/, "changes the type of a column"],
  [/\bset not null\b/, "makes a column required"],
  [/\bdrop default\b/, "takes a default away"],
  [
    /\badd column (?:if not exists )?\w+ (?=[^,;]*\bnot null\b)(?![^,;]*\b(?:default|generated)\b)/,
    "adds a required column without a default",
  ],
  [
    /\badd (?:constraint \w+ )?(?:check|unique|primary key|foreign key|exclude)\b(?![^;]*\bnot valid\b)/,
    "adds a constraint that checks all rows under a lock",
  ],
];

/** Returns the statements of a file, without comments and bodies of functions, in small letters and with single spaces. */
const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");

/** Returns what of a migration the version before it would notice. */
function noticed(text: string): string[] {
  const statements = statementsOf(text);
  const made = new Set(
    statements.flatMap((one) => /^create (?:temp )?table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? []),
  );
  return statements.flatMap((statement) => {
    // Nobody names an index.
    if (/^(?:alter|drop) index\b/.test(statement)) return [];
    const table =
      /^(?:alter table (?:only )?(?:if exists )?|create (?:unique )?index (?:if not exists )?(?:\w+ )?on (?:only )?)(\w+)/.exec(
        statement,
      )?.[1];
    if (table !== undefined && made.has(table)) return [];
    const found = NOTICED.filter(([pattern]) => pattern.test(statement)).map(([, what]) => what);
    if (/^create unique index\b/.test(statement)) found.push("makes rows unique");
    if (/^create index (?!concurrently)/.test(statement) && LARGE.includes(table ?? ""))
      found.push("builds an index of a large table under a lock");
    return CONTRACT.test(text) && !/under a lock/.test(found.join())
      ? []
      : found.map((what) => `${what}: ${statement}`);
  });
}

describe("a migration", () => {
  test.each([
    "drop table topics",
    "alter table people drop column email",
    "alter table people rename column email to mail",
    "alter table topics rename to subjects",
    "alter table people alter column id type text",
    "alter table people alter column email set not null",
    "alter table people add column age integer not null",
    "alter table people add column b boolean, add column age integer not null",
    "alter table people add constraint adult check (age > 17)",
    "create unique index people_age on people (age)",
    "create index people_age on people (age)",
    "create index\n  deliveries_x on deliveries (id)",
    "create index if not exists people_age on people (age)",
    "create index people_age on only people (age)",
    "create index on audience_members (added_at)",
    "alter table people add check (age > 17)",
    "alter table people add unique (email)",
  ])("that does `%s` is noticed", (text) => {
    expect(noticed(`-- why\n${text};`)).toHaveLength(1);
  });

  test.each([
    "create table new (id uuid not null); alter table new add column n integer not null; create unique index on new (n)",
    "alter table people add column age integer not null default 0, add column b text",
    "alter table people add column age integer generated always as (1) stored not null",
    "-- concurrently\ncreate index concurrently people_age on people (age); alter index people_age rename to people_years",
    "alter table people add constraint adult check (age > 17) not valid",
    "-- contract: unused since v1.4.0\nalter table people drop column email",
    "create function f() returns trigger as $$ begin drop table x; end $$ language plpgsql",
  ])("that does `%s` is not", (text) => {
    expect(noticed(text)).toEqual([]);
  });

  // The ones before 0045 are older than the rule.
  test.each(names.filter((name) => name >= "0045"))("%s leaves the version before it at work", (name) => {
    expect(noticed(readFileSync(`${folder}/${name}`, "utf8"))).toEqual([]);
  });
});
