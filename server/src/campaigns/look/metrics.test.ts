import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { count, happenings } from "../../../test/support/services/deliveries.ts";
import { published } from "../../../test/support/services/published.ts";
import { type Queries, raw, type Statement, sql } from "../../platform/db/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import type { CampaignRef } from "../run/run.ts";
import { countRuns, countSteps } from "./figures-store.ts";
import { listRuns, type RunFilter } from "./list-store.ts";

// The numbers of a campaign, and the people behind each of them.

const { it } = await inAppService();
const { db } = it.service.ground;

const wait = (id: string) => ({ id, type: "wait" as const, for: { amount: 1, unit: "days" as const } });
const STEPS = ["a", "b", "c"];
const FIGURES = ["entered", "waiting", "passed", "failed", "exited"] as const;
const ENDS = ["completed", "exited", "failed", "canceled"] as const;
const START = Date.parse("2026-03-01T00:00:00Z");
const QUARTER = 900_000;
const goal = { event: "bought", within: { amount: 30, unit: "days" } } as const;

/** A run as a row: the times are quarters of an hour after the start of the test's days. */
interface Row {
  entered: number;
  ended: number | null;
  status: string;
  at: string | null;
  goal: number | null;
  passages: { step: string; entered: number; left: number | null; state: string }[];
}

async function insert({ workspaceId, campaignId }: CampaignRef, rows: Row[]): Promise<void> {
  const at = (quarters: number | null) => (quarters === null ? null : new Date(START + quarters * QUARTER));
  const reached = ({ entered, passages }: Row) => at(passages.at(-1)?.left ?? passages.at(-1)?.entered ?? entered);
  for (const row of rows) {
    const [key, id] = [personKey(workspaceId, newId()), newId()];
    await db.execute(sql`
      insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, entered_at, stepped_at, goal_at, ended_at)
      values (${key}, ${id}, ${workspaceId}, ${campaignId}, 1, ${row.status}, ${row.at}, '{}', ${at(row.entered)}, ${reached(row)},
        ${at(row.goal)}, ${at(row.ended)})`);
    for (const one of row.passages)
      await db.execute(sql`
        insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state)
        values (${key}, ${id}, ${one.step}, ${workspaceId}, ${campaignId}, ${at(one.entered)}, ${at(one.left)}, ${one.state})`);
  }
}

/** A run that came as far as one of the steps, and stands there (with or without a passage) or ended there. */
const run: fc.Arbitrary<Row> = fc
  .record({
    entered: fc.nat(120),
    lasted: fc.nat(40),
    at: fc.integer({ min: 0, max: 2 }),
    end: fc.option(fc.constantFrom(...ENDS)),
    noted: fc.boolean(),
    failed: fc.boolean(),
    goal: fc.option(fc.nat(80)),
  })
  .map(({ entered, lasted, at, end, noted, failed, goal: after }) => {
    const passages = STEPS.slice(0, at).map((step, i) => ({
      step,
      entered: entered + i * lasted,
      left: entered + (i + 1) * lasted,
      state: failed && i === 0 ? "failed" : "passed",
    }));
    const [step, since] = [STEPS[at] as string, entered + at * lasted];
    const until = since + lasted;
    const state = { completed: "passed", exited: "exited", failed: "failed", canceled: "exited" };
    if (end) passages.push({ step, entered: since, left: until, state: state[end] });
    const here = end || !noted ? [] : [{ step, entered: since, left: null, state: "waiting" }];
    return {
      entered,
      ended: end ? until : null,
      status: end ?? "active",
      at: end ? null : step,
      goal: after === null ? null : entered + after,
      passages: [...passages, ...here],
    };
  });

/** A message of a step, with the times of what became of it. */
interface Sent {
  step: string;
  channel: string;
  status: string;
  times: (number | null)[];
}
const TIMES = ["sent_at", "delivered_at", "shown_at", "opened_at", "clicked_at", "dismissed_at", "bounced_at"] as const;
const sent: fc.Arbitrary<Sent> = fc
  .record({
    step: fc.constantFrom(...STEPS, "removed"),
    channel: fc.constantFrom("email", "push", "sms", "in_app"),
    status: fc.constantFrom("queued", "sent", "failed", "suppressed"),
    times: fc.tuple(...TIMES.map(() => fc.option(fc.nat(40)))),
  })
  // An in-app message is not handed to a provider.
  .map((one) => ({ ...one, times: one.channel === "in_app" ? one.times.with(0, null) : one.times }));

async function insertSent({ workspaceId, campaignId }: CampaignRef, rows: Sent[]): Promise<void> {
  const made = rows.map(({ step, channel, status, times }) => ({
    ...{ person_key: personKey(workspaceId, "ada"), id: newId(), workspace_id: workspaceId, channel, status },
    ...{ source: "campaign", source_id: campaignId, step_id: step, step_position: 0, queued_at: new Date(START) },
    ...Object.fromEntries(
      TIMES.map((name, i) => [name, times[i] === null ? null : new Date(START + Number(times[i]))]),
    ),
  }));
  const names = raw(Object.keys(made[0] ?? {}).join(", "));
  if (made.length > 0)
    await db.execute(sql`
      insert into deliveries (${names}) select ${names} from jsonb_populate_recordset(null::deliveries, ${JSON.stringify(made)})`);
}

