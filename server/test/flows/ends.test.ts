import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withoutDeadlock } from "../../src/platform/db/index.ts";
import { testDatabase } from "../support/database.ts";
import { type RawSmtp, rawSmtp } from "../support/mail/raw-smtp.ts";
import { type Running, serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// Each 202 leads to exactly one outcome, at whatever point of a send the process is killed (kill -9, a real process). The mail server gets
// at most as many copies as a process has connections to one provider, each with the Message-ID of the first.

const MESSAGES = 40;
/** Of providers/smtp.ts. */
const CONNECTIONS = 8;
/** Deliveries of open attempts whose outcome is not written yet: connection.ts. */
const OPEN = 2 * CONNECTIONS;
const ENDS = ["sent", "failed", "suppressed", "canceled"];

const databaseUrl = await testDatabase();
const secretKey = "tid_sec_ends-test-key";
const env = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: "tid_pub_ends-test-key",
  LOG_FORMAT: "json",
  ALLOW_PRIVATE_NETWORK: "true",
};
const client = new pg.Client({ connectionString: databaseUrl });
beforeAll(() => client.connect());
afterAll(() => client.end());

async function call(at: Running, method: string, path: string, body?: unknown) {
  const response = await fetch(at.address + path, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

/** The process that took over from a killed one sends for the next test, too: a start takes 1 s of CPU. */
let running: Running | undefined;
async function start(): Promise<Running> {
  running = await serve({ ...env, ROLES: "api,worker" }, { outlivesTest: true });
  return running;
}
afterAll(async () => {
  running?.kill("SIGTERM");
  expect(await running?.exit).toBe(0);
}, 20_000);

/** Makes this server the only provider, and creates a transactional. */
async function stage(smtp: RawSmtp, atMostOnce: boolean) {
  const service = running?.over() === false ? running : await start();
  const { rows } = await client.query("delete from providers returning id");
  expect(rows.length).toBeLessThanOrEqual(1);
  const settings = { host: "127.0.0.1", port: smtp.port };
  await call(service, "POST", "/api/v1/providers", { name: "S", channel: "email", kind: "smtp", settings });
  const made = await call(service, "POST", "/api/v1/transactionals", {
    name: "Code",
    channel: "email",
    subscription_preference: "all",
    at_most_once: atMostOnce,
    content: { from: "a@acme.test", subject: "S", body: "{{trigger.body}}" },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { service, transactional: made.body.id as string };
}

async function triggerAll(at: Running, transactional: string, body = "B"): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: MESSAGES }, (_, i) =>
      call(at, "POST", "/data-gateway/transactionals/email", {
        transactional_message_id: transactional,
        identifiers: { email: `p${i}@example.test` },
        message_data: { body },
      }),
    ),
  );
  for (const answer of answers) expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answers.map((answer) => answer.body.delivery_id);
}

/** Starts another process. The dead one's leases end within 60 s; the test ends them at once. */
async function takeOver(smtp: RawSmtp, dead: Running): Promise<Running> {
  await dead.exit;
  smtp.step = () => {};
  // In shards, what the dead process had under way may still hold rows that this needs, and need rows that this holds.
  await withoutDeadlock(() => client.query("update deliveries set due_at = now() where lease_id is not null"));
  return start();
}

/** Returns each delivery's outcome, once all have one. Retries that are due later are made due. */
async function endsOf(at: Running, ids: string[]) {
  const logs = new Map<string, { status: string; reason: string | null; events: { type: string; data: object }[] }>();
  await until(
    async () => {
      await client.query("update deliveries set due_at = now() where lease_id is null and due_at > now()");
      const { rowCount } = await client.query("select from deliveries where status <> all ($1) limit 1", [ENDS]);
      return rowCount === 0;
    },
    "an end of each delivery",
    60_000,
  );
  for (const id of ids) logs.set(id, (await call(at, "GET", `/api/v1/deliveries/${id}`)).body);
  for (const [id, { status, events }] of logs) {
    const ends = events.filter((event) => ENDS.some((end) => event.type === `email.${end}`));
    expect(
      ends.map((event) => event.type),
      id,
    ).toEqual([`email.${status}`]);
    if (status === "sent")
      expect(ends[0]?.data, id).toMatchObject({ provider: "smtp", provider_message_id: `250 taken as ${id}` });
  }
  return logs;
}

const never = () => new Promise<void>(() => {});

