import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/database.ts";
import { type Db, openDb, prepared, sql } from "./index.ts";

let db: Db;
beforeAll(async () => {
  const url = await testDatabase();
  db = openDb({ url, connections: 1, signals: { publish: () => {} }, log: pino({ level: "silent" }) });
  await db.execute(sql`create table notes (n integer primary key)`);
});
afterAll(() => db.close());

const insert = (n: number) => prepared("test.insert", sql`insert into notes (n) values (${n})`);
const notes = async () => (await db.query<{ n: number }>(sql`select n from notes order by n`)).map((row) => row.n);

test("a statement is inside the transaction although the begin before it was not waited for", async () => {
  const failed = db.transaction(async (tx) => {
    await tx.execute(insert(1));
    throw new Error("changed my mind");
  });
  await expect(failed).rejects.toThrow("changed my mind");
  expect(await notes()).toEqual([]);
});

test("statements sent at once run in order, and one that fails takes the others back", async () => {
  const both = db.transaction((tx) => Promise.all([tx.execute(insert(1)), tx.execute(insert(1))]));
  await expect(both).rejects.toMatchObject({ code: "23505" });
  expect(await notes()).toEqual([]);
  await db.transaction((tx) => Promise.all([tx.execute(insert(1)), tx.execute(insert(2))]));
  expect(await notes()).toEqual([1, 2]);
});

test("work that fails before its first statement leaves a connection that works", async () => {
  await expect(db.transaction(() => Promise.reject(new Error("early")))).rejects.toThrow("early");
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("each connection has its statement timeout, also the one after a lost one", async () => {
  const timeout = () => db.query(sql`select current_setting('statement_timeout') as value`);
  expect(await timeout()).toEqual([{ value: "15s" }]);
  await expect(db.query(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toMatchObject({
    code: "unavailable",
  });
  expect(await timeout()).toEqual([{ value: "15s" }]);
});

test("a connection that ends inside a transaction is a 503, and the next call gets a new one", async () => {
  const cut = db.transaction((tx) =>
    Promise.all([
      tx.execute(insert(3)),
      tx.query(sql`select pg_terminate_backend(pg_backend_pid())`),
      tx.execute(insert(4)),
    ]),
  );
  await expect(cut).rejects.toMatchObject({ code: "unavailable" });
  expect(await notes()).toEqual([1, 2]);
});
