import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { queueable, queueService } from "../../../test/support/services/queue.ts";
import { sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import type { Job } from "../message/message.ts";
import { type Settlement, settle } from "./settle-store.ts";
import { claim, contentOf, release, renew } from "./store.ts";

// The statements of the queue: how deliveries are leased.

const { it, db, enqueue, rowOf, lapse } = await queueService();

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
  if (!job) throw new Error(`${id} was not claimed`);
  return job;
}

test("a due delivery is claimed once, by one process, and is due again when the lease ends", async () => {
  const { workspaceId } = await it.another();
  const batch = Array.from({ length: 30 }, () => queueable(workspaceId));
  await enqueue(batch);
  const claims = await Promise.all(Array.from({ length: 6 }, () => claim(db, newId(), 10, { full: [] })));
  // In shards all may have chosen the same ones, of which each is one process's: the next claim gets the rest.
  if (inShards) claims.push(await claim(db, newId(), 30, { full: [] }));
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
  const one = queueable(workspaceId);
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

test("a claim leaves out a full lane, and no other", async () => {
  const [a, b] = [await it.another(), await it.another()];
  const [one, two] = [queueable(a.workspaceId), queueable(b.workspaceId)];
  await enqueue([one, two]);
  const jobs = await claim(db, newId(), 10, {
    full: [{ workspaceId: a.workspaceId, channel: "email", bulk: false }],
  });
  expect(jobs.map((job) => job.deliveryId)).toEqual([two.deliveryId]);
  expect((await claim(db, newId(), 10, { full: [] })).map((job) => job.deliveryId)).toEqual([one.deliveryId]);
});

test("a claim does not return big content, which is loaded under the lease", async () => {
  const { workspaceId } = await it.another();
  const body = Array.from({ length: 20_000 }, () => newId()).join("");
  const one = queueable(workspaceId, { content: { from: null, subject: "S", body } });
  await enqueue([one]);
  const job = await claimOne(one.deliveryId);
  expect(job.content).toBeNull();
  expect(await contentOf(db, job)).toMatchObject({ body });
  await settle(db, [settlement(job)], new Date());
});

test("a delivery id that exists is left alone", async () => {
  const { workspaceId } = await it.another();
  const one = queueable(workspaceId);
  expect(await enqueue([one])).toMatchObject([{ deliveryId: one.deliveryId }]);
  expect(await enqueue([{ ...one, recipient: "eve@example.test" }])).toEqual([]);
  expect(await rowOf(one.deliveryId)).toMatchObject({ recipient: "ada@example.test" });
  const log = await db.query(sql`select * from activity where delivery_id = ${one.deliveryId}`);
  expect(log).toHaveLength(1);
  await settle(db, [settlement(await claimOne(one.deliveryId))], new Date());
});

test.skipIf(inShards)("a claim finds due deliveries by its index among many that are not due", async () => {
  const { workspaceId } = await it.another();
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, due_at)
    select gen_random_uuid(), gen_random_uuid(), ${workspaceId}, 'email', 'test', 'sent', now(), null
    from generate_series(1, 20000)`);
  await db.execute(sql`analyze deliveries`);
  const plan = await db.query<{ "QUERY PLAN": string }>(sql`
    explain select person_key, id from deliveries
    where not bulk and due_at <= now() and (workspace_id, channel) not in (
      select * from unnest(${[workspaceId]}::uuid[], ${["sms"]}::text[]))
    order by due_at limit 100 for update skip locked`);
  const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
  expect(text).toContain("deliveries_due");
  expect(text).not.toMatch(/Seq Scan on deliveries|Sort/);
});