const campaignWith = async (own: Partial<CampaignDefinition> = {}) => {
  const { workspaceId, campaignId } = await published(it, { steps: STEPS.map(wait), goal, ...own });
  return { campaign: { workspaceId, campaignId }, path: `/api/v1/campaigns/${encodeId("cmp", campaignId)}` };
};
const get = async (path: string) => {
  const answer = await it.call("GET", path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

/** How many runs a list has, over all of its pages. */
async function listed(path: string, query: string): Promise<number> {
  const ids = new Set<string>();
  let [cursor, rows] = ["", 0];
  do {
    const { data, next_cursor } = await get(`${path}/runs?limit=7&${query}${cursor}`);
    for (const { id } of data) ids.add(id);
    rows += data.length;
    cursor = next_cursor && `&cursor=${next_cursor}`;
  } while (cursor);
  expect(ids.size).toBe(rows);
  return rows;
}

describe("the people behind each number", () => {
  test("are as many as the number says, in all time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 14 }), async (rows) => {
        const { campaign, path } = await campaignWith();
        await insert(campaign, rows);
        const { runs, steps, goal: reached } = await get(`${path}/metrics`);
        expect(runs).toEqual({
          entered: await listed(path, ""),
          active: await listed(path, "status=active"),
          completed: await listed(path, "status=completed"),
          exited: await listed(path, "status=exited"),
          failed: await listed(path, "status=failed"),
          canceled: await listed(path, "status=canceled"),
          converted: await listed(path, "converted=true"),
        });
        expect(runs.entered).toBe(rows.length);
        expect(reached).toMatchObject({ reached: runs.converted, runs: rows.length });
        for (const step of STEPS) {
          for (const figure of FIGURES)
            expect(steps[step][figure], `${step} ${figure}`).toBe(await listed(path, `step=${step}&state=${figure}`));
          expect(steps[step].waiting).toBe(await listed(path, `step=${step}`));
          expect(steps[step].converted, step).toBe(await listed(path, `step=${step}&converted=true`));
          const { entered, waiting, passed, failed, exited } = steps[step];
          expect(entered).toBe(waiting + passed + failed + exited);
        }
      }),
      { numRuns: 12 },
    );
  });

  test("are as many messages as the step says, and those of all steps are those of the campaign", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { maxLength: 12 }), async (rows) => {
        const { campaign, path } = await campaignWith();
        await insertSent(campaign, rows);
        const { steps, totals, channels } = await get(`${path}/metrics`);
        const list = async (query: string) => {
          const { data } = await get(`/api/v1/deliveries?limit=200&source_id=${path.split("/").at(-1)}&${query}`);
          return count(data.map(happenings));
        };
        expect(Object.keys(steps).sort()).toEqual([...new Set([...STEPS, ...rows.map(({ step }) => step)])].sort());
        for (const step of STEPS.concat("removed")) {
          const { channels: parts = {}, ...numbers } = steps[step]?.messages ?? count([]);
          expect(numbers, step).toEqual(await list(`step=${step}`));
          for (const [channel, part] of Object.entries(parts))
            expect(part).toEqual(await list(`step=${step}&channel=${channel}`));
        }
        const sum = (metric: string) =>
          Object.values<{ messages?: Record<string, number> }>(steps).reduce(
            (n, { messages }) => n + (messages?.[metric] ?? 0),
            0,
          );
        for (const metric of Object.keys(totals)) expect(sum(metric), metric).toBe(totals[metric]);
        const mails = await get(`${path}/metrics?channel=email`);
        expect(Object.keys(mails.steps).sort()).toEqual(
          [...new Set(rows.flatMap(({ step, channel }) => (channel === "email" ? [step] : [])))].sort(),
        );
        if (channels.email) expect(mails.totals).toEqual(channels.email);
      }),
      { numRuns: 12 },
    );
  });

  test("are as many as the number says, in each hour or day", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 12 }), async (rows) => {
        const { campaign, path } = await campaignWith();
        await insert(campaign, rows);
        const range = "from=2026-03-01T00:00:00Z&to=2026-03-07T00:00:00Z";
        const { runs, steps, series } = await get(`${path}/metrics?bucket=day&by=step&${range}`);
        expect(series.data).toHaveLength(6);
        const sums = (data: Record<string, number>[], figure: string) =>
          data.reduce((sum, one) => sum + (one[figure] ?? 0), 0);
        const inRuns = series.data.map((one: { runs: object }) => one.runs);
        for (const figure of ["entered", "converted", ...ENDS]) expect(sums(inRuns, figure), figure).toBe(runs[figure]);
        for (const { start, end, runs: numbers } of series.data.slice(0, 2)) {
          const time = `from=${start}&to=${end}`;
          expect(numbers.entered).toBe(await listed(path, time));
          for (const status of ENDS)
            expect(numbers[status], status).toBe(await listed(path, `status=${status}&${time}`));
          expect(numbers.converted).toBe(await listed(path, `converted=true&${time}`));
        }
        for (const { step, data } of series.parts) {
          const of = (figure: string) => sums(data, figure);
          for (const figure of ["entered", "passed", "failed", "exited", "converted"])
            expect(of(figure), `${step} ${figure}`).toBe(steps[step][figure]);
          const [{ start, end, ...numbers }] = data;
          for (const figure of ["entered", "passed", "failed", "exited"])
            expect(numbers[figure], `${step} ${figure}`).toBe(
              await listed(path, `step=${step}&state=${figure}&from=${start}&to=${end}`),
            );
          expect(numbers.converted).toBe(await listed(path, `step=${step}&converted=true&from=${start}&to=${end}`));
        }
      }),
      { numRuns: 8 },
    );
  });
});

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
