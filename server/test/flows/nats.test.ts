import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../support/database.ts";
import { haveNats, natsCluster, type NatsServer } from "../support/network/nats.ts";
import { type Running, serve, tidings } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// Two api processes and one worker, on one database and a cluster of three nats-servers, which are killed
// one after the other while applications have open streams and get messages.

vi.setConfig({ testTimeout: 360_000 });

const databaseUrl = await testDatabase();
const secretKey = "tid_sec_nats-cluster-test";
const publicKey = "tid_pub_nats-cluster-test";
const SYNC = "/data-gateway/v1/in-app/messages";
/** How often an application polls. */
const POLL_MS = 2_000;

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

/** An application: syncs when its stream opens, on each event, and on its poll. Records which of these showed a message first. */
function application(node: Running, personId: string) {
  const seen = new Map<string, "hint" | "poll">();
  const ended = new AbortController();
  const { signal } = ended;
  const failures: unknown[] = [];
  async function sync(by: "hint" | "poll"): Promise<void> {
    const url = `${node.address}${SYNC}/sync?person_id=${personId}&limit=50&api_key=${publicKey}`;
    const messages = (await (await fetch(url, { signal })).json()) as { delivery_id: string }[];
    for (const { delivery_id: id } of messages) {
      if (seen.has(id)) continue;
      seen.set(id, by);
      await call(node, `POST ${SYNC}/${id}/dismiss`, { person_id: personId }, publicKey);
    }
  }
  // An error after the end of the test is no failure.
  const quiet = (work: Promise<void>) => void work.catch((error) => signal.aborted || failures.push(error));
  let polls = true;
  const poll = setInterval(() => polls && quiet(sync("poll")), POLL_MS);
  async function listen(): Promise<void> {
    const url = `${node.address}${SYNC}/stream?person_id=${personId}&api_key=${publicKey}`;
    const response = await fetch(url, { signal });
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk, { stream: true });
      if (text.includes("event: sync") || text.includes(": connected")) quiet(sync("hint"));
    }
  }
  quiet(listen());
  return {
    seen,
    failures,
    /** Whether it polls too; otherwise it waits for events. */
    poll(on: boolean) {
      polls = on;
    },
    stop() {
      clearInterval(poll);
      ended.abort();
    },
  };
}

