import { describe, expect, test } from "vitest";
import { metricsService, wait } from "../../../test/support/campaigns/metrics.ts";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { type Queries, type Statement, sql } from "../../platform/db/index.ts";
import { countRuns, countSteps } from "./figures-store.ts";
import { listRuns, type RunFilter } from "./list-store.ts";

const { it, db, campaignWith, get } = await metricsService();

describe("the numbers of a campaign", () => {
  test("have no goal where the campaign has none, and only those steps and messages that a channel has", async () => {
    const message = {
      id: "mail",
      type: "message" as const,
      channel: "email" as const,
      content: { subject: "s", body: "b" },
    };
    const { path } = await campaignWith({ steps: [wait("a"), message], goal: null });
    const all = await get(`${path}/metrics?bucket=hour&by=channel`);
    expect(all.runs).toEqual({ entered: 0, active: 0, completed: 0, exited: 0, failed: 0, canceled: 0 });
    expect(all.steps.a).toEqual({ entered: 0, waiting: 0, passed: 0, failed: 0, exited: 0 });
    expect(all).not.toHaveProperty("goal");
    expect(all.series).toMatchObject({ bucket: "hour", timezone: "UTC", parts: [] });
    expect(all.series.data).toHaveLength(48);
    expect(all.series.data[0]).toMatchObject({
      runs: { entered: 0, completed: 0, exited: 0, failed: 0, canceled: 0 },
      messages: { sent: 0 },
    });
    const mails = await get(`${path}/metrics?channel=email`);
    expect(Object.keys(mails.steps)).toEqual(["mail"]);
    expect(mails).not.toHaveProperty("series");
  });

  test.each([
    ["/metrics?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z", "from"],
    ["/metrics?bucket=hour&from=2020-03-02T00:00:00Z&to=2026-03-01T00:00:00Z", "from"],
    ["/metrics?bucket=week", "bucket"],
    ["/metrics?by=variant", "by"],
    ["/runs?state=passed", "state"],
    ["/runs?step=a&state=gone", "state"],
    ["/runs?converted=perhaps", "converted"],
    ["/runs?from=yesterday", "from"],
  ])("refuse %s", async (query, parameter) => {
    const { path } = await campaignWith();
    expect(await it.call("GET", `${path}${query}`)).toMatchObject({ status: 400, body: { errors: [{ parameter }] } });
  });
});

test("among 100,000 runs of 20 campaigns the numbers and the lists behind them are found by index", async () => {
  await db.execute(sql`
    insert into campaigns (workspace_id, id, name, status, definition, version, graph, created_at, updated_at)
    select ${it.workspaceId}, gen_random_uuid(), 'many', 'paused', '{}', 1, 1, now(), now() from generate_series(1, 20) n`);
  await db.execute(sql`
    insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, entered_at, stepped_at, ended_at, goal_at)
    select gen_random_uuid(), gen_random_uuid(), c.workspace_id, c.id, 1,
      case when n % 100 = 1 then 'failed' when n % 4 > 0 then 'completed' else 'active' end, case when n % 4 = 0 then 'b' end, '{}',
      t.at, t.at, case when n % 4 > 0 then t.at end, case when n % 9 = 0 then t.at end
    from campaigns c, generate_series(1, 5000) n, lateral (select '2026-03-01'::timestamptz + n * interval '1 minute' as at) t
    where c.name = 'many'`);
  await db.execute(sql`
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state)
    select r.person_key, r.id, s.id, r.workspace_id, r.campaign_id, r.entered_at,
      case when r.step_id is null or s.id = 'a' then r.entered_at end,
      case when s.id = 'b' and r.status = 'failed' then 'failed' when r.step_id is null or s.id = 'a' then 'passed' else 'waiting' end
    from campaign_runs r join campaigns c on c.id = r.campaign_id and c.name = 'many', (values ('a'), ('b')) s (id)`);
  await db.execute(sql`analyze campaigns, campaign_runs, campaign_passages`);
  const [campaign] = await db.query<{ id: string }>(sql`select id from campaigns where name = 'many' limit 1`);
  const of = { workspaceId: it.workspaceId, campaignId: campaign?.id ?? "" };
  const planOf = async (ask: (q: Queries) => Promise<unknown>): Promise<string> => {
    const seen: Statement[] = [];
    await ask(noted(db, seen));
    return (await plansOf(db, seen)).join();
  };
  const bounds = [1, 2, 3, 4].map((day) => new Date(Date.UTC(2026, 2, day)));
  for (const counted of [undefined, bounds]) {
    expect(await planOf((q) => countRuns(q, of, counted))).not.toContain("Seq Scan on campaign_runs");
    expect(await planOf((q) => countSteps(q, of, counted))).not.toMatch(/Seq Scan on campaign_(runs|passages)/);
  }
  const [from, to] = bounds;
  const lists: [RunFilter, string][] = [
    [{}, "campaign_runs_newest"],
    [{ from, to }, "campaign_runs_newest"],
    [{ status: "failed" }, "campaign_runs_ended"],
    [{ status: "completed", from, to }, "campaign_runs_ended"],
    [{ converted: true }, "campaign_runs_goal"],
    [{ stepId: "b", state: "failed" }, "campaign_passages_left"],
    [{ stepId: "b", state: "passed", from, to }, "campaign_passages_left"],
    [{ stepId: "b" }, "campaign_runs"],
    [{ stepId: "b", state: "entered" }, "campaign_runs_newest"],
    [{ stepId: "b", converted: true }, "campaign_runs_goal"],
  ];
  for (const [filter, index] of lists) {
    const plan = await planOf((q) => listRuns(q, of, filter, { before: undefined, limit: 51 }));
    expect(plan, JSON.stringify(filter)).toContain(index);
    expect(plan, JSON.stringify(filter)).not.toMatch(/Seq Scan on campaign_(runs|passages)/);
  }
});
