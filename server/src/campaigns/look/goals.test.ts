import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import type { Step } from "@tidings/contract/campaigns/steps";
import { expect, test } from "vitest";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { engineService } from "../../../test/support/services/engine.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { CAMPAIGNS_CHANGED } from "../definition/entrances.ts";
import type { Published } from "../definition/published.ts";
import { attributions, countOpen, splitGroups } from "./goals-store.ts";

// Which message gets the credit for a goal, and whether the messages made the difference.

const engine = await engineService();
const { it, clock, identify, define, report, begin, settle, forward, runOf, deliveries } = engine;
const { db, signals } = it.service.ground;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const hours = (amount: number) => ({ amount, unit: "hours" as const });
const goal = { event: "bought", within: { amount: 7, unit: "days" as const } };
const campaign: typeof engine.campaign = async (...definition) => {
  const made = await engine.campaign(...definition);
  signals.publish(CAMPAIGNS_CHANGED, [it.workspaceId]);
  return made;
};
const popup = await define({ persistence: { mode: "persistent_until_dismissed" } });
const say = (id: string, own: object = {}): Step =>
  ({ id, type: "message", channel: "in_app", message_id: popup, ...own }) as Step;

const buy = async (person_id: string, ts?: Date) => {
  const body = { person_id, eventName: "bought", ...(ts && { ts: ts.toISOString() }) };
  expect((await it.call("POST", "/data-gateway/v1/track", { body })).status).toBe(202);
};
const metrics = async ({ campaignId }: Published) =>
  (await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", campaignId)}/metrics`)).body;
let people = 0;
async function person(
  of: Published,
): Promise<{ who: string; run: string; see(type: string, n?: number): Promise<unknown> }> {
  const who = `g${people++}`;
  await identify(who);
  const [run = ""] = await begin(of, [who]);
  const see = async (type: string, n = 0) => {
    const { person_key } = await runOf(run);
    const mine = (await deliveries(of)).filter((one) => one.person_key === person_key);
    return report(encodeId("dlv", mine[n]?.id ?? ""), type, { person_id: who });
  };
  return { who, run, see };
}

test("a goal is attributed to the message that was touched last before it, or else to the one that was sent last", async () => {
  const of = await campaign([say("first"), { id: "pause", type: "wait", for: hours(1) }, say("second")], { goal });
  const all: Record<string, Awaited<ReturnType<typeof person>>> = {};
  const early = await person(of);
  await buy(early.who);
  clock.forward(MINUTE);
  for (const name of ["seen", "clicked", "both", "none", "late", "never"]) all[name] = await person(of);
  await settle();
  clock.forward(MINUTE);
  await all.seen?.see("impression");
  await all.clicked?.see("click");
  await all.both?.see("click");
  await forward(HOUR);
  clock.forward(MINUTE);
  await all.both?.see("impression", 1);
  clock.forward(MINUTE);
  for (const name of ["seen", "clicked", "both", "none"]) await buy(all[name]?.who ?? "");
  clock.forward(MINUTE);
  await all.none?.see("impression", 1);
  await buy(all.late?.who ?? "", new Date(clock.now().getTime() - 30 * MINUTE));
  const { runs, goal: told } = await metrics(of);
  expect(told).toEqual({
    reached: 6,
    runs: 7,
    rate: 6 / 7,
    open: 1,
    unattributed: 1,
    steps: {
      first: { attributed: 3, clicked: 1, seen: 1, sent: 1, channels: { in_app: 3 } },
      second: { attributed: 2, clicked: 0, seen: 1, sent: 1, channels: { in_app: 2 } },
    },
  });
  expect(told.reached).toBe(runs.converted);
  await forward(8 * DAY);
  await buy(all.never?.who ?? "");
  expect((await metrics(of)).goal).toMatchObject({ reached: 6, open: 0 });
});

test("of a step that escalates, the message that was seen gets the credit", async () => {
  const card = await define({ render_type: "inbox_card" });
  const step = say("alert", { escalate: [{ after: hours(1), channel: "in_app", message_id: card }] });
  const of = await campaign([step], { goal });
  const { who, see } = await person(of);
  await settle();
  await forward(HOUR);
  await see("click", 1);
  clock.forward(MINUTE);
  await buy(who);
  expect((await metrics(of)).goal.steps.alert).toMatchObject({ attributed: 1, clicked: 1 });
});

test("an event that arrives late counts from when it happened, also where a later one was recorded before", async () => {
  const of = await campaign([say("m")], { goal });
  const { who, run } = await person(of);
  await settle();
  const sent = clock.now();
  clock.forward(2 * HOUR);
  await buy(who);
  const first = new Date(sent.getTime() + HOUR);
  await buy(who, first);
  expect(await runOf(run)).toMatchObject({ goal_at: first });
  await buy(who, new Date(sent.getTime() + 90 * MINUTE));
  expect(await runOf(run)).toMatchObject({ goal_at: first });
});

test("a goal that the other of two merged people reached is the run's, and ends it where it is to", async () => {
  const wait: Step = { id: "w", type: "wait", for: { amount: 30, unit: "days" } };
  const [exits, stays] = [await campaign([wait], { goal: { ...goal, exit: true } }), await campaign([wait], { goal })];
  const [one, other] = [await person(exits), await person(stays)];
  await settle();
  clock.forward(HOUR);
  for (const who of ["into-a", "into-b"]) await identify(who);
  const reached = clock.now();
  await buy("into-a");
  await buy("into-b");
  clock.forward(HOUR);
  for (const [from, into] of [
    [one.who, "into-a"],
    [other.who, "into-b"],
  ])
    expect((await it.call("POST", `/api/v1/people/${from}/merge`, { body: { into } })).status).toBe(200);
  expect(await runOf(one.run)).toMatchObject({ goal_at: reached, status: "exited", reason: "goal" });
  expect(await runOf(other.run)).toMatchObject({ goal_at: reached, status: "active" });
  const [third] = [await person(stays)];
  await buy(third.who);
  await identify("into-c");
  expect((await it.call("POST", `/api/v1/people/${third.who}/merge`, { body: { into: "into-c" } })).status).toBe(200);
  expect((await metrics(stays)).goal).toMatchObject({ reached: 2, runs: 2 });
});

interface Rows {
  /** How many people. */
  people: number;
  detail: object;
  reached?: number;
  /** When they entered and came to the step, and reached the goal, in days before now. */
  entered?: number;
  stepped?: number;
  at?: number;
  state?: string;
  key?: string;
}

/** Writes people who came to a step as rows. */
async function came({ campaignId }: Published, rows: Rows): Promise<void> {
  const {
    people: count,
    detail,
    reached = 0,
    entered = 10,
    stepped = entered,
    at = entered - 1,
    state = "passed",
    key,
  } = rows;
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY);
  await db.execute(sql`
    with made as (
      insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, data, entered_at, stepped_at, goal_at, ended_at)
      select coalesce(${key ?? null}::uuid, gen_random_uuid()), gen_random_uuid(), ${it.workspaceId}, ${campaignId}, 1, 'completed', '{}',
        ${ago(entered)}, ${ago(stepped)}, case when n <= ${reached} then ${ago(at)}::timestamptz end, ${ago(stepped)}
      from generate_series(1, ${count}::integer) n returning person_key, id)
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state, delivery_id, detail)
    select person_key, id, 'm', ${it.workspaceId}, ${campaignId}, ${ago(stepped)}, ${ago(stepped)}, ${state},
      case when ${state} = 'passed' and not ${"held_out" in detail} then gen_random_uuid() end, ${JSON.stringify(detail)} from made`);
}
const held = { held_out: true };

