import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { waitingForLocks } from "../../../test/support/database/locks.ts";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { engineService } from "../../../test/support/services/engine.ts";
import { until } from "../../../test/support/wait.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { CAMPAIGNS_CHANGED } from "../definition/entrances.ts";
import type { Published } from "../definition/published.ts";
import { lockTheirs, makeDue } from "../run/wake-store.ts";
import { checkPeople } from "./audience-check.ts";

// Runs that wait for a date of their person, or for a time where the person is, follow what the person becomes meanwhile. It is noon of
// 10 March 2026, a Tuesday.

const { it, clock, campaign, begin, settle, identify, runOf, passed } = await engineService();
const { ground } = it.service;

/** Checks the people who were changed, and lets their runs decide. Returns how often there was somebody to check. */
async function follow(): Promise<number> {
  let checks = 0;
  while (await checkPeople(ground, ground.entrances)) checks++;
  await settle();
  return checks;
}

async function waiting(person: string, attributes: object, step: object, own: object = {}) {
  await identify(person, attributes);
  const of = await campaign([{ id: "pause", ...step }], own);
  ground.signals.publish(CAMPAIGNS_CHANGED, [it.workspaceId]);
  const [run = ""] = await begin(of, [person]);
  await settle();
  return { of, run };
}
const renewal = { type: "wait", until: "person.renews_at" };
const dueOf = async (run: string) => {
  const { due_at, due_fixed } = await runOf(run);
  expect(due_fixed).toBe(true);
  return due_at?.toISOString();
};

test("while no campaign waits by person, a changed person is not checked", async () => {
  await waiting("nobody", {}, { type: "wait", for: { amount: 1, unit: "days" } });
  await identify("nobody", { plan: "pro" });
  expect(await follow()).toBe(0);
});

test("a run that waits for a date of its person waits for the new date where it becomes an earlier or a later one", async () => {
  const { run } = await waiting("ada", { renews_at: "2026-03-20T09:00:00Z" }, renewal);
  expect(await dueOf(run)).toBe("2026-03-20T09:00:00.000Z");
  for (const date of ["2026-03-12T09:00:00.000Z", "2026-04-01T00:00:00.000Z"]) {
    await identify("ada", { renews_at: date });
    await follow();
    expect(await dueOf(run)).toBe(date);
  }
  await identify("ada", { renews_at: "2026-03-09T00:00:00Z" });
  await follow();
  expect(await passed(run)).toEqual(["pause passed"]);
});

test("the offset of the step counts from the new date, and a date that is taken away fails the step at once", async () => {
  const before = { amount: 2, unit: "days", direction: "before" };
  const { run } = await waiting("bob", { renews_at: "2026-03-20" }, { ...renewal, offset: before });
  await identify("bob", { renews_at: "2026-03-15" });
  await follow();
  expect(await dueOf(run)).toBe("2026-03-13T00:00:00.000Z");
  await identify("bob", { renews_at: null });
  await follow();
  expect(await passed(run)).toEqual(["pause failed no_date"]);
});

test.each([
  [
    "a day of the person",
    { type: "wait", until: "person.renews_at" },
    "2026-03-11T23:00:00.000Z",
    "2026-03-12T04:00:00.000Z",
  ],
  [
    "a window",
    { type: "wait_window", from: "09:00", days: ["wed"] },
    "2026-03-11T08:00:00.000Z",
    "2026-03-11T13:00:00.000Z",
  ],
])("a person who moves to another zone moves the wait for %s along", async (_, step, zurich, newYork) => {
  const { run } = await waiting(`cy-${step.type}`, { renews_at: "2026-03-12", timezone: "Europe/Zurich" }, step);
  expect(await dueOf(run)).toBe(zurich);
  await identify(`cy-${step.type}`, { timezone: "America/New_York" });
  await follow();
  expect(await dueOf(run)).toBe(newYork);
});

