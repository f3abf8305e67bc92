import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { type Running, serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// Two real server processes on one database, as on two machines behind a load balancer.

const databaseUrl = await testDatabase();
const emptyDatabaseUrl = await testDatabase();
const secretKey = "tid_sec_two-processes-test";
const publicKey = "tid_pub_two-processes-test";
const env = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: publicKey,
  LOG_FORMAT: "json",
  BOOTSTRAP_ADMIN_EMAIL: "ada@example.org",
  BOOTSTRAP_ADMIN_PASSWORD: "correct horse battery",
};

/** Calls a node. `route` is a method and a path. */
async function call(node: Running, route: string, body?: unknown, key = secretKey) {
  const [method, path] = route.split(" ") as [string, string];
  const response = await fetch(node.address + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

/** Opens a stream and collects its events. */
async function listen(node: Running, personId: string) {
  const ended = new AbortController();
  const response = await fetch(
    `${node.address}/data-gateway/v1/in-app/messages/stream?person_id=${personId}&api_key=${publicKey}`,
    {
      signal: ended.signal,
    },
  );
  const heard = { text: "", stop: () => ended.abort() };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk, { stream: true });
  })().catch(() => {});
  await until(() => heard.text.startsWith(": connected"), "the first line of the stream");
  return heard;
}

/** A session that ends at one process is over at the other one, which has used it a moment before. */
async function refusesAtOnce(a: Running, b: Running): Promise<void> {
  const page = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const signedIn = await fetch(`${a.address}/api/v1/session`, {
    method: "POST",
    headers: page,
    body: JSON.stringify({ email: env.BOOTSTRAP_ADMIN_EMAIL, password: env.BOOTSTRAP_ADMIN_PASSWORD }),
  });
  const headers = { ...page, cookie: (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
  const status = async (node: Running) => (await fetch(`${node.address}/api/v1/session`, { headers })).status;
  expect([await status(a), await status(b)]).toEqual([200, 200]);
  await fetch(`${a.address}/api/v1/session`, { method: "DELETE", headers });
  const began = performance.now();
  expect(await status(a)).toBe(401);
  await until(async () => (await status(b)) === 401, "the end of the session at the other process");
  // The signal ends it; without one, the other process would believe what it knows for up to 0.9 s.
  expect(performance.now() - began).toBeLessThan(3_000);
}

test("a message that one process queues is announced on the stream of the other, and each sees the other's changes", async () => {
  const [a, b] = await Promise.all([serve({ ...env, ROLES: "api" }), serve({ ...env, ROLES: "api,worker" })]);
  await call(a, "POST /data-gateway/v1/identify", { person_id: "ada" });
  const message = await call(b, "POST /api/v1/in-app-messages", {
    name: "Hello",
    render_type: "modal",
    body: "Hello",
  });
  expect(message.status).toBe(201);

  const [onA, onB, others] = await Promise.all([listen(a, "ada"), listen(b, "ada"), listen(a, "grace")]);
  const sent = await call(b, `POST /api/v1/in-app-messages/${message.body.id}/test-sends`, { person_id: "ada" });
  expect(sent.status).toBe(202);
  for (const heard of [onA, onB]) {
    await until(() => heard.text.includes("event: sync"), "the event");
    expect(heard.text).toContain(`"delivery_id":"${sent.body.delivery_id}"`);
  }
  expect(others.text).not.toContain("event: sync");

  const sync = (node: Running) =>
    call(node, "GET /data-gateway/v1/in-app/messages/sync?person_id=ada", undefined, publicKey);
  expect((await sync(a)).body).toMatchObject([{ delivery_id: sent.body.delivery_id }]);
  await call(
    b,
    `POST /data-gateway/v1/in-app/messages/${sent.body.delivery_id}/impression`,
    { person_id: "ada" },
    publicKey,
  );
  expect((await sync(a)).body).toEqual([]);

  // A key that is revoked on one process is refused by the other.
  const made = await call(a, "POST /api/v1/api-keys", { kind: "public" });
  expect(
    (await call(b, "GET /data-gateway/v1/in-app/messages/sync?person_id=ada", undefined, made.body.key)).status,
  ).toBe(200);
  await call(a, `DELETE /api/v1/api-keys/${made.body.id}`);
  const gone = () => call(b, "GET /data-gateway/v1/in-app/messages/sync?person_id=ada", undefined, made.body.key);
  await until(async () => (await gone()).status === 401, "the end of the key");

  await refusesAtOnce(a, b);
  for (const heard of [onA, onB, others]) heard.stop();
  for (const node of [a, b]) node.kill("SIGTERM");
  expect(await Promise.all([a.exit, b.exit])).toEqual([0, 0]);
});

test("two processes that start at once on an empty database create one workspace", async () => {
  const nodes = await Promise.all([
    serve({ ...env, DATABASE_URL: emptyDatabaseUrl }),
    serve({ ...env, DATABASE_URL: emptyDatabaseUrl }),
  ]);
  for (const node of nodes) expect((await call(node, "GET /api/v1/workspace")).status).toBe(200);
  const keys = await call(nodes[0], "GET /api/v1/api-keys");
  expect(keys.body.data).toHaveLength(2);
  for (const node of nodes) node.kill("SIGTERM");
  expect(await Promise.all(nodes.map((node) => node.exit))).toEqual([0, 0]);
});
