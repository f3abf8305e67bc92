import pino from "pino";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/support/database.ts";
import { openDb } from "../db/index.ts";
import { type Job, startJobs } from "./jobs.ts";

const log = pino({ level: "silent" });
const url = await testDatabase();
const job = (name: string): Job => ({ name, cron: "0 0 1 1 *", run: async () => {} });

test("a job that a later version no longer has is not scheduled any more", async () => {
  const db = openDb({ url, connections: 1, signals: { publish: () => {} }, log, name: "test" });
  const scheduled = async () =>
    (await db.query<{ name: string }>({ text: "select name from pgboss.schedule order by name", values: [] })).map(
      ({ name }) => name,
    );
  await (await startJobs(url, [job("cats.feed.v1"), job("cats.wash.v1")], log)).stop();
  expect(await scheduled()).toEqual(["cats.feed.v1", "cats.wash.v1"]);
  await (await startJobs(url, [job("cats.feed.v2"), job("cats.wash.v1")], log)).stop();
  expect(await scheduled()).toEqual(["cats.feed.v2", "cats.wash.v1"]);
  await db.close();
});
