import { createHash, randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/database.ts";
import { openDb } from "../db/index.ts";
import { Problem } from "../http/index.ts";
import { claim, forgetExpired, type Keyed, keep } from "./idempotency.ts";

const db = openDb({
  url: await testDatabase(),
  connections: 4,
  signals: { publish: () => {} },
  log: pino({ level: "silent" }),
});
afterAll(() => db.close());

const scope = randomUUID();
const now = new Date("2026-05-01T00:00:00Z");
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const keyed = (key: string, body = "body"): Keyed => ({
  scope,
  route: "POST /x",
  key,
  bodyHash: createHash("sha256").update(body).digest(),
});
const finish = (key: string, at = now) =>
  db.transaction(async (tx) => {
    const [earlier] = await claim(tx, [keyed(key)], at);
    if (!earlier) await keep(tx, [{ keyed: keyed(key), answer: { status: 201, body: { made: key } } }]);
    return earlier;
  });

test("the first claim is ours, and the second gets the first answer", async () => {
  expect(await finish("a")).toBeUndefined();
  expect(await finish("a")).toEqual({ status: 201, body: { made: "a" } });
});

test("another body with the same key is refused", async () => {
  await finish("b");
  const [answer] = await db.transaction((tx) => claim(tx, [keyed("b", "other")], now));
  expect(answer).toBeInstanceOf(Problem);
  expect((answer as Problem).code).toBe("idempotency_key_reused");
});

test("work that was rolled back leaves its key free", async () => {
  await expect(
    db.transaction(async (tx) => {
      await claim(tx, [keyed("c")], now);
      throw new Error("the work failed");
    }),
  ).rejects.toThrow("the work failed");
  expect(await finish("c")).toBeUndefined();
});

test("a key lives 24 hours: then it is free again, and the pruning forgets it", async () => {
  await finish("d");
  expect(await finish("d", later(23))).toEqual({ status: 201, body: { made: "d" } });
  expect(await finish("d", later(24))).toBeUndefined();
  await finish("e", later(-48));
  expect(await forgetExpired(db, later(-1))).toBe(1);
  expect(await finish("d", later(25))).toEqual({ status: 201, body: { made: "d" } });
});

test("of many claims of one key at once exactly one is ours, and the others wait for its answer", async () => {
  const results = await Promise.all(Array.from({ length: 4 }, () => finish("parallel")));
  expect(results.filter((result) => result === undefined)).toHaveLength(1);
  expect(results.filter((result) => result !== undefined)).toEqual(
    Array(3).fill({ status: 201, body: { made: "parallel" } }),
  );
});
