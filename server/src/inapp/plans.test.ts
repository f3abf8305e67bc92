import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { keptPlan, noted, plansOf } from "../../test/support/database/plans.ts";
import { testDatabase } from "../../test/support/database.ts";
import { testService } from "../../test/support/service.ts";
import { openDb, type Queries, type Statement, sql } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { capsOf } from "./delivery/caps-store.ts";
import { nextLive, versionsAfter } from "./delivery/later-store.ts";
import { firstLive, liveAfter } from "./delivery/live-store.ts";
import { moveAndLog, statesOf } from "./delivery/store.ts";
import { cards, markRead, unreadCards } from "./inbox/inbox-store.ts";
import { cancelBatch, cancelOne, findDelivery } from "./queue/recall-store.ts";
import { noteTestSyncs, testDelivery } from "./sync/trace-store.ts";

const it = await testService();
const { db } = it.service.ground;
await db.execute(sql`
  insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, live, inbox, priority, message_id, message_version)
  select md5((n / 10)::text)::uuid, gen_random_uuid(), ${it.workspaceId}, 'in_app', 'broadcast', 'queued', now() - n * interval '1 second',
    n % 3 = 0, n % 2 = 0, n % 100, md5((n % 60)::text)::uuid, 1
  from generate_series(1, 60000) n`);
await db.execute(sql`
  insert into in_app_caps select md5(n::text)::uuid, '{}', 0 from generate_series(1, 5000) n`);
await db.execute(sql`
  insert into in_app_counts select md5((n / 10)::text)::uuid, md5((n % 60)::text)::uuid, 1, now(), 1 from generate_series(1, 20000) n on conflict do nothing`);
await db.execute(sql`analyze deliveries, in_app_caps, in_app_counts`);

const state = {
  status: "queued",
  live: true,
  impressions: 0,
  clicked: false,
  dismissed: false,
  seenAt: 1,
  actedAt: 1,
} as const;
const shared = { shared_limits: true, counted: 1, counted_revision: 1 };
const move = {
  id: newId(),
  from: { ...state, ...shared, message_id: newId(), message_version: 1, place: "(0,1)", writer: "1000" },
  to: { ...state, status: "shown" as const, impressions: 1 },
  entries: [{ type: "in_app.impression", at: new Date() }],
};

/** Runs it and gives the plan of each statement that it ran, by the statement's name or its text. */
async function namedPlans(run: (spy: Queries) => Promise<void>): Promise<[string, string][]> {
  const seen: Statement[] = [];
  await run(noted(db, seen));
  const plans = await plansOf(db, seen);
  return seen.map(({ name, text }, i) => [name ?? text, plans[i] ?? ""]);
}

test.skipIf(inShards)("sync and interactions find their rows by index, also among many", async () => {
  const index: Record<string, RegExp> = {
    "inapp.firstLive": /using deliveries_live/,
    "inapp.liveAfter": /using deliveries_(?:live|versions)/,
    // Both steps of the recursion.
    "inapp.versionsAfter": /(?:Index Only Scan Backward using deliveries_versions.*){2}/s,
    "inapp.nextLive": /Index Scan using deliveries_versions.*row\(queued_at, id\)/is,
    "inapp.statesOf": /using deliveries_(?:pkey|id)/,
    "inapp.moveAndLog": /Tid Scan on deliveries/,
  };
  const hidden = [1, 2].map((n) => ({ message_id: newId(), message_version: n }));
  const one = () => ({ personKey: newId(), want: 10, after: newId(), hidden });
  const asked = [one(), one(), one()];
  const plans = await namedPlans(async (spy) => {
    await firstLive(spy, asked);
    await liveAfter(spy, one());
    await versionsAfter(spy, asked);
    await nextLive(spy, asked);
    await statesOf(spy, [{ personKey: newId(), id: newId() }]);
    await moveAndLog(spy, [move], new Date());
  });
  expect(plans.map(([name]) => name)).toEqual(Object.keys(index));
  for (const [name, plan] of plans) {
    expect(plan, name).not.toMatch(/Seq Scan/);
    expect(plan, name).toMatch(index[name] as RegExp);
  }
});

test.skipIf(inShards)(
  "an interaction reads rows by key and updates them by position, even with the plans made for an empty table",
  async () => {
    const empty = openDb({
      url: await testDatabase(),
      connections: 1,
      signals: { publish: () => {} },
      log: pino({ level: "silent" }),
    });
    onTestFinished(() => empty.close());
    const read = await keptPlan(empty, (spy) => statesOf(spy, [{ personKey: newId(), id: newId() }]));
    expect(read).toMatch(/Nested Loop.*Index Scan using deliveries_(?:pkey|id) on deliveries d/s);
    const write = await keptPlan(empty, (spy) => moveAndLog(spy, [move], new Date()));
    expect(write).toMatch(/Nested Loop.*Tid Scan on deliveries d/s);
    for (const plan of [read, write]) expect(plan).not.toMatch(/Seq Scan/);
  },
);

test.skipIf(inShards)(
  "the inbox, marks, caps, recalls and traces find their rows by index, also among many",
  async () => {
    const [personKey, messageId, id] = [newId(), newId(), newId()];
    const visit = {
      at: new Date(),
      returned: true,
      screen: null,
      timezone: null,
      tz_offset_minutes: null,
      held_by: [],
    };
    const range = { personKey, now: new Date(), unreadOnly: true, before: undefined, limit: 50 };
    const plans = await namedPlans(async (spy) => {
      await cards(spy, range);
      await cards(spy, { ...range, before: [new Date().toISOString(), id] });
      await unreadCards(spy, personKey, new Date());
      await markRead(spy, { personKey, id }, new Date());
      await markRead(spy, { personKey, id }, null);
      await capsOf(spy, [personKey]);
      await findDelivery(spy, it.workspaceId, id);
      await testDelivery(spy, it.workspaceId, messageId, id);
      await noteTestSyncs(spy, [{ ...visit, personKey, id }]);
      await cancelOne(spy, personKey, id);
      await cancelBatch(spy, it.workspaceId, { messageId }, { after: undefined, limit: 1_000 });
      await cancelBatch(spy, it.workspaceId, { messageId, sourceId: newId() }, { after: undefined, limit: 1_000 });
    });
    expect(plans).toHaveLength(12);
    for (const [text, plan] of plans) {
      expect(plan, text).not.toMatch(/Seq Scan/);
      expect(plan, text).toMatch(/(?:using|on) (?:deliveries|in_app_caps)_\w+/);
    }
  },
);

test("no index names what an impression, a click, a read mark or the note of a test changes: they are HOT updates", async () => {
  const found = await db.query<{ indexdef: string }>(
    sql`select indexdef from pg_indexes where tablename = 'deliveries' and indexdef ~ 'status|impression|shown_at|clicked_at|read_at|fetched_at|last_sync'`,
  );
  expect(found).toEqual([]);
});