/** Waits until the process reaches this point, and kills it there. */
const points: Record<string, (smtp: RawSmtp, service: Running, start: () => Promise<string[]>) => Promise<string[]>> = {
  async "claimed, before the hand-off"(smtp, service, start) {
    let waiting = 0;
    smtp.step = (moment) => {
      if (moment !== "greeting") return;
      waiting++;
      return never();
    };
    const ids = await start();
    await until(() => waiting === CONNECTIONS, "the connections", 60_000);
    service.kill("SIGKILL");
    return ids;
  },
  async "in the middle of DATA"(smtp, service, start) {
    let waiting = 0;
    smtp.step = (moment) => {
      if (moment !== "data") return;
      waiting++;
      return never();
    };
    const ids = await start();
    await until(() => waiting === CONNECTIONS, "the messages under way", 60_000);
    service.kill("SIGKILL");
    return ids;
  },
  async "after the final dot, before the provider's answer"(smtp, service, start) {
    smtp.step = (moment) => (moment === "dot" ? never() : undefined);
    const ids = await start();
    await until(() => smtp.arrived.length === CONNECTIONS, "the messages", 60_000);
    service.kill("SIGKILL");
    return ids;
  },
  async "after the provider's yes, before the commit"(smtp, service, start) {
    // First waits until each trigger has its answer: the tests below check the outcome of all of them.
    const answered = Promise.withResolvers<void>();
    smtp.step = async (moment, _socket, yes) => {
      if (moment !== "dot") return;
      await answered.promise;
      yes();
      if (smtp.taken.length === 3) service.kill("SIGKILL");
    };
    const ids = await start();
    answered.resolve();
    return ids;
  },
  async "while the commit waits for a lock"(smtp, service, start) {
    const open = Promise.withResolvers<void>();
    // PostgreSQL commits what waited for the lock even if its client is dead by then. So only three of the eight get their yes, and the others stay
    // undetermined.
    let dots = 0;
    smtp.step = (moment) => {
      if (moment !== "dot") return;
      return ++dots <= 3 ? open.promise : never();
    };
    const ids = await start();
    await until(() => smtp.arrived.length === CONNECTIONS, "the messages", 60_000);
    await client.query("begin");
    await client.query("lock table deliveries in exclusive mode");
    open.resolve();
    await until(
      async () => {
        const { rows } = await client.query(
          "select from pg_locks where relation = 'deliveries'::regclass and not granted",
        );
        return rows.length > 0;
      },
      "the commit being blocked",
      60_000,
    );
    service.kill("SIGKILL");
    await service.exit;
    await client.query("rollback");
    return ids;
  },
};

describe.each(Object.entries(points))("killed %s", (point, kill) => {
  // More than the sockets of both sides can buffer, so that a message can be sent in part.
  const body = point === "in the middle of DATA" ? "x".repeat(400_000) : "B";

  test("each 202 has one outcome, with at most a copy for each open attempt", async () => {
    const smtp = await rawSmtp();
    const { service, transactional } = await stage(smtp, false);
    const ids = await kill(smtp, service, () => triggerAll(service, transactional, body));
    const next = await takeOver(smtp, service);
    const logs = await endsOf(next, ids);
    expect([...logs.values()].map((log) => log.status)).toEqual(ids.map(() => "sent"));
    expect(new Set(smtp.taken)).toEqual(new Set(ids));
    // Each copy has the id of a delivery, and so the Message-ID of the first.
    expect(new Set(smtp.arrived)).toEqual(new Set(ids));
    expect(smtp.arrived.length - ids.length).toBeLessThanOrEqual(OPEN);
  }, 240_000);

  test("an at_most_once delivery is never repeated, and reported as undetermined", async () => {
    const smtp = await rawSmtp();
    const { service, transactional } = await stage(smtp, true);
    const ids = await kill(smtp, service, () => triggerAll(service, transactional, body));
    const next = await takeOver(smtp, service);
    const logs = await endsOf(next, ids);
    expect(new Set(smtp.arrived).size).toBe(smtp.arrived.length);
    const failed = [...logs].filter(([, log]) => log.status === "failed");
    for (const [, log] of failed) expect(log.reason).toMatch(/^undetermined: /);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThanOrEqual(OPEN);
    for (const [id, log] of logs) if (log.status === "sent") expect(smtp.taken).toContain(id);
    const listed = await call(next, "GET", "/api/v1/deliveries?status=failed&undetermined=true&limit=200");
    const ours = listed.body.data
      .map((delivery: { id: string }) => delivery.id)
      .filter((id: string) => ids.includes(id));
    expect(new Set(ours)).toEqual(new Set(failed.map(([id]) => id)));
  }, 240_000);
});

test("a server that answers 250 and drops the connection has accepted the message, once", async () => {
  const smtp = await rawSmtp();
  const { service, transactional } = await stage(smtp, false);
  smtp.step = (moment, socket, yes) => {
    if (moment !== "dot") return;
    yes();
    socket.end();
    return never();
  };
  const ids = await triggerAll(service, transactional);
  const logs = await endsOf(service, ids);
  expect([...logs.values()].map((log) => log.status)).toEqual(ids.map(() => "sent"));
  expect([...smtp.arrived].sort()).toEqual([...ids].sort());
}, 240_000);
