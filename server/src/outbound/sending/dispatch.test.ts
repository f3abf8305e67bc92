import { describe, expect, onTestFinished, test } from "vitest";
import { testSmtp } from "../../../test/support/mail/smtp.ts";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { type Message, queue } from "../index.ts";
import type { Job } from "../message/message.ts";
import { claim, contentOf, insertDeliveries, release, renew } from "../queue/store.ts";
import { type Settlement, settle } from "../queue/settle-store.ts";
import { startDispatcher } from "./dispatch.ts";

// Nothing sends here unless a test starts a dispatcher: what is due waits.
const it = await testService({ env: { ALLOW_PRIVATE_NETWORK: "true" } });
const { ground } = it.service;
const { db } = ground;

function message(workspaceId: string, extra: Partial<Message> = {}): Message {
  return {
    workspaceId,
    personKey: personKey(workspaceId, newId()),
    deliveryId: newId(),
    channel: "email",
    source: "test",
    sourceId: null,
    recipient: "ada@example.test",
    content: { from: null, subject: "S", body: "B" },
    status: "queued",
    queuedAt: new Date(),
    retainContent: true,
    ...extra,
  };
}
const enqueue = (batch: Message[]) => db.transaction((tx) => queue(tx, ground, batch));
const rowOf = async (id: string) =>
  (await db.query<Record<string, unknown>>(sql`select * from deliveries where id = ${id}`))[0] as Record<
    string,
    unknown
  >;
const lapse = (id: string) => db.execute(sql`update deliveries set due_at = now() where id = ${id}`);
const settlement = (job: Job, extra: Partial<Settlement> = {}): Settlement => ({
  job,
  status: "sent",
  reason: null,
  provider: "local",
  providerMessageId: null,
  waitMs: null,
  note: {},
  dead: [],
  ...extra,
});
async function claimOne(id: string): Promise<Job> {
  const job = (await claim(db, newId(), 1_000, { full: [] })).find((one) => one.deliveryId === id);
  if (!job) throw new Error("it was not claimed");
  return job;
}

