import { expect, test } from "vitest";
import { startJourney } from "../support/campaigns/journey.ts";
import { testDatabase } from "../support/database.ts";
import { serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// Two workers take people through a campaign, are killed, and lose their connections.

const PEOPLE = 1_500;
const secretKey = "tid_sec_campaign-crash-key";
const env = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: "tid_pub_campaign-crash-key",
  LOG_FORMAT: "json",
};

test("workers that are killed and lose their connections take everybody through each step once", async () => {
  const databaseUrl = await testDatabase();
  const start = (role: "api" | "worker") => serve({ ...env, DATABASE_URL: databaseUrl, ROLES: role });
  const api = await start("api");
  const journey = await startJourney({ databaseUrl, secretKey, api }, PEOPLE);
  await journey.join();

  // The first two workers are killed. The next two lose their connections, and one of them is killed.
  const two = () => Promise.all([start("worker"), start("worker")]);
  const first = await two();
  await journey.pay(journey.paying.slice(0, 250));
  await until(async () => (await journey.passed()) > 0.1 * PEOPLE, "the first steps");
  for (const one of first) one.kill("SIGKILL");
  await Promise.all(first.map((one) => one.exit));
  const [worker, killed] = await two();
  await journey.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await until(async () => (await journey.passed()) > 0.8 * PEOPLE, "more steps");
  killed.kill("SIGKILL");
  await journey.repeatEvents();
  await journey.end();
  worker.kill("SIGTERM");
  expect(await worker.exit).toBe(0);
  await journey.check();
  api.kill("SIGTERM");
  expect(await api.exit).toBe(0);
}, 240_000);
