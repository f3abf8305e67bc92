import pino from "pino";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/support/database.ts";
import { openDb, type Tx } from "../db/index.ts";
import { toProblem } from "./app.ts";

const log = pino({ level: "silent" });

test("a call that PostgreSQL ends because of a deadlock is 503, and may be repeated", async () => {
  const db = openDb({ url: await testDatabase(), connections: 3, signals: { publish: () => {} }, log, name: "test" });
  const lock = (tx: Tx, key: number) => tx.query({ text: "select pg_advisory_xact_lock($1)", values: [key] });
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  const inOrder = (first: number, second: number) =>
    db.transaction(async (tx) => {
      await lock(tx, first);
      if (++holding === 2) bothHold.resolve();
      await bothHold.promise;
      await lock(tx, second);
    });
  const ends = await Promise.allSettled([inOrder(1, 2), inOrder(2, 1)]);
  await db.close();
  const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  expect(errors).toHaveLength(1);
  const problem = toProblem(errors[0], log, { id: "r" } as never);
  expect(problem).toMatchObject({ status: 503, code: "unavailable", options: { headers: { "retry-after": "1" } } });
});
