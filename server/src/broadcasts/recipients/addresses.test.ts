import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { testClock, testService } from "../../../test/support/service.ts";
import { personKey } from "../../people/index.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { claimants } from "../../sendings/index.ts";
import { step } from "../fanout/fanout.ts";

// People who share an address get one copy there.

const clock = testClock("2026-03-01T12:00:00Z");
const it = await testService({ clock });
const { ground } = it.service;

interface Given {
  id: string;
  email?: string;
  phone?: string;
  verified?: boolean;
  subscribed?: boolean;
}

/** Identifies people one after the other, a second apart. */
async function people(group: string, given: Given[]): Promise<void> {
  for (const { id, verified = true, ...attributes } of given) {
    clock.forward(1_000);
    const body = { person_id: id, attributes: { ...attributes, group } };
    expect((await it.call("POST", "/data-gateway/v1/identify", { body })).status).toBe(200);
    if (!verified)
      await ground.db.execute(sql`
        update people set email_verified = false, phone_verified = false where person_id = ${id} and workspace_id = ${it.workspaceId}`);
  }
}

async function broadcast(group: string, change: object = {}): Promise<string> {
  const body = {
    name: group,
    channel: "email",
    audience: { attribute: "group", op: "eq", value: group },
    content: { subject: "Hi {{person.person_id}}", body: "<p>Hi</p>", from: "a@acme.test" },
    ...change,
  };
  const made = await it.call("POST", "/api/v1/broadcasts", { body });
  expect(made.status).toBe(201);
  return made.body.id;
}

const start = (id: string) => it.call("POST", `/api/v1/broadcasts/${id}/send`);
const work = async () => {
  while (await step(ground, 0));
};
const preflight = async (id: string) => (await it.call("POST", `/api/v1/broadcasts/${id}/preflight`)).body;

/** Returns the status or reason of each person's delivery. */
async function outcome(id: string): Promise<Record<string, string>> {
  const { data } = (await it.call("GET", `/api/v1/deliveries?source_id=${id}&limit=200`)).body;
  return Object.fromEntries(
    data.map((row: { person_id: string; reason: string | null; status: string }) => [
      row.person_id,
      row.reason ?? row.status,
    ]),
  );
}

test("the verified person gets it, else the one who was identified last, and never one who unsubscribed", async () => {
  await people("mail", [
    { id: "v", email: "v@one.test" },
    { id: "v-late", email: "v@one.test", verified: false },
    { id: "l-early", email: "l@one.test" },
    { id: "l-late", email: "l@one.test" },
    { id: "u-off", email: "u@one.test", subscribed: false },
    { id: "u-on", email: "u@one.test", verified: false },
    { id: "alone", email: "alone@one.test" },
    { id: "listed-1", email: "x@one.test" },
    { id: "listed-2", email: "x@one.test" },
  ]);
  await it.call("POST", "/api/v1/suppressions", { body: { channel: "email", address: "x@one.test" } });
  const id = await broadcast("mail");
  const before = await preflight(id);
  expect(before).toMatchObject({
    audience: 9,
    will_receive: 4,
    excluded: { unsubscribed: 1, suppressed: 1, no_address: 0, same_address: 3 },
    samples: { same_address: expect.arrayContaining(["v-late", "l-early", "listed-1"]) },
  });
  await start(id);
  await work();
  expect(await outcome(id)).toEqual({
    v: "queued",
    "v-late": "same_address",
    "l-early": "same_address",
    "l-late": "queued",
    "u-off": "unsubscribed",
    "u-on": "queued",
    alone: "queued",
    "listed-1": "same_address",
    "listed-2": "manual",
  });
  const left = await ground.db.query(sql`select from broadcast_addresses`);
  expect(left).toHaveLength(0);
});

