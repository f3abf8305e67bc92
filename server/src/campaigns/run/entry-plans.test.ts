import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { keptPlan, noted, plansOf } from "../../../test/support/database/plans.ts";
import { testService } from "../../../test/support/service.ts";
import { published } from "../../../test/support/services/published.ts";
import { type Statement, sql, type Tx } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { endTheirs } from "./end-store.ts";
import { insertRuns } from "./enter-store.ts";
import { noteGoals } from "./goals-store.ts";
import { listRuns } from "../look/list-store.ts";
import { waitingFor, wakeRuns } from "./wake-store.ts";

// What an event asks of PostgreSQL finds its rows by index among many runs.

const it = await testService();
const { db } = it.service.ground;
const now = new Date("2026-03-01T12:00:00Z");
/** What a transaction does beside its statements. */
const NOTHING = {
  signal() {},
  announce: () => undefined,
  afterCommit() {},
  ifUnknown() {},
  commitBehind() {},
};

test.skipIf(inShards)(
  "a plan that is kept from the time when nobody had entered finds the entries by index",
  async () => {
    const run = {
      personKey: newId(),
      id: newId(),
      workspaceId: newId(),
      campaignId: newId(),
      graph: 1,
      stepId: "pause",
    };
    const plan = await keptPlan(db, (q) =>
      insertRuns(q, [{ ...run, data: {}, cancellationKey: null, always: false, openSince: null }], now),
    );
    expect(plan).not.toMatch(/Seq Scan on campaign_entries/);
  },
);

test.skipIf(inShards)("among 50,000 runs no statement of an event, and no list, reads them all", async () => {
  const { campaignId, workspaceId } = await published(it);
  await db.execute(sql`
    insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, entered_at, stepped_at, due_at,
      waits_for, ended_at)
    select gen_random_uuid(), gen_random_uuid(), ${workspaceId}, ${campaignId}, 1, case when n % 2 = 0 then 'completed' else 'active' end,
      case when n % 2 = 1 then case when n % 1000 = 1 then 'seldom' else 'pause' end end, '{}', ${now}::timestamptz - n * interval '1 minute', now(), now(),
      case when n % 2 = 1 then 'payment' end, case when n % 2 = 0 then now() end
    from generate_series(1, 50000) n`);
  await db.execute(sql`
    insert into campaign_entries (person_key, campaign_id, workspace_id, entered_at)
    select person_key, campaign_id, workspace_id, entered_at from campaign_runs`);
  await db.execute(sql`
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, state)
    select person_key, id, step_id, workspace_id, campaign_id, entered_at, 'waiting' from campaign_runs where step_id is not null`);
  await db.execute(sql`analyze campaign_runs, campaign_entries, campaign_passages, campaigns`);
  const seen: Statement[] = [];
  const spy: Tx = { ...NOTHING, ...noted(db, seen) };
  const people = Array.from({ length: 20 }, () => newId());
  const [first = ""] = people;
  const run = { workspaceId, campaignId, graph: 1, stepId: "pause", data: {}, cancellationKey: null };
  await insertRuns(
    spy,
    people.map((personKey) => ({ ...run, personKey, id: newId(), always: false, openSince: null })),
    now,
  );
  await waitingFor(
    spy,
    people.map((personKey) => ({ personKey, name: "payment" })),
  );
  const woken = { person_key: first, id: newId(), step_id: "pause", waits_for: "payment" };
  await wakeRuns(spy, [{ run: woken, properties: {} }], now);
  const theirs = people.map((personKey) => ({ personKey, campaignId, cancellationKey: null }));
  await endTheirs(spy, theirs, { status: "canceled", reason: "cancel_on" }, now);
  await noteGoals(
    spy,
    people.map((personKey) => ({ personKey, campaignId, ts: now, withinMs: 60_000 })),
  );
  const of = { workspaceId, campaignId };
  const anyRun = { personKey: undefined, stepId: undefined, status: undefined };
  for (const filter of [{ personKey: first }, { stepId: "seldom" }, {}])
    await listRuns(spy, of, { ...anyRun, ...filter }, { before: undefined, limit: 50 });
  expect(seen).toHaveLength(8);
  for (const plan of await plansOf(db, seen)) expect(plan).not.toMatch(/Seq Scan on campaign_(runs|entries|passages)/);
});
