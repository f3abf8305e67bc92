import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { testDatabase } from "../../../test/support/database.ts";
import { atEnd, until } from "../../../test/support/wait.ts";
import { type Db, openDb, type Statement, sql } from "../db/index.ts";
import { dueWork } from "./due.ts";

const log = pino({ level: "silent" });
const db = openDb({ url: await testDatabase(), connections: 1, signals: { publish: () => {} }, log });
atEnd(() => db.close());
const start = new Date("2026-03-01T12:00:00.000Z");

/** Polls on a clock of its own, with the statements that they sent. */
function watched() {
  const statements: string[] = [];
  const clock = { at: start, now: () => clock.at };
  const seen = {
    ...db,
    query: <R>(statement: Statement) => {
      statements.push(statement.text);
      return db.query<R>(statement);
    },
  } as Db;
  return { clock, statements, polls: dueWork({ db: seen, clock, log }) };
}

test("one statement asks for the work of all loops, and wakes those that have some", async () => {
  const { clock, statements, polls } = watched();
  const woken: string[] = [];
  const at = (time: string) => (now: Date) => sql`${now}::timestamptz >= ${time}::timestamptz`;
  const ends = [
    polls.ask({ isDue: at("2026-03-01T12:00:00Z"), wake: () => woken.push("first") }),
    polls.ask({ isDue: at("2026-03-01T13:00:00Z"), wake: () => woken.push("second") }),
  ];
  await until(() => woken.length === 1, "the first poll");
  clock.at = new Date("2026-03-01T13:00:00.000Z");
  await until(() => woken.length === 3, "the second poll");
  expect(woken).toEqual(["first", "first", "second"]);
  expect(statements).toHaveLength(2);

  ends[0]?.();
  await until(() => woken.length === 4, "a poll without the question that ended");
  expect(woken.at(-1)).toBe("second");
  ends[1]?.();
});

test("a poll that fails is repeated", async () => {
  const { polls } = watched();
  let woken = 0;
  let asked = 0;
  const end = polls.ask({
    isDue: () => (asked++ === 0 ? sql`1 / 0 = 1` : sql`true`),
    wake: () => woken++,
  });
  await until(() => woken === 1, "the second poll");
  expect(asked).toBe(2);
  end();
});

test("polls that fail one after the other are told once", async () => {
  const warned = vi.spyOn(log, "warn");
  const { polls } = watched();
  let [woken, asked] = [0, 0];
  const end = polls.ask({ isDue: () => (asked++ < 2 ? sql`1 / 0 = 1` : sql`true`), wake: () => woken++ });
  await until(() => woken === 1, "the third poll");
  end();
  expect(warned.mock.calls.map(([, says]) => says)).toEqual(["due work could not be looked for"]);
  warned.mockRestore();
});