test("the rule holds for SMS too, unless the content names the number; push and in-app have no address", async () => {
  await people("sms", [
    { id: "p1", phone: "+4915112345678" },
    { id: "p2", phone: "+4915112345678" },
  ]);
  const own = await broadcast("sms", { channel: "sms", content: { body: "Hi" } });
  expect(await preflight(own)).toMatchObject({ will_receive: 1, excluded: { same_address: 1 } });
  const elsewhere = await broadcast("sms", { channel: "sms", content: { body: "Hi", to: "+4915112345670" } });
  expect((await preflight(elsewhere)).will_receive).toBe(2);
  await start(own);
  await work();
  expect(await outcome(own)).toEqual({ p1: "same_address", p2: "queued" });
});

test("each address gets one copy over batches and restarts, as the preflight told", async () => {
  // 900 people with 300 addresses, three each, spread over all batches by their keys.
  await ground.db.execute(sql`
    insert into people (person_key, workspace_id, person_id, email, email_verified, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${it.workspaceId}, 'crowd-' || n, 'c' || n % 300 || '@crowd.test', n < 300, '{"group": "crowd"}', '2026-01-01', '2026-01-01', '2026-01-01'
    from generate_series(0, 899) n`);
  const id = await broadcast("crowd");
  expect(await preflight(id)).toMatchObject({ will_receive: 300, excluded: { same_address: 600 } });
  await start(id);
  // Interrupted in the middle of a batch: nothing of it stays.
  await step(ground, 0);
  await step(ground, 0);
  const fails = {
    ...ground.workDb,
    transaction: <T>(run: (tx: never) => Promise<T>) =>
      ground.workDb.transaction(async (tx) => {
        await run(tx as never);
        throw new Error("cut off");
      }),
  };
  await step({ ...ground, workDb: fails as never }, 0).catch(() => {});
  clock.forward(60_000);
  await work();
  const rows = await ground.db.query<{ recipient: string; first: boolean }>(sql`
    select d.recipient, p.email_verified as first from deliveries d join people p using (person_key)
    where d.source = 'broadcast' and d.recipient like '%@crowd.test'`);
  expect(rows).toHaveLength(300);
  expect(new Set(rows.map((row) => row.recipient)).size).toBe(300);
  expect(rows.every((row) => row.first)).toBe(true);
  expect((await it.call("GET", `/api/v1/broadcasts/${id}/metrics`)).body).toMatchObject({ failed: 600 });
});

test("if the person who was chosen is erased, merged or gets another address, another person gets the copy", async () => {
  const pairs = ["erased", "merged", "moved"];
  await people(
    "gone",
    pairs.flatMap((name) => [
      { id: `${name}-other`, email: `${name}@gone.test` },
      { id: `${name}-first`, email: `${name}@gone.test` },
    ]),
  );
  const id = await broadcast("gone");
  await start(id);
  await step(ground, 0);
  await it.call("DELETE", "/api/v1/people/erased-first");
  await it.call("POST", "/api/v1/people/merged-first/merge", { body: { into: "merged-other" } });
  await it.call("POST", "/data-gateway/v1/identify", {
    body: { person_id: "moved-first", attributes: { email: "away@gone.test" } },
  });
  await work();
  expect(await outcome(id)).toEqual({
    "erased-other": "queued",
    "merged-other": "queued",
    "moved-other": "queued",
    "moved-first": "queued",
  });
});

test.skipIf(inShards)("people who share an address are found by an index among many rows", async () => {
  await ground.db.execute(sql`
    insert into people (person_key, workspace_id, person_id, email, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${it.workspaceId}, 'many-' || n, 'm' || n || '@many.test', '{}', '2026-01-01', '2026-01-01', '2026-01-01'
    from generate_series(1, 30000) n`);
  await ground.db.execute(sql`analyze people`);
  const seen: Statement[] = [];
  const sending = { channel: "email", oncePerAddress: true, workspaceId: it.workspaceId } as never;
  const keys = Array.from({ length: 1_000 }, (_, i) => personKey(it.workspaceId, `many-${i}`));
  await claimants(noted(ground.db, seen), sending, keys);
  const plans = (await plansOf(ground.db, seen)).join();
  expect(plans).toContain("people_email");
  expect(plans).not.toContain("Seq Scan");
});