/** Polls readiness all the time and keeps every answer that contradicts itself. */
function watcher(nodes: Running[]) {
  const lies: unknown[] = [];
  const states = nodes.map(() => ({ ready: 0, notReady: 0 }));
  let watching = true;
  const done = Promise.all(
    nodes.map(async (node, i) => {
      while (watching) {
        const { status, body } = await call(node, "GET /readyz");
        const { database, nats, shutdown } = body.parts;
        const well = database === "ok" && shutdown === "ok" && nats === "ok";
        if (status !== (well ? 200 : 503) || body.status !== (well ? "ready" : "not_ready")) lies.push(body);
        const state = states[i] as { ready: number; notReady: number };
        if (well) state.ready++;
        else state.notReady++;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }),
  );
  done.catch(() => {});
  return {
    lies,
    states,
    async stop() {
      watching = false;
      await done;
    },
  };
}

/** What the process says about signals to Prometheus. */
async function signalsOf(node: Running): Promise<string | undefined> {
  const text = await (await fetch(`${node.address}/metrics`)).text();
  return /^tidings_signals_connected (\d)$/m.exec(text)?.[1];
}

const allReady = (nodes: Running[]) => async () =>
  (await Promise.all(nodes.map((node) => call(node, "GET /readyz")))).every(({ status }) => status === 200);

async function killed(server: NatsServer): Promise<void> {
  server.child.kill("SIGKILL");
  await until(() => server.child.signalCode !== null, "the end of nats-server");
}

test.skipIf(!haveNats)("nats-servers are killed under load, and no application misses a message", async () => {
  const servers = await natsCluster(3, onTestFinished);
  const env = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 5).toString("base64"),
    BOOTSTRAP_SECRET_KEY: secretKey,
    BOOTSTRAP_PUBLIC_KEY: publicKey,
    NATS_URL: servers.map(({ url }) => url).join(","),
    LOG_FORMAT: "json",
    LOG_LEVEL: "info",
  };
  const nodes = await Promise.all(["api", "api", "worker"].map((ROLES) => serve({ ...env, ROLES })));
  const [a, b] = nodes as [Running, Running, Running];
  await until(allReady(nodes), "readiness");
  const watched = watcher(nodes);
  const made = await call(a, "POST /api/v1/in-app-messages", { name: "n", render_type: "modal", body: "b" });

  // A message that is sent through one process must be announced on the other: NATS carries that.
  const people = Array.from({ length: 12 }, (_, i) => ({
    id: `person-${i}`,
    node: i % 2 ? a : b,
    other: i % 2 ? b : a,
  }));
  const apps = people.map(({ id, node }) => application(node, id));
  const sights: { by: string; at: number }[] = [];
  let loading = true;
  const load = Promise.all(
    people.map(async ({ id, other }, i) => {
      await call(other, "POST /data-gateway/v1/identify", { person_id: id });
      while (loading) {
        const sent = await call(other, `POST /api/v1/in-app-messages/${made.body.id}/test-sends`, { person_id: id });
        const at = performance.now();
        expect(sent.status).toBe(202);
        const by = await until(() => apps[i]?.seen.get(sent.body.delivery_id), "the sight of a message");
        sights.push({ by, at });
      }
    }),
  );
  // If the test fails before its end, nothing continues in the background: nobody would handle its errors.
  load.catch(() => {});
  onTestFinished(() => {
    loading = false;
    for (const app of apps) app.stop();
  });
  const hinted = (since: number) => sights.filter(({ by, at }) => by === "hint" && at > since);
  const lively = (what: string) => {
    const since = performance.now();
    return until(() => hinted(since).length >= 100, what);
  };

  await lively("hints before anything is killed");
  for (const [i, server] of servers.entries()) {
    await killed(server);
    await until(allReady(nodes), "readiness after a server was killed");
    await lively(`hints without server ${i}`);
    await server.again();
  }
  loading = false;
  await load;

  expect(watched.lies).toEqual([]);
  // Each process was connected to one of the three, so each lost its connection at least once and found another.
  for (const node of nodes) expect(node.output()).toContain("the connection to NATS was lost");
  expect(apps.flatMap((app) => app.failures)).toEqual([]);

  // Without any server: every process reports it, and messages still arrive with the next poll of applications on the other process.
  await Promise.all(servers.map(killed));
  for (const node of nodes) {
    const answer = await until(async () => {
      const readyz = await call(node, "GET /readyz");
      return readyz.status === 503 ? readyz : undefined;
    }, "the 503");
    expect(answer.body).toEqual({
      status: "not_ready",
      parts: { database: "ok", nats: "does not answer", providers: "ok", shutdown: "ok" },
    });
    expect((await call(node, "GET /healthz")).status).toBe(200);
    expect(await signalsOf(node)).toBe("0");
  }
  const ill = tidings(["doctor"], { env });
  expect(await ill.exit).toBe(1);
  expect(ill.output()).toMatch(/FAIL {2}nats: none of 127\.0\.0\.1:\d+/);
  const [first] = people as [(typeof people)[number]];
  const url = `/api/v1/in-app-messages/${made.body.id}/test-sends`;
  const sent = await call(first.other, `POST ${url}`, { person_id: first.id });
  await until(() => apps[0]?.seen.has(sent.body.delivery_id), "the next poll");
  // The worker finds an email by its poll: nothing told it that there is one.
  const email = { identifiers: { email: "ada@example.org" }, subject: "S", body: "B" };
  const triggered = await call(a, "POST /data-gateway/transactionals/email", email);
  expect(triggered.status).toBe(202);
  const delivery = `GET /api/v1/deliveries/${triggered.body.delivery_id}`;
  await until(async () => (await call(a, delivery)).body.status === "sent", "the email's sending");
  // What a process wanted to tell the others meanwhile waits, and is told when a server is back: these applications do not poll any more.
  for (const app of apps) app.poll(false);
  const late = await Promise.all(
    people.map(async ({ id, other }) => (await call(other, `POST ${url}`, { person_id: id })).body.delivery_id),
  );

  await servers[1]?.again();
  await until(allReady(nodes), "readiness with one server again");
  await until(() => apps.every(({ seen }, i) => seen.get(late[i] as string) === "hint"), "the late hints");
  for (const node of nodes) {
    expect(await signalsOf(node)).toBe("1");
    expect(node.output()).toMatch(/"seconds":[\d.]+,"msg":"connected to NATS again"/);
  }
  const well = tidings(["doctor"], { env });
  expect(await well.exit).toBe(0);
  expect(well.output()).toMatch(/ok {4}nats: nats-server [\d.]+ at 127\.0\.0\.1:\d+ answers/);

  await watched.stop();
  expect(watched.lies).toEqual([]);
  for (const state of watched.states) {
    expect(state.ready).toBeGreaterThan(0);
    expect(state.notReady).toBeGreaterThan(0);
  }
  for (const app of apps) app.stop();
  for (const node of nodes) node.kill("SIGTERM");
  expect(await Promise.all(nodes.map((node) => node.exit))).toEqual([0, 0, 0]);
});
