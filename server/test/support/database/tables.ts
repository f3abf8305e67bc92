import { readFileSync } from "node:fs";

/** Returns the tables whose primary key has the person's key: they have rows for each person, and on Citus they are in shards. */
export const tablesOfPeople = (): string[] =>
  [
    ...readFileSync(new URL("../../../schema.sql", import.meta.url), "utf8").matchAll(
      /^create table (\w+) \([^;]*PRIMARY KEY \([^)]*\bperson_key\b/gm,
    ),
  ].map(([, name]) => name as string);
