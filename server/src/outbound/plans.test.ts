import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { keptPlan, noted, plansOf } from "../../test/support/database/plans.ts";
import { testDatabase } from "../../test/support/database.ts";
import { listDeliveries } from "../activity/deliveries/list-store.ts";
import { openDb, type Statement, sql } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { type Settlement, settle } from "./queue/settle-store.ts";
import { claim } from "./queue/store.ts";
import { failWaiting } from "./sending/give-up-store.ts";

const db = openDb({
  url: await testDatabase(),
  connections: 1,
  signals: { publish: () => {} },
  log: pino({ level: "silent" }),
});
afterAll(() => db.close());
// Only the tests analyze the table.
await db.execute(sql`alter table deliveries set (autovacuum_enabled = false)`);

const settlement = (): Settlement => ({
  job: { personKey: newId(), deliveryId: newId(), leaseId: newId() } as Settlement["job"],
  status: "sent",
  reason: null,
  provider: "local",
  providerMessageId: null,
  waitMs: null,
  note: {},
  dead: [],
});

const fill = () =>
  db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, first_due_at, due_at)
    select gen_random_uuid(), gen_random_uuid(), md5((n % 20)::text)::uuid, 'email', 'broadcast', 'queued', now(), now(),
      case when n % 100 = 0 then now() end
    from generate_series(1, 40000) n`);

test.skipIf(inShards)(
  "due deliveries are found by their index, also by the plan that an empty table gets",
  async () => {
    const plan = await keptPlan(db, (spy) => claim(spy, newId(), 100, { full: [] }));
    expect(plan.match(/Index Scan using deliveries_due/g)).toHaveLength(2);
    expect(plan).toMatch(/Nested Loop.*Index Scan using deliveries_(?:pkey|id) on deliveries d/s);
    expect(plan).not.toMatch(/Hash Join|Seq Scan/);
  },
);

test.skipIf(inShards)(
  "settling finds its rows by key: in an empty table, in one without statistics, and in a big one",
  async () => {
    const plan = () => keptPlan(db, (spy) => settle(spy, Array.from({ length: 8 }, settlement), new Date()));
    const byKey = /Nested Loop.*Index Scan using deliveries_(?:pkey|id) on deliveries d/s;
    expect(await plan()).toMatch(byKey);
    await fill();
    expect(await plan()).toMatch(byKey);
    await db.execute(sql`analyze deliveries`);
    expect(await plan()).toMatch(byKey);
  },
);

test.skipIf(inShards)("giving up reads only due deliveries", async () => {
  await fill();
  await db.execute(sql`analyze deliveries`);
  const plan = await keptPlan(db, (spy) =>
    failWaiting(spy as never, [{ workspaceId: newId(), channel: "email" }], {
      reasons: { overdue: "a", expired: "b" },
      most: 500,
      now: new Date(),
    }),
  );
  expect(plan).toMatch(/using deliveries_due|on deliveries_due/);
  expect(plan).not.toMatch(/Seq Scan on deliveries/);
});

test.skipIf(inShards)(
  "the list of deliveries finds a rare status by an index that has few rows, also one that no delivery has",
  async () => {
    const workspaceId = newId();
    await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, reason)
    select gen_random_uuid(), gen_random_uuid(), ${workspaceId}, 'email', 'broadcast',
      case when n % 200 = 0 then 'failed' else 'delivered' end, now() - n * interval '1 second', case when n % 200 = 0 then 'no_address' end
    from generate_series(1, 20000) n`);
    await db.execute(sql`analyze deliveries`);
    const none = { source_id: undefined, person_key: undefined, since: undefined, until: undefined };
    const counted = { metric: "unsubscribed" as const, from: undefined, to: undefined };
    const filters = [
      { status: "failed" as const },
      { status: "complained" as const },
      { counted },
      { reason: "no_address" },
    ];
    const seen: Statement[] = [];
    const found = [];
    for (const filter of filters) {
      const page = { filter: { ...none, ...filter }, after: undefined, descending: true, limit: 51 };
      found.push((await listDeliveries(noted(db, seen), workspaceId, page)).length);
    }
    expect(found).toEqual([51, 0, 0, 51]);
    for (const plan of await plansOf(db, seen)) expect(plan).toMatch(/using deliveries_trouble on deliveries/);
  },
);
