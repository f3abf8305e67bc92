import { expect, onTestFinished, test, vi } from "vitest";
import pg from "pg";
import { startEmbedded } from "../../src/platform/embedded/index.ts";
import { dataDir, freePort, serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// A start takes 2 s alone, and 10 s while all other tests run.
vi.setConfig({ testTimeout: 240_000 });

test("PostgreSQL restarted under load: the service recovers by itself, and nothing acknowledged is lost", async () => {
  const folder = await dataDir();
  const port = await freePort();
  // Durable as in production: acknowledged rows must survive the immediate shutdown below.
  let database = await startEmbedded(folder, { port });
  const service = await serve({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    DATA_DIR: `${folder}/none`,
  });

  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  let loading = true;
  let next = 0;
  async function load(): Promise<void> {
    while (loading) {
      const person = `person-${next++}`;
      const response = await fetch(`${service.address}/data-gateway/v1/identify`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.secretKey}`, "content-type": "application/json" },
        body: JSON.stringify({ person_id: person, attributes: { email: `${person}@example.com` } }),
      });
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 200) acknowledged.push(person);
      // A client that gets 503 waits before it repeats the call.
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  const workers = Array.from({ length: 16 }, load);
  // If the test fails before its end, nobody handles their errors.
  for (const worker of workers) worker.catch(() => {});
  onTestFinished(() => {
    loading = false;
  });
  const more = (count: number, what: string) => {
    const before = acknowledged.length;
    return until(() => acknowledged.length >= before + count, what);
  };

  await more(200, "load before the restart");
  await database.stop();
  await until(() => (statuses.get(503) ?? 0) > 0, "a 503 while the database is away");
  database = await startEmbedded(folder, { port });
  await more(200, "load after the restart");
  // Once more with an immediate shutdown: PostgreSQL recovers from its log.
  database.kill();
  await until(() => (statuses.get(503) ?? 0) > 20, "503s while the database is away");
  await database.stop();
  database = await startEmbedded(folder, { port });
  await more(200, "load after the crash");
  loading = false;
  await Promise.all(workers);

  expect([...statuses.keys()].toSorted()).toEqual([200, 503]);
  expect(service.over()).toBe(false);
  await until(async () => (await fetch(`${service.address}/readyz`)).status === 200, "readiness");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ lost: string }>(
    "select lost from unnest($1::text[]) as lost where not exists (select from people where person_id = lost)",
    [acknowledged],
  );
  await client.end();
  expect(rows).toEqual([]);
  service.kill("SIGTERM");
  expect(await service.exit).toBe(0);
  await database.stop();
});