test("a change that moves no date writes no run, nor does one of a run that waits for something else", async () => {
  const { run } = await waiting("dan", { renews_at: "2026-03-20" }, renewal);
  const other = await waiting("dan", {}, { type: "wait", for: { amount: 1, unit: "days" } });
  const versionOf = (id: string) => ground.db.query(sql`select xmin::text from campaign_runs where id = ${id}`);
  const before = [await versionOf(run), await versionOf(other.run)];
  await identify("dan", { plan: "pro" });
  expect(await follow()).toBe(1);
  // In shards the lock is a write.
  if (!inShards) expect([await versionOf(run), await versionOf(other.run)]).toEqual(before);
  expect((await runOf(run)).due_at).toEqual(new Date("2026-03-20T00:00:00Z"));
});

test("in a paused campaign the run waits for the new date after it is resumed", async () => {
  const { of, run } = await waiting("eve", { renews_at: "2026-03-20T00:00:00Z" }, renewal);
  const status = (to: string) =>
    ground.db.execute(sql`
      update campaigns set status = ${to}, paused_at = case when ${to} = 'paused' then ${clock.now()}::timestamptz end
      where id = ${of.campaignId}`);
  await status("paused");
  await identify("eve", { renews_at: "2026-03-14T00:00:00Z" });
  await follow();
  expect(await passed(run)).toEqual(["pause waiting"]);
  await status("active");
  await settle();
  expect(await dueOf(run)).toBe("2026-03-14T00:00:00.000Z");
});

test("a run that reaches its wait in the moment of the change, with the date from before, is not missed", async () => {
  await identify("flo", { renews_at: "2026-03-20T00:00:00Z" });
  const of = await campaign([{ id: "pause", ...renewal }]);
  ground.signals.publish(CAMPAIGNS_CHANGED, [it.workspaceId]);
  const [run = ""] = await begin(of, ["flo"]);
  let following: Promise<number> | undefined;
  await ground.db.transaction(async (batch) => {
    // As a batch locks it; in shards a lock is a write.
    await batch.execute(sql`update campaign_runs set attempts = attempts where id = ${run}`);
    await identify("flo", { renews_at: "2026-03-12T00:00:00Z" });
    following = follow();
    await until(async () => (await waitingForLocks(ground.db)) > 0, "the check to wait for the batch");
    await batch.execute(sql`
      update campaign_runs set due_at = '2026-03-20T00:00:00Z', due_fixed = true where id = ${run}`);
  });
  await following;
  expect(await dueOf(run)).toBe("2026-03-12T00:00:00.000Z");
});

test("a date that another campaign sets counts, and that of the person who stays after a merge", async () => {
  const { run } = await waiting("gus", { renews_at: "2026-03-20T00:00:00Z" }, renewal);
  const setting = await campaign([{ id: "set", type: "update", attributes: { renews_at: "2026-03-16T00:00:00Z" } }]);
  await begin(setting, ["gus"]);
  await settle();
  await follow();
  expect(await dueOf(run)).toBe("2026-03-16T00:00:00.000Z");
  await identify("guy", { renews_at: "2026-03-18T00:00:00Z" });
  expect((await it.call("POST", "/api/v1/people/gus/merge", { body: { into: "guy" } })).status).toBe(200);
  await follow();
  expect(await dueOf(run)).toBe("2026-03-18T00:00:00.000Z");
});

test.skipIf(inShards)("among 20,000 runs those of a person are found and made due by index", async () => {
  const { campaignId }: Published = await campaign([{ id: "pause", ...renewal }]);
  await ground.db.execute(sql`
    insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, entered_at, stepped_at, due_at, due_fixed)
    select gen_random_uuid(), gen_random_uuid(), ${it.workspaceId}, ${campaignId}, 1, 'active', 'pause', '{}', now(), now(), now(), true
    from generate_series(1, 20000) n`);
  await ground.db.execute(sql`analyze campaigns, campaign_runs`);
  const seen: Statement[] = [];
  const spy = noted(ground.db, seen);
  await lockTheirs(spy, { personKeys: [newId()], campaignIds: [campaignId] });
  await makeDue(spy, [{ person_key: newId(), id: newId() }], clock.now());
  for (const plan of await plansOf(ground.db, seen)) expect(plan).not.toMatch(/Seq Scan on campaign_runs/);
});
