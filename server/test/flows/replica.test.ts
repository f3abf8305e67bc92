import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { startEmbedded } from "../../src/platform/embedded/index.ts";
import { migrate } from "../../src/platform/db/index.ts";
import { memoryFolder } from "../support/memory/folder.ts";
import { testService } from "../support/service.ts";
import { atEnd, until } from "../support/wait.ts";

// A real primary and a real standby that streams from it: both are the PostgreSQL that npm installs. The standby's files are a copy.

vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);
const folder = await mkdtemp(join(memoryFolder(), "tidings-replica-"));
atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
const [ofPrimary, ofStandby] = [join(folder, "primary"), join(folder, "standby")];

const fresh = await startEmbedded(ofPrimary, { durable: false });
await migrate(fresh.url);
await fresh.stop();
await run("cp", ["-a", ofPrimary, ofStandby]);
await run("cp", ["-p", join(ofStandby, "postgres", "PG_VERSION"), join(ofStandby, "postgres", "standby.signal")]);
const settings = { wal_level: "replica", shared_buffers: "32MB" };
const primary = await startEmbedded(ofPrimary, { durable: false, settings });
atEnd(() => primary.stop());
const { port, password } = new URL(primary.url);
const follow = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
const standby = await startEmbedded(ofStandby, { durable: false, settings: { ...settings, primary_conninfo: follow } });
atEnd(() => standby.stop());

const it = await testService({
  databaseUrl: primary.url,
  env: {
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: standby.url,
    DATABASE_READ_LAG_SECONDS: "2",
    ENCRYPTION_KEY: Buffer.alloc(32, 4).toString("base64"),
  },
});

const onStandby = async (statement: string) => {
  const client = new pg.Client({ connectionString: standby.url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
};
const told = async () => (await it.call("GET", "/readyz", { key: null })).body.parts.replica as string;
/** Counts the people by a preview of an audience. */
async function count(): Promise<number> {
  const body = { filter: { attribute: "crew", op: "exists" } };
  const { status, body: answer } = await it.call("POST", "/api/v1/audiences/preview", { body });
  expect(status, JSON.stringify(answer)).toBe(200);
  return answer.count;
}
async function answeredBy(): Promise<Record<string, number>> {
  const text = await it.service.ground.metrics.registry.metrics();
  const found = text.matchAll(/^tidings_read_replica_statements_total\{from="(\w+)"\} (\d+)/gm);
  return Object.fromEntries([...found].map(([, from, n]) => [from, Number(n)]));
}
let people = 0;
const identify = async () => {
  const body = { person_id: `p${++people}`, attributes: { crew: true } };
  expect((await it.call("POST", "/data-gateway/v1/identify", { body })).status).toBe(200);
};

test("a replica answers previews, analytics and exports, and what is written is there a moment later", async () => {
  await until(async () => (await told()).startsWith("ok"), "the use of the replica");
  await identify();
  await until(async () => (await count()) === 1, "the person on the replica");
  const before = await answeredBy();
  expect((await it.call("GET", "/api/v1/analytics/metrics/export")).status).toBe(200);
  expect((await it.call("GET", "/api/v1/deliveries/export")).status).toBe(200);
  expect(await count()).toBe(1);
  const after = await answeredBy();
  expect(after.replica).toBeGreaterThan((before.replica ?? 0) + 1);
  expect(after.primary).toBe(before.primary);
  expect(await it.service.ground.metrics.registry.metrics()).toMatch(/^tidings_read_replica_lag_seconds [01]\./m);
});

test("beyond the bound the primary answers, what decides is never asked of the replica, and it returns when it has caught up", async () => {
  await onStandby("select pg_wal_replay_pause()");
  await identify();
  // Within the bound the replica may be a write behind. A broadcast is not refused for that.
  const audience = { attribute: "crew", op: "exists" };
  const content = { from: "a@acme.test", subject: "News", body: "<p>News</p>" };
  const made = await it.call("POST", "/api/v1/broadcasts", {
    body: { name: "N", channel: "email", audience, content },
  });
  expect((await it.call("POST", `/api/v1/broadcasts/${made.body.id}/send`, { body: {} })).status).toBe(200);
  await until(async () => (await told()).startsWith("not used"), "the refusal of the replica");
  expect(await count()).toBe(2);
  expect(await told()).toMatch(/^not used, \d+\.\d s behind$/);
  expect((await it.call("GET", "/readyz", { key: null })).status).toBe(200);
  await onStandby("select pg_wal_replay_resume()");
  await until(async () => (await told()).startsWith("ok"), "the return of the replica");
  expect(await count()).toBe(2);
});

test("a replica that dies costs no request, and is used again when it is back", async () => {
  const { port: standbyPort } = new URL(standby.url);
  await standby.stop();
  for (let i = 0; i < 5; i++) expect(await count()).toBe(2);
  await until(async () => (await told()).startsWith("not used"), "the refusal of the replica");
  await identify();
  expect(await count()).toBe(3);
  const again = await startEmbedded(ofStandby, {
    durable: false,
    port: Number(standbyPort),
    settings: { ...settings, primary_conninfo: follow },
  });
  atEnd(() => again.stop());
  await until(async () => (await told()).startsWith("ok"), "the return of the replica");
  expect(await count()).toBe(3);
});