describe("leases", () => {
  test("what is due is claimed once, by one, and is due again when the lease ends", async () => {
    const { workspaceId } = await it.another();
    const batch = Array.from({ length: 30 }, () => message(workspaceId));
    await enqueue(batch);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(db, newId(), 10, { full: [] })));
    const ids = claims.flat().map((job) => job.deliveryId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.sort()).toEqual(batch.map((one) => one.deliveryId).sort());
    expect(await claim(db, newId(), 10, { full: [] })).toEqual([]);
    await lapse(ids[0] as string);
    const [again, ...more] = await claim(db, newId(), 10, { full: [] });
    expect([again?.deliveryId, more]).toEqual([ids[0], []]);
    // Their leases must not end during another test.
    await db.execute(sql`update deliveries set due_at = null where workspace_id = ${workspaceId}`);
  });

  test("a worker that slept past its lease can't finalize, postpone, renew, release or read", async () => {
    const { workspaceId } = await it.another();
    const one = message(workspaceId);
    await enqueue([one]);
    const slept = await claimOne(one.deliveryId);
    await lapse(one.deliveryId);
    const owner = await claimOne(one.deliveryId);
    expect(owner.leaseId).not.toBe(slept.leaseId);
    const before = await rowOf(one.deliveryId);
    expect(await settle(db, [settlement(slept)], new Date())).toEqual(new Set());
    expect(await settle(db, [settlement(slept, { status: "queued", waitMs: 1 })], new Date())).toEqual(new Set());
    expect(await renew(db, [slept])).toEqual(new Set());
    expect(await release(db, [slept])).toBe(0);
    expect(await contentOf(db, slept)).toBeNull();
    expect(await rowOf(one.deliveryId)).toEqual(before);
    expect(await settle(db, [settlement(owner)], new Date())).toEqual(new Set([one.deliveryId]));
    expect(await rowOf(one.deliveryId)).toMatchObject({ status: "sent", due_at: null, lease_id: null, attempts: 1 });
    expect(await settle(db, [settlement(owner)], new Date())).toEqual(new Set());
  });

  test("what was claimed by a statement whose answer never came is sent long before its lease ends", async () => {
    const { workspaceId } = await it.another();
    const [one, once] = [message(workspaceId), message(workspaceId, { atMostOnce: true })];
    await enqueue([one, once]);
    const lease = newId();
    expect(await claim(db, lease, 10, { full: [] })).toHaveLength(2);
    // The provider may have this one: taken back it is still known as begun.
    await db.execute(sql`update deliveries set status = 'sending' where id = ${once.deliveryId}`);
    const dispatcher = startDispatcher(ground);
    onTestFinished(() => dispatcher.stop());
    dispatcher.lost(lease);
    await until(async () => (await rowOf(one.deliveryId)).status === "sent", "the message", 30_000);
    await until(async () => (await rowOf(once.deliveryId)).status === "failed", "the other", 30_000);
    expect((await rowOf(once.deliveryId)).reason).toMatch(/^undetermined/);
  });

  test("a full lane is left out of the claim, the others are not", async () => {
    const [a, b] = [await it.another(), await it.another()];
    const [one, two] = [message(a.workspaceId), message(b.workspaceId)];
    await enqueue([one, two]);
    const jobs = await claim(db, newId(), 10, {
      full: [{ workspaceId: a.workspaceId, channel: "email", bulk: false }],
    });
    expect(jobs.map((job) => job.deliveryId)).toEqual([two.deliveryId]);
    expect((await claim(db, newId(), 10, { full: [] })).map((job) => job.deliveryId)).toEqual([one.deliveryId]);
  });

  test("big content does not travel with a claim, and is loaded under the lease", async () => {
    const { workspaceId } = await it.another();
    const body = Array.from({ length: 20_000 }, () => newId()).join("");
    const one = message(workspaceId, { content: { from: null, subject: "S", body } });
    await enqueue([one]);
    const job = await claimOne(one.deliveryId);
    expect(job.content).toBeNull();
    expect(await contentOf(db, job)).toMatchObject({ body });
    await settle(db, [settlement(job)], new Date());
  });

  test("a delivery id that exists is left alone", async () => {
    const { workspaceId } = await it.another();
    const one = message(workspaceId);
    expect(await enqueue([one])).toMatchObject([{ deliveryId: one.deliveryId }]);
    expect(await enqueue([{ ...one, recipient: "eve@example.test" }])).toEqual([]);
    expect(await rowOf(one.deliveryId)).toMatchObject({ recipient: "ada@example.test" });
    const log = await db.query(sql`select * from activity where delivery_id = ${one.deliveryId}`);
    expect(log).toHaveLength(1);
    await settle(db, [settlement(await claimOne(one.deliveryId))], new Date());
  });

  test("the claim finds what is due by its index among many that are not", async () => {
    const { workspaceId } = await it.another();
    await db.execute(sql`
      insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, due_at)
      select gen_random_uuid(), gen_random_uuid(), ${workspaceId}, 'email', 'test', 'sent', now(), null from generate_series(1, 20000)`);
    await db.execute(sql`analyze deliveries`);
    const plan = await db.query<{ "QUERY PLAN": string }>(sql`
      explain select person_key, id from deliveries
      where not bulk and due_at <= now() and (workspace_id, channel) not in (select * from unnest(${[workspaceId]}::uuid[], ${["sms"]}::text[]))
      order by due_at limit 100 for update skip locked`);
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain("deliveries_due");
    expect(text).not.toMatch(/Seq Scan on deliveries|Sort/);
  });
});

