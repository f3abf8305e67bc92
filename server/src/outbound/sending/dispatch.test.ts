import { describe, expect, onTestFinished, test } from "vitest";
import { testSmtp } from "../../../test/support/mail/smtp.ts";
import { testService } from "../../../test/support/service.ts";
import { queueable, queueService } from "../../../test/support/services/queue.ts";
import { until } from "../../../test/support/wait.ts";
import { sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { queue } from "../index.ts";
import { insertDeliveries } from "../queue/insert-store.ts";
import { claim } from "../queue/store.ts";
import { startDispatcher } from "./dispatch.ts";

const { it, ground, db, enqueue, rowOf, lapse } = await queueService();

describe("the dispatcher", () => {
  test("a delivery that was claimed by a statement whose answer never came is sent long before its lease ends", async () => {
    const { workspaceId } = await it.another();
    const [one, once] = [queueable(workspaceId), queueable(workspaceId, { atMostOnce: true })];
    await enqueue([one, once]);
    const lease = newId();
    expect(await claim(db, lease, 10, { full: [] })).toHaveLength(2);
    // The provider may have this one: it still counts as begun after it was taken back.
    await db.execute(sql`update deliveries set status = 'sending' where id = ${once.deliveryId}`);
    const dispatcher = startDispatcher(ground);
    onTestFinished(() => dispatcher.stop());
    dispatcher.lost(lease);
    await until(async () => (await rowOf(one.deliveryId)).status === "sent", "the message", 30_000);
    await until(async () => (await rowOf(once.deliveryId)).status === "failed", "the other", 30_000);
    expect((await rowOf(once.deliveryId)).reason).toMatch(/^undetermined/);
  });

  test("deliveries that it takes over are inserted with its lease, sent without a claim, and captured once", async () => {
    const twin = await testService({
      databaseUrl: it.databaseUrl,
      roles: "api,worker",
      env: { ALLOW_PRIVATE_NETWORK: "true" },
    });
    const own = twin.service.ground;
    const { workspaceId } = await it.another();
    const batch = Array.from({ length: 50 }, () => queueable(workspaceId));
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

  test("a delivery that was rolled back is never sent", async () => {
    const twin = await testService({
      databaseUrl: it.databaseUrl,
      roles: "api,worker",
      env: { ALLOW_PRIVATE_NETWORK: "true" },
    });
    const own = twin.service.ground;
    const { workspaceId } = await it.another();
    await expect(
      own.db.transaction(async (tx) => {
        await queue(tx, own, [queueable(workspaceId)]);
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    const after = queueable(workspaceId);
    await own.db.transaction((tx) => queue(tx, own, [after]));
    await until(async () => (await rowOf(after.deliveryId)).status === "sent");
    expect(await db.query(sql`select delivery_id from outbox where workspace_id = ${workspaceId}`)).toEqual([
      { delivery_id: after.deliveryId },
    ]);
    await twin.service.stop();
  });

  test("a delivery of a dead process is sent by another once its lease ends, and captured once", async () => {
    const { workspaceId } = await it.another();
    const one = queueable(workspaceId);
    await db.transaction((tx) => insertDeliveries(tx, [{ ...one, leaseId: newId() }], true));
    await db.execute(sql`update deliveries set due_at = now() + interval '1 hour' where id = ${one.deliveryId}`);
    const dispatcher = startDispatcher(ground);
    const other = queueable(workspaceId);
    await enqueue([other]);
    await until(async () => (await rowOf(other.deliveryId)).status === "sent");
    expect((await rowOf(one.deliveryId)).status).toBe("queued");
    await lapse(one.deliveryId);
    await until(async () => (await rowOf(one.deliveryId)).status === "sent");
    await dispatcher.stop();
    expect(await db.query(sql`select delivery_id from outbox where delivery_id = ${one.deliveryId}`)).toHaveLength(1);
  });

  test("a stop gives back deliveries that have not begun and ends hand-offs that hang, so that another can go on", async () => {
    const smtp = await testSmtp();
    smtp.next.push(...Array.from({ length: 8 }, () => "stall" as const));
    const { workspaceId, secretKey } = await it.another();
    await it.call("POST", "/api/v1/providers", {
      key: secretKey,
      body: { name: "S", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", port: smtp.port } },
    });
    const dispatcher = startDispatcher(ground);
    const content = { from: "a@acme.test", subject: "S", body: "B" };
    const batch = Array.from({ length: 20 }, () => queueable(workspaceId, { content }));
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

  test("a thousand deliveries that are due at once are all sent, each once, by several processes", async () => {
    const { workspaceId } = await it.another();
    const batch = Array.from({ length: 1_000 }, () => queueable(workspaceId));
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

  test("only polls read past the deliveries of a full lane, and not each claim and each signal", async () => {
    const { workspaceId } = await it.another();
    await enqueue(Array.from({ length: 1_000 }, () => queueable(workspaceId)));
    const { workDb } = ground;
    const { query } = workDb;
    const full: boolean[] = [];
    workDb.query = (statement) => {
      // The statement has the workspaces of full lanes as an array.
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
      await enqueue([queueable(workspaceId)]);
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
