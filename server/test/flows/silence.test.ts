import { expect, test, vi } from "vitest";
import { testDatabase } from "../support/database.ts";
import { type Answer, testService } from "../support/service.ts";
import { swallower } from "../support/network/swallower.ts";
import { TRIGGER } from "../support/services/transactionals.ts";
import { until } from "../support/wait.ts";

// A database that neither answers nor ends its connections: a firewall that dropped them, a machine without power, a frozen process.
// The limits are a few times the promised ones (2 s for an answer, 10 s for full work), because the test machine is busy.

vi.setConfig({ testTimeout: 120_000 });

const network = await swallower(await testDatabase());
const it = await testService({ databaseUrl: network.url, roles: "api,worker" });
const { ground } = it.service;

const LONG_MS = 15_000;
const inTime = (asked: Promise<Answer>) =>
  Promise.race([
    asked,
    new Promise<Answer>((_, reject) => setTimeout(() => reject(new Error("no answer")), LONG_MS).unref()),
  ]);

const sync = (person: string) =>
  inTime(it.call("GET", `/data-gateway/v1/in-app/messages/sync?person_id=${person}`, { key: it.publicKey }));
const trigger = (key: string) =>
  inTime(
    it.call("POST", TRIGGER, {
      headers: { "idempotency-key": key },
      body: { identifiers: { email: `${key}@example.test` }, from: "a@acme.test", subject: key, body: "B" },
    }),
  );

/** Repeats a call with its key until it is accepted, as clients do. Returns the delivery's id; records the other answers. */
async function taken(key: string, others: Set<string>): Promise<string> {
  return until(
    async () => {
      const { status, headers, body } = await trigger(key);
      if (status === 202) return body.delivery_id as string;
      others.add(`${status} ${body.code}`);
      expect(headers["retry-after"]).toBeDefined();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return undefined;
    },
    `a 202 for ${key}`,
    LONG_MS * 2,
  );
}
const sent = async () => {
  const { body } = await it.call("GET", "/api/v1/outbox?limit=200");
  // While the database is silent the outbox is refused, and nothing is known of it.
  return ((body.data ?? []) as { delivery_id: string }[]).map((entry) => entry.delivery_id);
};
const ready = async () => (await inTime(it.call("GET", "/readyz", { key: null }))).status;

/** Runs calls of some clients, which begin before `fault` and continue during it. Returns the acknowledged deliveries. */
async function loaded(
  name: string,
  fault: () => Promise<void> | void,
): Promise<{ ids: string[]; others: Set<string> }> {
  const others = new Set<string>();
  const ids: string[] = [];
  let over = false;
  const clients = Array.from({ length: 12 }, async (_, client) => {
    for (let i = 0; !over; i++) {
      ids.push(await taken(`${name}-${client}-${i}`, others));
      const { status, body } = await sync(`p${client}`);
      if (status !== 200) others.add(`${status} ${body.code}`);
    }
  });
  await until(() => ids.length >= 24, "load");
  await fault();
  const before = ids.length;
  await until(() => ids.length >= before + 40, "load after the fault");
  over = true;
  await Promise.all(clients);
  return { ids, others };
}

test("open connections that go silent are replaced, their leases are released, and each acknowledged delivery is sent once", async () => {
  const { ids, others } = await loaded("open", () => network.swallowOpen());
  for (const other of others) expect(["503 unavailable", "409 idempotency_in_progress"]).toContain(other);
  expect(new Set(ids).size).toBe(ids.length);
  await until(
    async () => {
      const out = await sent();
      return ids.slice(-150).every((id) => out.includes(id));
    },
    "all of it being sent",
    30_000,
  );
  const out = await sent();
  expect(new Set(out).size).toBe(out.length);
  await until(async () => (await ready()) === 200, "readiness", LONG_MS);
  // Also the connection for signals: signals of other processes arrive.
  await until(() => ground.signals.healthy(), "signals");
});

test("silent idle connections cost one wait and not one wait each", async () => {
  await Promise.all(Array.from({ length: 40 }, (_, i) => it.call("GET", `/api/v1/people?limit=${1 + (i % 9)}`)));
  network.swallowOpen();
  // A read is repeated over another connection: no caller notices it.
  for (let i = 0; i < 5; i++) expect((await inTime(it.call("GET", "/api/v1/people"))).status).toBe(200);
});

test("while the database is silent each request gets 503, and the service detects its return", async () => {
  const { ids, others } = await loaded("all", async () => {
    network.swallowAll();
    const answers = await Promise.all([
      ...Array.from({ length: 40 }, (_, i) => sync(`q${i}`)),
      ...Array.from({ length: 10 }, (_, i) => trigger(`silent-${i}`)),
      inTime(it.call("GET", "/api/v1/people")),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(answers.every(({ headers }) => headers["retry-after"] !== undefined)).toBe(true);
    expect(await ready()).toBe(503);
    network.mend();
  });
  for (const other of others) expect(["503 unavailable", "409 idempotency_in_progress"]).toContain(other);
  await until(
    async () => {
      const out = await sent();
      return ids.slice(-150).every((id) => out.includes(id));
    },
    "all of it being sent",
    30_000,
  );
  await until(async () => (await ready()) === 200, "readiness", LONG_MS);
});
