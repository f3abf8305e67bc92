import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// Two processes send a broadcast and are killed repeatedly: everyone gets exactly one delivery.

const PEOPLE = 6_000;
const databaseUrl = await testDatabase();
const secretKey = "tid_sec_fanout-test-key";
const env = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: "tid_pub_fanout-test-key",
  LOG_FORMAT: "json",
};

test("workers killed in the middle of a broadcast leave nobody out and send to nobody twice", async () => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const one = async (text: string) => Object.values((await client.query(text)).rows[0] as object)[0] as number;
  const made = () => one("select count(*)::int from deliveries where source = 'broadcast'");

  const api = await serve({ ...env, ROLES: "api" });
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${api.address}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, never>;
    expect(response.ok, JSON.stringify(answer)).toBe(true);
    return answer;
  };
  await client.query(`
    insert into people (person_key, workspace_id, person_id, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), (select id from workspaces), 'p' || n, jsonb_build_object('name', 'Name ' || n), now(), now(), now()
    from generate_series(1, ${PEOPLE}) as n`);
  const message = await call("POST", "/in-app-messages", {
    name: "Fan-out",
    render_type: "modal",
    body: "Hello {{person.name}}",
  });
  const draft = await call("POST", "/broadcasts", {
    name: "Fan-out",
    channel: "in_app",
    audience: { all: [] },
    message_id: message.id,
  });
  await call("POST", `/broadcasts/${draft.id}/send`);

  // Each pair is killed at another point: one while the audience is collected, the others between and within batches.
  for (const share of [0, 0.3]) {
    const pair = await Promise.all([serve({ ...env, ROLES: "worker" }), serve({ ...env, ROLES: "worker" })]);
    const past =
      share === 0
        ? async () => (await one("select count(*)::int from broadcast_pages")) > 0
        : async () => (await made()) > PEOPLE * share;
    await until(async () => (await past()) || (await made()) === PEOPLE, "the fan-out");
    for (const worker of pair) worker.kill("SIGKILL");
    await Promise.all(pair.map((worker) => worker.exit));
  }
  const last = await serve({ ...env, ROLES: "worker" });
  await until(
    async () => (await one("select count(*)::int from broadcasts where status = 'sent'")) === 1,
    "the end",
    60_000,
  );
  last.kill("SIGTERM");
  expect(await last.exit).toBe(0);

  expect(await made()).toBe(PEOPLE);
  expect(await one("select count(distinct person_key)::int from deliveries where source = 'broadcast'")).toBe(PEOPLE);
  expect(await one("select count(queued_txid)::int from deliveries")).toBe(PEOPLE);
  expect(await one("select count(*)::int from broadcast_pages")).toBe(0);
  expect(await call("GET", `/broadcasts/${draft.id}`)).toMatchObject({
    status: "sent",
    progress: { total: PEOPLE, done: PEOPLE },
  });
  expect(await call("GET", `/broadcasts/${draft.id}/metrics`)).toMatchObject({ sent: PEOPLE, failed: 0 });
  api.kill("SIGTERM");
  expect(await api.exit).toBe(0);
}, 240_000);
