import type { Step } from "@tidings/contract/campaigns/steps";
import { expect, test, vi } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { engineService } from "../../../test/support/services/engine.ts";
import { personKey } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { round } from "./round.ts";

// 10,000 people are in a campaign while it is paused, resumed, edited, moved and archived, and two workers advance them. What each person must
// have passed at the end is computed here from what was done, and not from what the engine says.

const PEOPLE = 10_000;
/** So many of them enter later. */
const LATE = 500;
const HOUR = 3_600_000;
const { it, define, campaign, begin, clock } = await engineService();
const { ground } = it.service;
const { db } = ground;
const other = await testService({ clock, databaseUrl: it.databaseUrl, encryptionKey: Buffer.alloc(32, 7) });

const hours = (id: string, amount: number): Step => ({ id, type: "wait", for: { amount, unit: "hours" } });
/** A step that leaves a passage and writes nothing else. */
const mark = (id: string): Step => ({
  id,
  type: "split",
  arms: [
    { name: "a", weight: 1 },
    { name: "b", weight: 1 },
  ],
});

async function people(): Promise<string[]> {
  const ids = Array.from({ length: PEOPLE }, (_, i) => `crowd-${i}`);
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, identified_at, created_at, updated_at)
    select t.key, ${it.workspaceId}, t.id, '2026-01-01', '2026-01-01', '2026-01-01'
    from unnest(${ids.map((id) => personKey(it.workspaceId, id))}::uuid[], ${ids}::text[]) as t (key, id)`);
  return ids;
}

/** Two workers that advance what is due until they are stopped. */
function workers() {
  let stopped = false;
  const work = async (house: typeof ground) => {
    while (!stopped) if ((await round(house, 60_000)) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const both = Promise.all([work(ground), work(other.service.ground)]);
  return {
    /** Waits until nothing is due and nothing is left to move or end. */
    async idle(of: string): Promise<void> {
      await vi.waitUntil(
        async () => {
          const working = await db.query(sql`select from campaigns where id = ${of} and (ending or settling)`);
          const due = await db.query(sql`
            select from campaigns c join campaign_runs r on r.campaign_id = c.id and r.due_at <= ${clock.now()}::timestamptz - c.behind
            where c.id = ${of} and c.status = 'active' limit 1`);
          return working.length + due.length === 0;
        },
        { timeout: 60_000, interval: 20 },
      );
    },
    async stop(): Promise<void> {
      stopped = true;
      await both;
    },
  };
}

test("10,000 people inside of a campaign that is paused, resumed, edited, moved and archived lose no step and take none twice", async () => {
  const [ids, message] = [await people(), await define()];
  const hello: Step = { id: "hello", type: "message", channel: "in_app", message_id: message };
  const of = await campaign([mark("in"), hours("first", 1), mark("old"), hours("second", 1), mark("last")]);
  const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`;
  const call = async (verb: string, body: object = {}) => {
    const answer = await it.call("POST", `${path}/${verb}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const metrics = async () => (await it.call("GET", `${path}/metrics`)).body.steps;
  const running = workers();

  // They enter while the workers run; the campaign is paused and resumed meanwhile. Who tries during a pause stays out.
  const [early, late] = [ids.slice(0, -LATE), ids.slice(-LATE)];
  await begin(of, early);
  await call("pause");
  await begin(of, ["crowd-0"]);
  clock.forward(HOUR / 2);
  await call("resume");
  await running.idle(of.campaignId);
  expect(await metrics()).toMatchObject({ in: { passed: early.length }, first: { waiting: early.length } });

  // The others enter half an hour later. The first ones are due in the middle of a change of the journey that moves everybody.
  clock.forward(HOUR / 2);
  await begin(of, late);
  await running.idle(of.campaignId);
  await it.call("PATCH", path, {
    body: { steps: [mark("in"), hours("first", 2), hello, mark("fresh"), hours("second", 1), mark("last")] },
  });
  clock.forward(HOUR / 2);
  await call("activate", { inside: "move" });
  await running.idle(of.campaignId);
  clock.forward(HOUR / 2);
  await call("pause");
  clock.forward(5 * HOUR);
  await call("resume");
  await running.idle(of.campaignId);
  clock.forward(HOUR / 2);
  await running.idle(of.campaignId);
  // Those who entered first waited an hour before the change or two hours after it; the others wait another half an hour.
  const { first, second, last } = await metrics();
  expect([first.waiting, second.waiting + last.passed]).toEqual([late.length, early.length]);

  clock.forward(HOUR / 2);
  await running.idle(of.campaignId);

  // The campaign is archived while everybody who is still in it is due at its last step.
  clock.forward(HOUR);
  await call("archive");
  await running.idle(of.campaignId);
  await running.stop();

  const runs = await db.query<{ early: boolean; status: string; steps: string; n: number }>(sql`
    select person_id = any(${early}) as early, status, steps, count(*)::integer as n from (
      select p.person_id, r.status, string_agg(s.step_id || ' ' || s.state, ', ' order by s.entered_at, s.left_at, s.step_id) as steps
      from campaign_runs r join people p using (person_key)
      join campaign_passages s on s.person_key = r.person_key and s.run_id = r.id
      where r.campaign_id = ${of.campaignId} group by p.person_id, r.id, r.status) t
    group by 1, 2, 3`);
  expect(runs.reduce((sum, { n }) => sum + n, 0)).toBe(PEOPLE);
  for (const { early: isEarly, status, steps } of runs) {
    // Who entered later was not due before the change.
    const told = steps.split(", ").sort().join(", ");
    const middle = isEarly && told.includes("old passed") ? "old passed" : "fresh passed, hello passed";
    const sorted = (...all: string[]) =>
      all
        .flatMap((one) => one.split(", "))
        .sort()
        .join(", ");
    const ways = [
      ["completed", sorted("in passed", "first passed", middle, "second passed", "last passed")],
      ["canceled", sorted("in passed", "first passed", middle, "second exited")],
    ];
    expect(ways).toContainEqual([status, told]);
  }
  // Each message was queued once, for each run that passed its step.
  const [sent] = await db.query<{ deliveries: number; passages: number }>(sql`
    select (select count(*)::integer from deliveries where source_id = ${of.campaignId}) as deliveries,
      (select count(*)::integer from campaign_passages where campaign_id = ${of.campaignId} and step_id = 'hello') as passages`);
  expect(sent?.deliveries).toBe(sent?.passages);
  expect(sent?.deliveries).toBeGreaterThanOrEqual(LATE);
  // The numbers are those of the rows.
  for (const { entered, messages: _, ...counts } of Object.values<Record<string, number>>(await metrics()))
    expect(Object.values(counts).reduce((sum, n) => sum + n)).toBe(entered);
});
