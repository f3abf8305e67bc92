import { MessageChannel } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { rawSmtp } from "../../../test/support/mail/raw-smtp.ts";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { type Db, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { otherThread } from "../../platform/threads/other-thread.ts";
import type { Job, Message } from "../message/message.ts";
import type { QueueGround } from "../queue/dispatcher.ts";
import type { Lane } from "../queue/lane.ts";
import { startHandOver, takeOver } from "./handed-over.ts";

// The thread that answers requests hands what they queue to the thread that sends.

const WORKSPACE = newId();
const LANE: Lane = { workspaceId: WORKSPACE, channel: "email", bulk: false };

/** Both sides in one thread. The side that sends keeps what it takes until `end`. */
function bothSides() {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const ground = { sending: { dispatcher: undefined } } as unknown as QueueGround;
  const taken: { job: Job; since: number; end(): void }[] = [];
  const lost: string[] = [];
  const state = { closed: [] as Lane[], resting: 0, changed: () => {} };
  takeOver(
    otherThread(port2, () => {}),
    {
      take: (jobs, since, left) => taken.push(...jobs.map((job) => ({ job, since, end: () => left(job) }))),
      lost: (lease) => lost.push(lease),
      resting: () => state.resting,
      closed: () => state.closed,
      watch: (told) => {
        state.changed = told;
        told();
      },
    },
  );
  const started = startHandOver(
    ground,
    otherThread(port1, () => {}),
  );
  const dispatcher = () => ground.sending.dispatcher as NonNullable<QueueGround["sending"]["dispatcher"]>;
  return { ground, started, dispatcher, taken, lost, state };
}

const message = (change: Partial<Message> = {}): Message => ({
  workspaceId: WORKSPACE,
  personKey: newId(),
  deliveryId: newId(),
  channel: "email",
  source: "transactional",
  sourceId: null,
  recipient: "ada@example.test",
  content: { from: "a@b.test", subject: "S", body: "B" },
  status: "queued",
  queuedAt: new Date(),
  retainContent: true,
  ...change,
});

const jobOf = (one: Message, leaseId: string, expiresBy?: number): Job => ({
  workspaceId: one.workspaceId,
  personKey: one.personKey,
  deliveryId: one.deliveryId,
  channel: one.channel,
  bulk: false,
  recipient: one.recipient ?? "",
  content: one.content,
  attempts: 0,
  leaseId,
  atMostOnce: false,
  overdue: false,
  undetermined: false,
  ...(expiresBy !== undefined && { expiresBy }),
});

test("a delivery arrives with its content and its times, and a lost lease is told", async () => {
  const { dispatcher, taken, lost } = bothSides();
  const one = message();
  const [lease] = dispatcher().accept([one]);
  const since = performance.now();
  const job = jobOf(one, lease ?? "", since + 5_000);
  dispatcher().take([job], since);
  dispatcher().lost("a lease");
  await until(() => lost.length > 0);
  expect(lost).toEqual(["a lease"]);
  expect(taken[0]?.job).toEqual({ ...job, expiresBy: expect.closeTo(since + 5_000, 2) });
  expect(taken[0]?.since).toBeCloseTo(since, 2);
});

test("a lane has room for 128 that are not sent yet, and room again for each that is", async () => {
  const { dispatcher, taken } = bothSides();
  const all = Array.from({ length: 200 }, () => message());
  const leases = dispatcher().accept(all);
  const accepted = all.filter((_, i) => leases[i] !== undefined);
  expect(accepted).toHaveLength(128);
  dispatcher().take(
    accepted.map((one) => jobOf(one, leases[0] ?? "")),
    performance.now(),
  );
  await until(() => taken.length === 128);
  // Some were declined, so later ones stay behind them in the table until the other side says that it has caught up.
  expect(dispatcher().accept([message()])).toEqual([undefined]);
  for (const { end } of taken.slice(0, 10)) end();
  expect(dispatcher().accept([message()])).toEqual([undefined]);
});

test("nothing is handed over to a lane that is closed on the other side, until it is open again", async () => {
  const { dispatcher, state } = bothSides();
  const accepts = () => dispatcher().accept([message()])[0] !== undefined;
  expect(accepts()).toBe(true);
  state.closed = [LANE];
  state.resting = 2;
  state.changed();
  await until(() => !accepts());
  expect(dispatcher().resting()).toBe(2);
  expect(dispatcher().accept([message({ channel: "sms", content: { body: "B", segments: 1 } })])[0]).toBeDefined();
  state.closed = [];
  state.changed();
  await until(accepts);
});

test("after the stop nothing is handed over", async () => {
  const { ground, started } = bothSides();
  await started.stop();
  expect(ground.sending.dispatcher).toBeUndefined();
});

/** Notes in a table how each row gets its lease: a claim would update it. Citus allows no triggers. */
async function noteLeases(db: Db): Promise<void> {
  await db.execute(sql`create table leases (id uuid, op text)`);
  await db.execute(
    sql`create function note_lease() returns trigger language plpgsql as 'begin insert into leases values (new.id, tg_op); return null; end'`,
  );
  await db.execute(
    sql`create trigger note_lease after insert or update of lease_id on deliveries for each row when (new.lease_id is not null) execute function note_lease()`,
  );
}

test("what a request queues goes out without a claim from the thread of the background work, and GET /metrics counts both", async () => {
  const it = await testService({ roles: "api,worker", threads: true, env: { ALLOW_PRIVATE_NETWORK: "true" } });
  const far = await rawSmtp();
  const body = { name: "S", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", port: far.port } };
  expect((await it.call("POST", "/api/v1/providers", { body })).status).toBe(201);
  const { db } = it.service.ground;
  if (!inShards) await noteLeases(db);
  for (let i = 0; i < 20; i++) {
    const mail = { identifiers: { id: "ada" }, to: "ada@example.test", from: "a@b.test", subject: `S${i}`, body: "B" };
    expect((await it.call("POST", "/data-gateway/transactionals/email", { body: mail })).status).toBe(202);
  }
  await until(() => far.taken.length === 20);
  if (!inShards) {
    const ops = await db.query<{ op: string; rows: number }>(sql`select op, count(*) as rows from leases group by op`);
    expect(ops).toEqual([{ op: "INSERT", rows: 20 }]);
  }
  await until(async () => {
    const metrics = (await it.call("GET", "/metrics", { key: null })).body as string;
    return (
      metrics.includes('tidings_deliveries_queued_total{channel="email"} 20') &&
      metrics.includes('tidings_sends_total{channel="email",provider="smtp",outcome="sent"} 20') &&
      /^process_cpu_seconds_total /m.test(metrics)
    );
  }, "the numbers of both threads");
});

test("what was accepted before a stop goes out or is given back: none waits for the end of a lease", async () => {
  const far = await rawSmtp();
  const it = await testService({ roles: "api,worker", threads: true, env: { ALLOW_PRIVATE_NETWORK: "true" } });
  const body = { name: "S", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", port: far.port } };
  await it.call("POST", "/api/v1/providers", { body });
  const mail = { identifiers: { id: "ada" }, to: "ada@example.test", from: "a@b.test", subject: "S", body: "B" };
  const sends = Array.from({ length: 100 }, () =>
    it.call("POST", "/data-gateway/transactionals/email", { body: mail }),
  );
  await Promise.race(sends);
  await it.service.stop();
  const accepted = (await Promise.all(sends)).filter(({ status }) => status === 202).length;
  const next = await testService({ databaseUrl: it.databaseUrl });
  const rows = await next.service.ground.db.query<{ status: string; free: boolean }>(
    sql`select status, lease_id is null as free from deliveries`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(accepted);
  expect(rows.filter(({ status, free }) => status !== "sent" && !free)).toEqual([]);
  expect(rows.filter(({ status }) => status === "sent")).toHaveLength(far.taken.length);
});

test("a start fails where the thread of the background work can't start", async () => {
  await expect(
    testService({ roles: "api,worker", threads: true, databaseUrl: "postgres://postgres@127.0.0.1:1/none" }),
  ).rejects.toThrow();
});