test("lift compares those who were messaged with those who were held out, once the goal's time is over for them", async () => {
  const of = await campaign([say("m", { holdout_percent: 20 })], { goal });
  await came(of, { people: 50, detail: {}, reached: 20 });
  await came(of, { people: 50, detail: held, reached: 2 });
  const early = (await metrics(of)).goal.steps.m;
  expect(early).toMatchObject({
    messaged: { people: 50, reached: 20, rate: 0.4 },
    held_out: { people: 50, reached: 2 },
  });
  expect(early.lift).toMatchObject({ against: "held_out", enough: false, verdict: "not_enough_yet" });
  expect(early.lift.interval[0]).toBeGreaterThan(0);

  await came(of, { people: 340, detail: {}, reached: 80 });
  await came(of, { people: 10, detail: {}, state: "failed" });
  await came(of, { people: 150, detail: held, reached: 8 });
  // None of these count: the goal's time is not over, or was over at the step, or the goal was reached before the step.
  await came(of, { people: 30, detail: {}, reached: 30, entered: 2 });
  await came(of, { people: 5, detail: held, reached: 5, entered: 20, stepped: 10, at: 14 });
  await came(of, { people: 5, detail: held, reached: 5, entered: 10, stepped: 4, at: 5 });
  // A person with three runs is one person, and a person in both groups is in none.
  const [often, both] = [newId(), newId()];
  await came(of, { people: 2, detail: held, key: often });
  await came(of, { people: 1, detail: held, key: often, reached: 1 });
  await came(of, { people: 1, detail: held, key: both });
  await came(of, { people: 1, detail: {}, key: both, reached: 1 });
  const { m } = (await metrics(of)).goal.steps;
  expect(m).toMatchObject({
    messaged: { people: 400, reached: 100, rate: 0.25 },
    held_out: { people: 201, reached: 11 },
    open: 30,
    lift: { difference: 0.25 - 11 / 201, enough: true, verdict: "higher" },
  });
  const [low, high] = m.lift.interval;
  expect([low < m.lift.difference, m.lift.difference < high, low > 0.13, high < 0.26]).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test("variants are compared with those who were held out, and without a holdout with the first one", async () => {
  const variants = ["A", "B"].map((name) => ({ name, weight: 1, message_id: popup }));
  for (const holdout_percent of [10, 0]) {
    const of = await campaign([say("m", { message_id: undefined, variants, holdout_percent })], { goal });
    await came(of, { people: 200, detail: { variant: "A" }, reached: 20 });
    await came(of, { people: 200, detail: { variant: "B" }, reached: 60 });
    if (holdout_percent > 0) await came(of, { people: 200, detail: { ...held, variant: "A" }, reached: 20 });
    const { m } = (await metrics(of)).goal.steps;
    expect(m.variants.A).toMatchObject({ people: 200, reached: 20, rate: 0.1 });
    expect(m.variants.B.lift).toMatchObject({
      against: holdout_percent > 0 ? "held_out" : "A",
      difference: expect.closeTo(0.2),
      verdict: "higher",
    });
    if (holdout_percent > 0) expect(m.variants.A.lift).toMatchObject({ difference: 0, verdict: "no_clear_difference" });
    else expect([m.lift, m.held_out, m.variants.A.lift]).toEqual([undefined, undefined, undefined]);
  }
});

test("without a goal, a holdout or variants there are no such numbers", async () => {
  const none = await campaign([say("m", { holdout_percent: 10 })]);
  expect(await metrics(none)).not.toHaveProperty("goal");
  const plain = await campaign([say("m")], { goal } as Partial<CampaignDefinition>);
  expect((await metrics(plain)).goal).toEqual({
    reached: 0,
    runs: 0,
    rate: null,
    open: 0,
    unattributed: 0,
    steps: { m: { attributed: 0, clicked: 0, seen: 0, sent: 0, channels: {} } },
  });
});

test("among 100,000 runs of 10 campaigns, the numbers of a goal read the rows of one campaign, and deliveries by their keys", async () => {
  const all = [];
  for (let i = 0; i < 10; i++) all.push(await campaign([say("m", { holdout_percent: 10 })], { goal }));
  for (const of of all) await came(of, { people: 9_000, detail: {}, reached: 500 });
  for (const of of all) await came(of, { people: 1_000, detail: held, reached: 50 });
  await db.execute(sql`analyze campaign_runs, campaign_passages, deliveries`);
  const [of] = all as [Published];
  const seen: Statement[] = [];
  const spy = noted(db, seen);
  await attributions(spy, of);
  await splitGroups(spy, of, { steps: ["m"], withinMs: 7 * DAY, now: clock.now() });
  await countOpen(spy, of, clock.now());
  expect(seen).toHaveLength(3);
  for (const plan of await plansOf(db, seen)) expect(plan).not.toMatch(/Seq Scan on campaign/);
});
