import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { inShards, NODE_REFUSES } from "../../../test/support/database/citus.ts";
import { testDatabase } from "../../../test/support/database.ts";
import { until } from "../../../test/support/wait.ts";
import { type Db, hadNoEffect, openDb, prepared, type Queries, sql } from "./index.ts";
import { onlyReads } from "./pool.ts";

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

test("a commit that is sent behind the last statements commits them", async () => {
  await db.transaction(async (tx) => {
    const both = Promise.all([tx.execute(insert(5)), tx.execute(insert(6))]);
    tx.commitBehind();
    await both;
  });
  expect(await notes()).toEqual([1, 2, 5, 6]);
});

test("a statement that fails before the commit behind it takes the others back, and the connection works on", async () => {
  const done: string[] = [];
  const failed = db.transaction(async (tx) => {
    tx.afterCommit(() => done.push("after"));
    const both = Promise.all([tx.execute(insert(7)), tx.execute(insert(1)), tx.execute(insert(8))]);
    tx.commitBehind();
    await both;
  });
  await expect(failed).rejects.toMatchObject({ code: "23505" });
  expect(await notes()).toEqual([1, 2, 5, 6]);
  expect(done).toEqual([]);
});

test("a statement after the commit that was sent is refused, and nothing is lost of those before", async () => {
  const late = db.transaction(async (tx) => {
    const first = tx.execute(insert(9));
    tx.commitBehind();
    await first;
    await tx.execute(insert(10));
  });
  await expect(late).rejects.toThrow("the transaction has ended");
  expect(await notes()).toEqual([1, 2, 5, 6, 9]);
});

test("of two kinds of work begun at once, one sends nothing more once the other has failed: the connection is somebody else's", async () => {
  const failed = Promise.withResolvers<void>();
  let rest: Promise<unknown> | undefined;
  const both = db.transaction((tx) => {
    rest = failed.promise.then(() => tx.execute(insert(10)));
    rest.catch(() => {});
    return Promise.all([tx.execute(insert(1)), rest]);
  });
  await expect(both).rejects.toMatchObject({ code: "23505" });
  failed.resolve();
  await expect(rest).rejects.toThrow("the transaction has ended");
  expect(await notes()).toEqual([1, 2, 5, 6, 9]);
});

test("a transaction with a failed statement fails, even if nobody passed the error on", async () => {
  const hidden = db.transaction(async (tx) => {
    await tx.execute(insert(11));
    await tx.execute(insert(1)).catch(() => {});
  });
  await expect(hidden).rejects.toThrow("ROLLBACK");
  expect(await notes()).toEqual([1, 2, 5, 6, 9]);
});

