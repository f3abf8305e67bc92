import { expect, onTestFinished, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { rawSmtp } from "../../test/support/mail/raw-smtp.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { personKey } from "../workspaces/index.ts";
import { slots } from "./connection/slots.ts";
import { type Message, queue } from "./index.ts";
import { claim } from "./queue/store.ts";

// Broadcasts and campaigns wait behind messages that a person waits for.

const it = await testService();
const { ground } = it.service;
const { db } = ground;

const CONTENT = { from: "shop@acme.test", subject: "S", body: "<p>B</p>" };
const message = (workspaceId: string, source: Message["source"]): Message => ({
  workspaceId,
  personKey: personKey(workspaceId, newId()),
  deliveryId: newId(),
  channel: "email",
  source,
  sourceId: null,
  recipient: "ada@example.test",
  content: CONTENT,
  status: "queued",
  queuedAt: new Date(),
  retainContent: true,
});
const enqueue = (batch: Message[]) => db.transaction((tx) => queue(tx, ground, batch));
const nothingDue = (workspaceId: string) =>
  db.execute(sql`update deliveries set due_at = null, status = 'canceled' where workspace_id = ${workspaceId}`);

test("a claim takes broadcasts and campaigns only where no other delivery is due, however long they have waited", async () => {
  const { workspaceId } = await it.another();
  onTestFinished(async () => void (await nothingDue(workspaceId)));
  const many = [message(workspaceId, "broadcast"), message(workspaceId, "campaign"), message(workspaceId, "broadcast")];
  await enqueue(many);
  await db.execute(sql`update deliveries set due_at = now() - interval '1 hour' where workspace_id = ${workspaceId}`);
  const few = [message(workspaceId, "transactional"), message(workspaceId, "test")];
  await enqueue(few);
  const ids = (list: { deliveryId: string }[]) => list.map((one) => one.deliveryId).sort();
  const first = await claim(db, newId(), 1, { full: [] });
  expect(ids(few)).toContain(first[0]?.deliveryId);
  const second = await claim(db, newId(), 2, { full: [] });
  expect(second.map((job) => job.bulk).sort()).toEqual([false, true]);
  const rest = await claim(db, newId(), 10, { full: [] });
  expect(rest.every((job) => job.bulk)).toBe(true);
  expect(ids([...first, ...second, ...rest])).toEqual(ids([...many, ...few]));
});

test("a full lane of broadcasts does not exclude the same workspace's other messages from the claim, nor the other way round", async () => {
  const { workspaceId } = await it.another();
  onTestFinished(async () => void (await nothingDue(workspaceId)));
  const [one, many] = [message(workspaceId, "transactional"), message(workspaceId, "broadcast")];
  await enqueue([one, many]);
  const lane = { workspaceId, channel: "email" as const };
  const both = [
    { ...lane, bulk: true },
    { ...lane, bulk: false },
  ];
  expect(await claim(db, newId(), 10, { full: both })).toEqual([]);
  expect(await claim(db, newId(), 10, { full: both.slice(0, 1), kinds: { first: false, bulk: true } })).toEqual([]);
  expect(await claim(db, newId(), 10, { full: both.slice(1), kinds: { first: true, bulk: false } })).toEqual([]);
  expect(await claim(db, newId(), 10, { full: both.slice(0, 1) })).toMatchObject([
    { deliveryId: one.deliveryId, bulk: false },
  ]);
  expect(await claim(db, newId(), 10, { full: both.slice(1) })).toMatchObject([
    { deliveryId: many.deliveryId, bulk: true },
  ]);
});

test.skipIf(inShards)("both halves of the claim find due deliveries by the index, in its order", async () => {
  const { workspaceId } = await it.another();
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, due_at)
    select gen_random_uuid(), gen_random_uuid(), ${workspaceId}, 'email', 'broadcast', 'sent', now(), null from generate_series(1, 20000)`);
  await db.execute(sql`analyze deliveries`);
  for (const half of [sql`not bulk`, sql`bulk`]) {
    const plan = await db.query<{ "QUERY PLAN": string }>(sql`
      explain select person_key, id from deliveries where ${half} and due_at <= now() order by due_at limit 64 for update skip locked`);
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain("deliveries_due");
    expect(text).not.toMatch(/Seq Scan|Sort/);
  }
});

test("single deliveries get places before bulk ones, each kind in order of arrival", async () => {
  const places = slots(1);
  await places.enter(true);
  const order: string[] = [];
  const waiting = (["bulk 1", "one 1", "bulk 2", "one 2"] as const).map((name) =>
    places.run(name.startsWith("bulk"), async () => void order.push(name)),
  );
  expect([places.waiting(false), places.waiting(true)]).toEqual([2, 4]);
  places.leave();
  await Promise.all(waiting);
  expect(order).toEqual(["one 1", "one 2", "bulk 1", "bulk 2"]);
});

test("a transactional email that is queued behind 20,000 broadcast emails is among the next, whichever process took it", async () => {
  const { workspaceId, secretKey } = await it.another();
  const smtp = await rawSmtp();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  smtp.step = (moment) => (moment === "dot" ? gate : undefined);
  await it.call("POST", "/api/v1/providers", {
    key: secretKey,
    body: { name: "Raw", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", port: smtp.port } },
  });
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, content, recipient, due_at)
    select gen_random_uuid(), gen_random_uuid(), ${workspaceId}, 'email', 'broadcast', 'queued', now(), ${JSON.stringify(CONTENT)}::jsonb,
      'person-' || n || '@example.test', now() from generate_series(1, 20000) as n`);
  const worker = await testService({
    databaseUrl: it.databaseUrl,
    roles: "api,worker",
    env: { ALLOW_PRIVATE_NETWORK: "true" },
  });
  onTestFinished(async () => {
    open();
    await worker.service.stop();
    await nothingDue(workspaceId);
  });
  await until(() => smtp.arrived.length === 8, "all connections being busy with the broadcast");

  const own = worker.service.ground;
  const here = message(workspaceId, "transactional");
  const elsewhere = message(workspaceId, "transactional");
  const rowOf = async ({ deliveryId }: Message) =>
    (await db.query<{ lease_id: string | null }>(sql`select lease_id from deliveries where id = ${deliveryId}`))[0];
  await own.db.transaction((tx) => queue(tx, own, [here]));
  expect((await rowOf(here))?.lease_id, "born with a lease, since its own lane is not behind").not.toBeNull();
  await enqueue([elsewhere]);
  await until(async () => (await rowOf(elsewhere))?.lease_id !== null, "the other one being claimed");

  open();
  const ids = [here, elsewhere].map(({ deliveryId }) => encodeId("dlv", deliveryId));
  await until(() => ids.every((id) => smtp.taken.includes(id)), "both being sent");
  // 8 were under way and 8 more had their place already.
  for (const id of ids) expect(smtp.taken.indexOf(id)).toBeLessThan(64);
});
