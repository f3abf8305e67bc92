import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmbedded } from "../../src/platform/embedded/index.ts";
import { testDatabase } from "../support/database.ts";
import { dataDir, freePort, type Running, serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// Counts that everyone gets exactly one delivery, even if processes are killed.

// Each takes a quarter of this on two cores while everything else runs.
vi.setConfig({ testTimeout: 240_000 });

/** 40 batches, of which five are held until the kill. More people would only repeat them. */
const PEOPLE = 20_000;

const secretKey = "tid_sec_crowd-test-key";
const env = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: "tid_pub_crowd-test-key",
  LOG_FORMAT: "json",
};

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // One of the tests stops the database while the client is connected.
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

const people = `
  insert into people (person_key, workspace_id, person_id, identified_at, created_at, updated_at)
  select gen_random_uuid(), (select id from workspaces), 'p' || n, now(), now(), now() from generate_series(1, ${PEOPLE}) as n`;

/** Sends a broadcast to everyone. Returns its id. */
async function sent({ address }: Running): Promise<string> {
  const call = async (path: string, body: object) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { id: string };
    expect(response.ok, JSON.stringify(answer)).toBe(true);
    return answer.id;
  };
  const message_id = await call("/in-app-messages", { name: "Crowd", render_type: "modal", body: "Hello" });
  const audience = { all: [] };
  const id = await call("/broadcasts", { name: "Crowd", channel: "in_app", audience, message_id });
  await call(`/broadcasts/${id}/send`, {});
  return id;
}

/** Waits until a fifth of it is done and keeps it there: it cannot end while the test locks some of its batches. */
async function inTheMiddle(client: pg.Client): Promise<void> {
  await client.query("begin");
  const held = "select from broadcast_pages limit 5 for update skip locked";
  await until(async () => (await client.query(held)).rowCount === 5, "pages");
  await until(async () => ((await progress(client))?.done ?? 0) > PEOPLE / 5, "a fifth of it", 120_000);
  expect((await progress(client))?.status).toBe("sending");
}

const progress = async (client: pg.Client) =>
  (await client.query<{ status: string; total: number; done: number }>("select status, total, done from broadcasts"))
    .rows[0];

/** Returns the counts of a finished broadcast: rows, people with a delivery, log entries, remaining batches. */
async function counted(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ counts: number[] }>(`
    with made as materialized (select count(*) as n, count(distinct person_key) as people from deliveries),
      logged as materialized (select count(queued_txid) as n from deliveries),
      left_over as materialized (select count(*) as n from broadcast_pages)
    select array[m.n, m.people, l.n, o.n]::integer[] as counts from made m, logged l, left_over o`);
  return rows[0]?.counts ?? [];
}

test("20,000 people get one delivery each from two workers, one of which is killed in the middle", async () => {
  const url = await testDatabase();
  const api = await serve({ ...env, DATABASE_URL: url, ROLES: "api" });
  const client = await connected(url);
  await client.query(people);
  const workers = await Promise.all([1, 2].map(() => serve({ ...env, DATABASE_URL: url, ROLES: "worker" })));
  await sent(api);
  await inTheMiddle(client);
  workers[0]?.kill("SIGKILL");
  await workers[0]?.exit;
  await client.query("rollback");
  await until(async () => (await progress(client))?.status === "sent", "the end", 150_000);
  expect(await progress(client)).toEqual({ status: "sent", total: PEOPLE, done: PEOPLE });
  expect(await counted(client)).toEqual([PEOPLE, PEOPLE, PEOPLE, 0]);
  for (const one of [api, workers[1]]) {
    one?.kill("SIGTERM");
    expect(await one?.exit).toBe(0);
  }
});

test("PostgreSQL is stopped at once in the middle and restarted: the broadcast continues, with one delivery each", async () => {
  const folder = await dataDir();
  const port = await freePort();
  // Durable as in production: committed rows must survive the stop.
  const first = await startEmbedded(folder, { port });
  const service = await serve({ ...env, DATABASE_URL: first.url, DATA_DIR: `${folder}/none` });
  const client = await connected(first.url);
  await client.query(people);
  await sent(service);
  await inTheMiddle(client);
  first.kill();
  await first.stop();

  const second = await startEmbedded(folder, { port });
  onTestFinished(() => second.stop());
  const after = await connected(second.url);
  await until(async () => (await progress(after))?.status === "sent", "the end", 120_000);
  expect(await progress(after)).toEqual({ status: "sent", total: PEOPLE, done: PEOPLE });
  expect(await counted(after)).toEqual([PEOPLE, PEOPLE, PEOPLE, 0]);
  expect(service.over()).toBe(false);
  service.kill("SIGTERM");
  expect(await service.exit).toBe(0);
});