describe("the dispatcher", () => {
  test("what it is handed is born leased, sent without a claim, and captured once", async () => {
    const twin = await testService({
      databaseUrl: it.databaseUrl,
      roles: "api,worker",
      env: { ALLOW_PRIVATE_NETWORK: "true" },
    });
    const own = twin.service.ground;
    const { workspaceId } = await it.another();
    const batch = Array.from({ length: 50 }, () => message(workspaceId));
    let leased = 0;
    await own.db.transaction(async (tx) => {
      await queue(tx, own, batch);
      const rows = await tx.query<{ n: number }>(sql`
        select count(*) as n from deliveries where workspace_id = ${workspaceId} and lease_id is not null and due_at > now() + interval '50 s'`);
      leased = rows[0]?.n ?? 0;
    });
    expect(leased).toBe(50);
    await until(async () => {
      const rows = await db.query<{ n: number }>(
        sql`select count(*) as n from deliveries where workspace_id = ${workspaceId} and status = 'sent'`,
      );
      return rows[0]?.n === 50;
    });
    const outbox = await db.query<{ n: number }>(
      sql`select count(*) as n from outbox where workspace_id = ${workspaceId}`,
    );
    expect(outbox[0]?.n).toBe(50);
    await twin.service.stop();
  });

  test("what was rolled back is never sent", async () => {
    const twin = await testService({
      databaseUrl: it.databaseUrl,
      roles: "api,worker",
      env: { ALLOW_PRIVATE_NETWORK: "true" },
    });
    const own = twin.service.ground;
    const { workspaceId } = await it.another();
    await expect(
      own.db.transaction(async (tx) => {
        await queue(tx, own, [message(workspaceId)]);
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    const after = message(workspaceId);
    await own.db.transaction((tx) => queue(tx, own, [after]));
    await until(async () => (await rowOf(after.deliveryId)).status === "sent");
    expect(await db.query(sql`select delivery_id from outbox where workspace_id = ${workspaceId}`)).toEqual([
      { delivery_id: after.deliveryId },
    ]);
    await twin.service.stop();
  });

  test("a delivery of a dead process is sent by another once its lease lapses, and captured once", async () => {
    const { workspaceId } = await it.another();
    const one: Message = message(workspaceId);
    await db.transaction((tx) => insertDeliveries(tx, [{ ...one, leaseId: newId() }], true));
    await db.execute(sql`update deliveries set due_at = now() + interval '1 hour' where id = ${one.deliveryId}`);
    const dispatcher = startDispatcher(ground);
    const other = message(workspaceId);
    await enqueue([other]);
    await until(async () => (await rowOf(other.deliveryId)).status === "sent");
    expect((await rowOf(one.deliveryId)).status).toBe("queued");
    await lapse(one.deliveryId);
    await until(async () => (await rowOf(one.deliveryId)).status === "sent");
    await dispatcher.stop();
    expect(await db.query(sql`select delivery_id from outbox where delivery_id = ${one.deliveryId}`)).toHaveLength(1);
  });

  test("a stop gives back what is not begun and ends hand-offs that hang, so that another can go on", async () => {
    const smtp = await testSmtp();
    smtp.next.push(...Array.from({ length: 8 }, () => "stall" as const));
    const { workspaceId, secretKey } = await it.another();
    await it.call("POST", "/api/v1/providers", {
      key: secretKey,
      body: { name: "S", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", port: smtp.port } },
    });
    const dispatcher = startDispatcher(ground);
    const content = { from: "a@acme.test", subject: "S", body: "B" };
    const batch = Array.from({ length: 20 }, () => message(workspaceId, { content }));
    await enqueue(batch);
    await until(() => smtp.attempts.length === 8, "all connections being stuck");
    // The server never answers: a stop that waited for it would never end.
    await dispatcher.stop();
    const rows = await db.query<{ status: string; lease_id: string | null; attempts: number }>(
      sql`select status, lease_id, attempts from deliveries where workspace_id = ${workspaceId}`,
    );
    expect(rows.every((row) => row.status === "queued" && row.lease_id === null)).toBe(true);
    expect(rows.filter((row) => row.attempts === 0)).toHaveLength(12);
    await db.execute(sql`update deliveries set due_at = now() where workspace_id = ${workspaceId}`);
    const next = startDispatcher(ground);
    await until(() => smtp.received.length === 20, "all of them being sent");
    await next.stop();
    expect(new Set(smtp.received.map(({ email }) => email.messageId)).size).toBe(20);
  });

  test("a thousand due at once are all sent, each once, whatever the number of processes", async () => {
    const { workspaceId } = await it.another();
    const batch = Array.from({ length: 1_000 }, () => message(workspaceId));
    await enqueue(batch);
    const twins = await Promise.all(
      [1, 2].map(() =>
        testService({ databaseUrl: it.databaseUrl, roles: "worker", env: { ALLOW_PRIVATE_NETWORK: "true" } }),
      ),
    );
    await until(async () => {
      const rows = await db.query<{ n: number }>(
        sql`select count(*) as n from deliveries where workspace_id = ${workspaceId} and status = 'sent' and attempts = 1`,
      );
      return rows[0]?.n === 1_000;
    });
    await Promise.all(twins.map((twin) => twin.service.stop()));
    const log = await db.query<{ n: number }>(sql`
      select count(*) as n from activity where workspace_id = ${workspaceId} and type = 'email.sent'`);
    expect(log[0]?.n).toBe(1_000);
  });

  test("what waits in a full lane is read past by polls alone, not by each claim and each signal", async () => {
    const { workspaceId } = await it.another();
    await enqueue(Array.from({ length: 1_000 }, () => message(workspaceId)));
    const { workDb } = ground;
    const { query } = workDb;
    const full: boolean[] = [];
    workDb.query = (statement) => {
      // Their workspaces are an array of the statement's.
      if (statement.name === "outbound.claim")
        full.push(statement.values.some((value) => Array.isArray(value) && value.includes(workspaceId)));
      return query(statement);
    };
    const since = performance.now();
    const dispatcher = startDispatcher(ground);
    onTestFinished(async () => {
      Object.assign(workDb, { query });
      await dispatcher.stop();
    });
    await until(async () => {
      await enqueue([message(workspaceId)]);
      const rows = await db.query<{ n: number }>(
        sql`select count(*) as n from deliveries where workspace_id = ${workspaceId} and status = 'sent'`,
      );
      return (rows[0]?.n ?? 0) >= 1_000;
    });
    const polls = 1 + (performance.now() - since) / 1_000;
    expect(full.length).toBeGreaterThan(15);
    expect(full.filter(Boolean).length).toBeLessThanOrEqual(1 + polls);
  });
});
