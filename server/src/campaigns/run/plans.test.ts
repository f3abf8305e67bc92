import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { keptPlan, noted, plansOf } from "../../../test/support/database/plans.ts";
import { testService } from "../../../test/support/service.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { writePassages } from "./passages-store.ts";
import type { RunRow } from "./run.ts";
import { insertRuns } from "./enter-store.ts";
import { claimDue, holdActive, isCampaignDue, type WorkingCampaign, workingCampaigns, writeRuns } from "./store.ts";

// What the engine asks of PostgreSQL finds its rows by index among many.

const it = await testService();
const { ground } = it.service;

const now = new Date("2026-03-01T12:00:00Z");

test.skipIf(inShards)("among 100,000 runs of 20 campaigns the due ones are found by the due index", async () => {
  await ground.db.execute(sql`
    insert into campaigns (workspace_id, id, name, status, definition, version, graph, created_at, updated_at)
    select ${it.workspaceId}, gen_random_uuid(), 'c' || n, case when n <= 20 then 'active' else 'archived' end, '{}', 1, 1, now(), now()
    from generate_series(1, 2000) n`);
  await ground.db.execute(sql`
    insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, entered_at, stepped_at, due_at, ended_at)
    select gen_random_uuid(), gen_random_uuid(), c.workspace_id, c.id, 1, case when n % 4 = 0 then 'completed' else 'active' end,
      case when n % 4 > 0 then 'a' end, '{}', now(), now(),
      case when n % 4 > 0 then ${now}::timestamptz + (n - 500) * interval '1 minute' end, case when n % 4 = 0 then now() end
    from campaigns c, generate_series(1, 5000) n where c.status = 'active'`);
  await ground.db.execute(sql`analyze campaigns, campaign_runs, campaign_passages`);
  const seen: Statement[] = [];
  const working = await workingCampaigns(noted(ground.db, seen), now);
  expect(working).toHaveLength(20);
  expect(working[0]).toMatchObject({ ending: false, due: new Date(now.getTime() - 499 * 60_000) });
  const of = working[0] as WorkingCampaign;
  await ground.db.transaction(async (tx) => {
    const spy = noted(tx, seen);
    expect(await holdActive(spy, of)).toEqual({ graph: 1, behind: 0 });
    const runs = await claimDue(spy, of, { now, clock: now }, { limit: 250, without: [] });
    expect(runs).toHaveLength(250);
    expect(runs.map((run) => run.due_at?.getTime())).toEqual(runs.map((run) => run.due_at?.getTime()).toSorted());
    await writeRuns(
      spy,
      runs.map((run) => ({ ...run, step_id: "b", stepped_at: now, due_at: now, outputs: null })),
    );
    await writePassages(
      spy,
      runs.map((run) => ({
        person_key: run.person_key,
        run_id: run.id,
        step_id: "a",
        workspace_id: run.workspace_id,
        campaign_id: run.campaign_id,
        entered_at: now,
        left_at: now,
        state: "passed",
        way: null,
        reason: null,
        delivery_id: null,
        deliveries: null,
        detail: null,
      })),
    );
  });
  const [run] = await ground.db.query<RunRow>(sql`select * from campaign_runs limit 1`);
  const kept = await keptPlan(ground.db, (q) => writeRuns(q, [{ ...(run as RunRow), outputs: null }]));
  expect(kept).toContain("campaign_runs_pkey");
  const isDue = (at: Date) => noted(ground.db, seen).query(sql`select ${isCampaignDue(at, ground.db)} as due`);
  expect(await isDue(now)).toEqual([{ due: true }]);
  const plans = await plansOf(ground.db, seen);
  expect(plans).toHaveLength(6);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan/);
  expect(plans[0]).toContain("campaigns_working");
  expect(plans[0]).toContain("campaign_runs_due");
  expect(plans[2]).toContain("Index Scan using campaign_runs_due");
  expect(plans[3]).toContain("campaign_runs_pkey");
  expect(plans[5]).toContain("campaigns_working");
  expect(plans[5]).toContain("campaign_runs_due");
});

test.skipIf(inShards)(
  "a campaign's clock that is behind makes its runs due later, and a held run is left to who holds it",
  async () => {
    const id = newId();
    const of = { workspaceId: it.workspaceId, campaignId: id };
    await ground.db.execute(sql`
    insert into campaigns (workspace_id, id, name, status, definition, version, graph, behind, created_at, updated_at)
    values (${it.workspaceId}, ${id}, 'behind', 'active', '{}', 1, 1, '1 hour', now(), now())`);
    const run = { personKey: newId(), id: newId(), workspaceId: it.workspaceId, campaignId: id, graph: 1, stepId: "a" };
    const data = { a: '{}"' };
    const cancellationKey = 'a "b", {c}';
    await insertRuns(ground.db, [{ ...run, data, cancellationKey, always: true, openSince: null }], now);
    const asked = new Date(now.getTime() - 3_600_000);
    const ten = { limit: 10, without: [] };
    await ground.db.transaction(async (tx) => {
      expect(await claimDue(tx, of, { now, clock: new Date(asked.getTime() - 1) }, ten)).toEqual([]);
      expect(await claimDue(tx, of, { now, clock: asked }, ten)).toMatchObject([
        { id: run.id, data, cancellation_key: cancellationKey, stepped_at: asked, due_at: asked, entered_at: now },
      ]);
      await ground.workDb.transaction(async (other) =>
        expect(await claimDue(other, of, { now, clock: asked }, ten)).toEqual([]),
      );
    });
  },
);
