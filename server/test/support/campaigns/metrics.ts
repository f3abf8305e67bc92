import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";
import { expect } from "vitest";
import type { CampaignRef } from "../../../src/campaigns/run/run.ts";
import { raw, sql } from "../../../src/platform/db/index.ts";
import { encodeId, newId } from "../../../src/platform/ids.ts";
import { personKey } from "../../../src/workspaces/index.ts";
import { inAppService } from "../services/in-app.ts";
import { published } from "../services/published.ts";

export const wait = (id: string) => ({ id, type: "wait" as const, for: { amount: 1, unit: "days" as const } });

export const STEPS = ["a", "b", "c"];

export const FIGURES = ["entered", "waiting", "passed", "failed", "exited"] as const;

export const ENDS = ["completed", "exited", "failed", "canceled"] as const;

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

/** A run that came as far as one of the steps, and stands there (with or without a passage) or ended there. */
export const run: fc.Arbitrary<Row> = fc
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

export const sent: fc.Arbitrary<Sent> = fc
  .record({
    step: fc.constantFrom(...STEPS, "removed"),
    channel: fc.constantFrom("email", "push", "sms", "in_app"),
    status: fc.constantFrom("queued", "sent", "failed", "suppressed"),
    times: fc.tuple(...TIMES.map(() => fc.option(fc.nat(40)))),
  })
  // An in-app message is not handed to a provider.
  .map((one) => ({ ...one, times: one.channel === "in_app" ? one.times.with(0, null) : one.times }));

/** A service with runs and messages of campaigns to count, with common steps of its tests. */
export async function metricsService() {
  const { it } = await inAppService();
  const { db } = it.service.ground;

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
  return { insert, insertSent, campaignWith, get, listed, it, db };
}