test("work that fails before its first statement leaves a connection that works", async () => {
  await expect(db.transaction(() => Promise.reject(new Error("early")))).rejects.toThrow("early");
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("each connection has its statement timeout and compiles no statement, also the one after a lost one", async () => {
  // The embedded PostgreSQL compiles none by itself.
  const url = new URL(await testDatabase());
  url.searchParams.set("options", "-c jit=on");
  const one = openDb({ url: url.href, connections: 1, signals: { publish: () => {} }, log: pino({ level: "silent" }) });
  onTestFinished(() => one.close());
  const settings = () =>
    one.query(sql`select current_setting('statement_timeout') as timeout, current_setting('jit') as jit`);
  expect(await settings()).toEqual([{ timeout: "15s", jit: "off" }]);
  await expect(one.query(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toMatchObject({
    code: "unavailable",
  });
  expect(await settings()).toEqual([{ timeout: "15s", jit: "off" }]);
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
  expect(await notes()).toEqual([1, 2, 5, 6, 9]);
});

test("a plan is kept for several calls, and made anew some time later: a table that grew is read by its index", async () => {
  const url = await testDatabase();
  const options = { url, connections: 1, signals: { publish: () => {} }, log: pino({ level: "silent" }) };
  const [keeping, forgetting] = [openDb(options), openDb({ ...options, plansLastMs: 50 })];
  onTestFinished(async () => void (await Promise.all([keeping.close(), forgetting.close()])));
  await keeping.execute(sql`create table growing (n integer primary key) with (autovacuum_enabled = off)`);
  await keeping.execute(sql`insert into growing values (1)`);
  await keeping.execute(sql`analyze growing`);
  const find = (on: Db) => on.query(prepared("test.find", sql`select n from growing where n = ${1}::integer`));
  const plan = async (on: Db) => JSON.stringify(await on.query(sql`explain execute "test.find" (1)`));
  for (const on of [keeping, forgetting]) {
    for (let i = 0; i < 8; i++) await find(on);
    const kept = await on.query(
      sql`select generic_plans > 0 as kept from pg_prepared_statements where name = 'test.find'`,
    );
    expect(kept).toEqual([{ kept: true }]);
  }
  await keeping.execute(sql`insert into growing select generate_series(2, 20000)`);
  await until(async () => (await plan(forgetting)).includes("Index"));
  expect(await plan(keeping)).toContain("Seq Scan");
});

test("a call after the close is a 503, because only a process that stops closes its connections", async () => {
  const closed = openDb({
    url: await testDatabase(),
    connections: 1,
    signals: { publish: () => {} },
    log: pino({ level: "silent" }),
  });
  await closed.close();
  const unavailable = { status: 503, code: "unavailable" };
  await expect(closed.query(sql`select 1`)).rejects.toMatchObject(unavailable);
  await expect(closed.transaction((tx) => tx.query(sql`select 1`))).rejects.toMatchObject(unavailable);
});

test("a statement that PostgreSQL works on may take long and does not count as a silent connection", async () => {
  const rows = await db.query(sql`select 1 as one from (select pg_sleep(1.5)) s`);
  expect(rows).toEqual([{ one: 1 }]);
});

test("a transaction without statements for long sends a sign of life, so that PostgreSQL does not end it", async () => {
  const url = await testDatabase();
  const other = openDb({ url, connections: 1, signals: { publish: () => {} }, log: pino({ level: "silent" }) });
  const watching = openDb({ url, connections: 1, signals: { publish: () => {} }, log: pino({ level: "silent" }) });
  onTestFinished(async () => void (await Promise.all([other.close(), watching.close()])));
  await other.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await until(async () => {
      const [row] = await watching.query<{ query: string }>(
        sql`select query from pg_stat_activity where pid = ${own?.pid} and state = 'idle in transaction'`,
      );
      return row?.query === "select 1";
    }, "a sign of life");
  });
});

test("where a node of a cluster refuses at once, a read and a transaction before its commit had no effect; a commit and a single write may have had", async () => {
  const text = `create function away() returns trigger language plpgsql as $$ begin ${NODE_REFUSES} end $$;
    create function asked(seconds float8) returns integer language plpgsql as
      $$ begin perform pg_sleep(seconds); ${NODE_REFUSES} end $$`;
  await db.execute({ text, values: [] });
  for (const [table, when] of [
    ["at_once", ""],
    ["at_commit", "initially deferred"],
  ]) {
    await db.execute({ text: `create table ${table} (n integer)`, values: [] });
    const text = `create constraint trigger away after insert on ${table} deferrable ${when} for each row execute function away()`;
    await db.execute({ text, values: [] });
  }
  const write = (table: string) => (q: Queries) => q.execute({ text: `insert into ${table} values (1)`, values: [] });
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const own = async () => (await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;
  const before = await own();
  const failures = [
    await failure(db.query(sql`select asked(0)`)),
    await failure(db.transaction(write("at_once"))),
    await failure(db.transaction(write("at_commit"))),
    await failure(write("at_once")(db)),
    // A node that is silent would let each of many wait.
    await failure(db.query(sql`select asked(1.1)`)),
  ];
  for (const error of failures)
    expect(error).toMatchObject({ status: 503, options: { headers: { "retry-after": "1" } } });
  expect(failures.map(hadNoEffect)).toEqual([true, true, false, false, false]);
  // A new connection takes 10 ms and more on a cluster, for each call that is tried alone.
  expect(await own()).toBe(before);
});

test("only statements that read are repeated on a new connection after a silence", () => {
  for (const text of ["select 1", "  with a as (select 1) select * from a", "select updated_at from t"])
    expect(onlyReads(text), text).toBe(true);
  for (const text of [
    "insert into t values (1)",
    "with a as (update t set n = 1 returning n) select * from a",
    "select n from t for update skip locked",
    "select pg_notify('a', 'b')",
  ])
    expect(onlyReads(text), text).toBe(false);
});

test.skipIf(!inShards)(
  "a statement on which a node of a cluster works for longer is not taken for silence",
  async () => {
    const log = pino({ level: "silent" });
    const cluster = openDb({
      url: await testDatabase(),
      connections: 1,
      signals: { publish: () => {} },
      log,
      distributed: true,
    });
    onTestFinished(() => cluster.close());
    const key = "00000000-0000-0000-0000-000000000001";
    await cluster.execute(sql`
    insert into activity (person_key, id, workspace_id, type, at) values (${key}, ${key}, ${key}, 'person.identified', now())`);
    expect(await cluster.query(sql`select pg_sleep(2) from activity where person_key = ${key}`)).toHaveLength(1);
  },
);
