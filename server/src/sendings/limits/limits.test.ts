import { expect, test } from "vitest";
import { waitingForLocks } from "../../../test/support/database/locks.ts";
import { inShards } from "../../../test/support/database/citus.ts";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { findPeopleByKeys } from "../../people/index.ts";
import { isDeadlock, sql, type Statement } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { personKey, type Workspace, workspaceById } from "../../workspaces/index.ts";
import type { Sending } from "../sending.ts";
import { askHeld, lockLimits } from "./limits.ts";
import { receivedSince } from "./store.ts";

// The statements that ask for limits: none without limits, an index range for each person, and one transaction after the other.

const it = await testService();
const { db, workDb } = it.service.ground;
const row = (await workspaceById(db, it.workspaceId)) as Workspace;
const limited = (marketing_limits: Workspace["marketing_limits"]): Workspace => ({ ...row, marketing_limits });
const email: Sending = {
  workspaceId: it.workspaceId,
  source: "campaign",
  sourceId: newId(),
  splitBy: "",
  channel: "email",
  editions: { locales: null, variants: null },
  holdoutPercent: 0,
  topicId: null,
  tracking: { opens: false, clicks: false },
  preference: "subscribed",
  whenHeld: "wait",
  oncePerAddress: false,
};
const now = new Date("2026-03-10T12:00:00Z");

const ids = Array.from({ length: 20 }, (_, i) => `p-${i}`);
for (const person_id of ids)
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes: {} } });
const keys = ids.map((id) => personKey(it.workspaceId, id));
const people = [...(await findPeopleByKeys(db, keys)).values()];

/** Returns the names of the statements that a batch needs for its limits. */
async function statements(marketing_limits: Workspace["marketing_limits"]): Promise<unknown[]> {
  const seen: Statement[] = [];
  await workDb.transaction(async (tx) => {
    const ask = await lockLimits(noted(tx, seen), limited(marketing_limits), keys);
    await ask(email, people, now);
  });
  return seen.map(({ name }) => name);
}

test("a batch takes no statement without limits, and a fixed number with them", async () => {
  expect(await statements({})).toEqual([]);
  expect(await statements({ channels: { sms: { window: { from: "09:00" } } } })).toEqual([]);
  expect(await statements({ window: { from: "09:00" } })).toEqual(["subscriptions.exemptTopics"]);
  expect(await statements({ per_day: 1 })).toEqual([
    inShards ? undefined : "sendings.lockFrequency",
    "subscriptions.exemptTopics",
    "sendings.receivedSince",
  ]);
});

const deliver = (key: string, { channel = "email", source = "campaign", status = "sent", hours = 1 } = {}) =>
  db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at)
    values (${key}, ${newId()}, ${it.workspaceId}, ${channel}, ${source}, ${status},
      ${new Date(now.getTime() - hours * 3_600_000)})`);

test("counts what broadcasts and campaigns sent, and nothing that failed or that is transactional", async () => {
  const [counts, failed, suppressed, transactional, earlier, push] = keys as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  await deliver(counts, { source: "broadcast" });
  await deliver(failed, { status: "failed" });
  await deliver(suppressed, { status: "suppressed" });
  await deliver(transactional, { source: "transactional" });
  await deliver(earlier, { hours: 24 });
  await deliver(push, { channel: "push" });
  const heldOf = async (limits: Workspace["marketing_limits"]) => {
    const held = await askHeld(db, limited(limits))(email, people, now);
    return people.filter((_, i) => held[i]).map((person) => person.person_id);
  };
  expect((await heldOf({ per_day: 1 })).toSorted()).toEqual(["p-0", "p-5"]);
  expect(await heldOf({ channels: { email: { per_day: 1 } } })).toEqual(["p-0"]);
  expect((await heldOf({ channels: { email: { per_week: 1 } } })).toSorted()).toEqual(["p-0", "p-4"]);
  expect(await heldOf({ channels: { sms: { per_day: 1 } } })).toEqual([]);
});

test("a person who occurs twice in a batch counts twice", async () => {
  const person = people.find(({ person_id }) => person_id === "p-9") as (typeof people)[number];
  const held = await askHeld(db, limited({ per_day: 2 }))(email, [person, person, person], now);
  expect(held).toEqual([undefined, undefined, { by: "limit", until: new Date(now.getTime() + 86_400_000) }]);
});

test.skipIf(inShards)("among many deliveries a person's are found by the primary key", async () => {
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at)
    select gen_random_uuid(), gen_random_uuid(), ${it.workspaceId}, 'email', 'campaign', 'sent', now() from generate_series(1, 20000)`);
  await db.execute(sql`analyze deliveries`);
  const seen: Statement[] = [];
  await receivedSince(noted(db, seen), keys, { since: now, channel: null, exempt: [newId()] });
  for (const plan of await plansOf(db, seen)) {
    expect(plan).toMatch(/Index Scan using deliveries_pkey/);
    expect(plan).not.toMatch(/Seq Scan/);
  }
});

/** In shards two transactions lock the people of several nodes in any order, and Citus ends one of them: its caller repeats it. */
const repeated = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error) => (inShards && isDeadlock(error) ? repeated(work) : Promise.reject(error)));

test("of two transactions that send to the same people the second one counts after the first one, and neither waits in a circle", async () => {
  const workspace = limited({ per_day: 1 });
  const mine = keys.slice(10, 20);
  /** Sends to everybody whom the limit allows, and returns how many they are. */
  const send = (order: string[], reached?: () => Promise<void>) =>
    workDb.transaction(async (tx) => {
      const ask = await lockLimits(tx, workspace, order);
      const theirs = people.filter((person) => order.includes(person.person_key));
      const held = await ask(email, theirs, now);
      await reached?.();
      const free = theirs.filter((_, i) => !held[i]);
      for (const { person_key } of free)
        await tx.execute(sql`
          insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at)
          values (${person_key}, ${newId()}, ${it.workspaceId}, 'email', 'campaign', 'queued', ${now})`);
      return free.length;
    });
  const others: Promise<number>[] = [];
  const first = await send(mine, async () => {
    others.push(
      repeated(() => send(mine.toReversed())),
      repeated(() => send(mine.slice(3))),
    );
    await until(async () => (await waitingForLocks(db)) >= 2, "two transactions that wait");
  });
  expect(first).toBe(10);
  expect(await Promise.all(others)).toEqual([0, 0]);
});
