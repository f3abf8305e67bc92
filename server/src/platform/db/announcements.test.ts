import { pino } from "pino";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/database.ts";
import { Announcements, announced, type InTransaction, listen } from "./announcements.ts";
import { openDb } from "./pool.ts";
import { sql, type Tx } from "./sql.ts";

interface Came {
  workspaceId: string;
  name: string;
}
const CAME = announced<Came>("test.came");

const announcements = new Announcements();
const signals: string[][] = [];
const db = openDb({
  url: await testDatabase(),
  connections: 2,
  signals: { publish: (topic, items) => void signals.push([topic, ...items]) },
  log: pino({ level: "silent" }),
  announcements,
});
afterAll(() => db.close());

const taking: InTransaction<Came> = {
  hears: "in the transaction",
  cares: ({ name }) => name !== "dull",
  async take(tx, batch) {
    for (const { name } of batch) {
      if (name === "bad") throw new Error("refused");
      await tx.execute(sql`insert into taken (name) values (${name})`);
    }
  },
};
await db.execute(sql`create table came (name text)`);
await db.execute(sql`create table taken (name text)`);

const names = async (table: "came" | "taken") =>
  (await db.query<{ name: string }>(table === "came" ? sql`select name from came` : sql`select name from taken`)).map(
    ({ name }) => name,
  );
const come = (tx: Tx, name: string) => {
  const written = tx.execute(sql`insert into came (name) values (${name})`);
  const heard = tx.announce(CAME, ["w1"], () => [{ workspaceId: "w1", name }]);
  return Promise.all([written, heard]);
};

beforeEach(async () => {
  signals.length = 0;
  await db.execute(sql`truncate came, taken`);
});

test("without a listener the batch is not built", async () => {
  expect(db.isTaken(CAME, () => expect.fail("made"))).toBe(false);
  await db.transaction(async (tx) => {
    expect(tx.announce(CAME, ["w1"], () => expect.fail("made"))).toBeUndefined();
  });
  expect(signals).toEqual([]);
});

test("a listener in the transaction takes the rows that concern it, and its failure fails the transaction", async () => {
  announcements.connect([listen(CAME, taking), listen(CAME, { hears: "by a queued row", wakes: "test.wake" })]);
  const isTaken = (...came: string[]) => db.isTaken(CAME, () => came.map((name) => ({ workspaceId: "w1", name })));
  expect([isTaken("dull"), isTaken(), isTaken("dull", "ada")]).toEqual([false, false, true]);
  await db.transaction((tx) => come(tx, "ada"));
  await db.transaction((tx) => come(tx, "dull"));
  await expect(db.transaction((tx) => come(tx, "bad"))).rejects.toThrow("refused");
  expect(await names("came")).toEqual(["ada", "dull"]);
  expect(await names("taken")).toEqual(["ada"]);
});

test("a listener with a queued row is woken after the commit, and not after a rollback", async () => {
  await db.transaction(async (tx) => {
    await come(tx, "eve");
    expect(signals).toEqual([]);
  });
  expect(signals).toEqual([["test.wake", "w1"]]);
  await expect(db.transaction((tx) => come(tx, "bad"))).rejects.toThrow("refused");
  expect(signals).toHaveLength(1);
  db.wake(CAME, ["w2"]);
  expect(signals.at(-1)).toEqual(["test.wake", "w2"]);
});

test("a commit that is sent behind its statements waits for a listener that has work", async () => {
  await db.transaction(async (tx) => {
    const heard = come(tx, "late");
    tx.commitBehind();
    await heard;
  });
  expect(await names("taken")).toEqual(["late"]);
});

test("facts that were announced before PostgreSQL said which were written are taken if they were", async () => {
  const announce = (written: Promise<(one: Came) => boolean>) =>
    db.transaction(async (tx) =>
      tx.announce(
        CAME,
        ["w1"],
        () => ["ada", "eve"].map((name) => ({ workspaceId: "w1", name })),
        () => written,
      ),
    );
  await announce(Promise.resolve(({ name }) => name === "eve"));
  await announce(Promise.resolve(() => false));
  await expect(announce(Promise.reject(new Error("not written")))).rejects.toThrow("not written");
  expect(await names("taken")).toEqual(["eve"]);
});

/** A listener that says that its insert is its last statement, and then whether it could still send another one. */
const saysLast = (name: string, could: string[]): InTransaction<Came> => ({
  hears: "in the transaction",
  cares: () => true,
  async take(tx) {
    const taken = tx.execute(sql`insert into taken (name) values (${name})`);
    tx.commitBehind();
    await taken;
    await tx.query(sql`select`).then(
      () => could.push(name),
      () => {},
    );
  },
});

test("the commit goes out behind the last statement of the last listener, if nothing of the caller follows", async () => {
  const could: string[] = [];
  const LAST = announced<Came>("test.last");
  announcements.connect(["first", "last"].map((name) => listen(LAST, saysLast(name, could))));
  const announce = (callerGoesOn: boolean) =>
    db.transaction(async (tx) => {
      const heard = tx.announce(LAST, [], () => [{ workspaceId: "w1", name: "ada" }]);
      if (!callerGoesOn) tx.commitBehind();
      await heard;
    });
  await announce(false);
  expect(could).toEqual(["first"]);
  await announce(true);
  expect(could).toEqual(["first", "first", "last"]);
  expect(await names("taken")).toEqual(["first", "last", "first", "last"]);
});
