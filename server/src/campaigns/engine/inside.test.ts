import type { Step } from "@tidings/contract/campaigns/steps";
import { expect, test } from "vitest";
import { waitingForLocks } from "../../../test/support/database/locks.ts";
import { engineService } from "../../../test/support/services/engine.ts";
import { until } from "../../../test/support/wait.ts";
import { personKey } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { byItself } from "../../platform/resources/changes.ts";
import type { Published } from "../definition/published.ts";
import { enter, runIdOf } from "../entry/enter.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { activate } from "../moves.ts";
import { round } from "./round.ts";

// Activations, archives and resumes of campaigns in which many people are, and in which people enter at the same moment.

const engine = await engineService();
const { it, identify, campaign, begin, settle, forward, runOf, passed, clock } = engine;
const { ground } = it.service;
const { db } = ground;
const HOUR = 3_600_000;
const hours = (id: string, amount = 2): Step => ({ id, type: "wait", for: { amount, unit: "hours" } });

async function call(of: Published, verb: string, body?: object): Promise<void> {
  const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`;
  const answer = await it.call(verb === "" ? "PATCH" : "POST", verb === "" ? path : `${path}/${verb}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
const rowOf = async (of: Published) =>
  (await db.query<{ ending: boolean; settling: boolean }>(sql`select * from campaigns where id = ${of.campaignId}`))[0];

const shown = async (of: Published) =>
  (await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`)).body;
const tasks = async () => (await it.call("GET", "/api/v1/tasks")).body.data;

/** Lets a person in by a transaction that commits only after `meanwhile`. Returns the run's id. */
async function enterAcross(of: Published, person: string, meanwhile: () => Promise<void>): Promise<string> {
  await identify(person);
  const candidate = { published: of, personKey: personKey(it.workspaceId, person), cause: "across", data: {} };
  const entered = clock.now();
  await db.transaction(async (tx) => {
    await enter(tx, [candidate], entered);
    await meanwhile();
  });
  return runIdOf(candidate);
}

async function crowd(group: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `${group}-${i}`);
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, identified_at, created_at, updated_at)
    select t.key, ${it.workspaceId}, t.id, '2026-01-01', '2026-01-01', '2026-01-01'
    from unnest(${ids.map((id) => personKey(it.workspaceId, id))}::uuid[], ${ids}::text[]) as t (key, id)`);
  return ids;
}

test("a run that begins while its campaign is being archived ends, too", async () => {
  const of = await campaign([hours("w")]);
  let engineDone: Promise<void> | undefined;
  const run = await enterAcross(of, "archived", async () => {
    await call(of, "archive");
    engineDone = settle();
    // The engine has found no run to end. It must not be done before the entry is.
    await until(async () => {
      return (await waitingForLocks(db)) > 0 || (await rowOf(of))?.ending === false;
    });
  });
  await engineDone;
  await settle();
  expect(await runOf(run)).toMatchObject({ status: "canceled", reason: "campaign_archived", due_at: null });
  expect(await passed(run)).toEqual(["w exited campaign_archived"]);
  expect(await rowOf(of)).toMatchObject({ ending: false });
});

test.each([
  ["end", "exited", "campaign_changed", 1],
  ["move", "exited", "step_gone", 1],
] as const)(
  "a run that begins while the journey changes with inside %s does not take the old one",
  async (inside, ...how) => {
    const of = await campaign([hours("w")]);
    const run = await enterAcross(of, `changed-${inside}`, async () => {
      clock.forward(1_000);
      await call(of, "", { steps: [hours("other")] });
      await call(of, "activate", { inside });
    });
    await settle();
    const [status, reason, graph] = how;
    expect(await runOf(run)).toMatchObject({ status, reason, graph });
    clock.forward(1_000);
    const stays = await enterAcross(of, `stays-${inside}`, async () => {
      clock.forward(1_000);
      await call(of, "", { steps: [hours("third")] });
      await call(of, "activate", { inside: "stay" });
    });
    // It entered the first graph after the second was published, as a process does that did not hear of it: it begins the second.
    await settle();
    expect(await runOf(stays)).toMatchObject({ status: "active", graph: 3, step_id: "third" });
  },
);

test("what an activation decided reaches thousands of runs in batches, and no run takes a step of the old journey meanwhile", async () => {
  const mark = (id: string): Step => ({ id, type: "update", attributes: { mark: id } });
  const of = await campaign([hours("gone"), hours("kept"), mark("old")]);
  const people = await crowd("many", 3_000);
  const runs = await begin(of, people);
  await settle();
  await db.execute(sql`
    update campaign_runs set step_id = 'kept' where campaign_id = ${of.campaignId} and id = any(${runs.slice(0, 1_500)}::uuid[])`);
  await call(of, "", { steps: [hours("kept"), mark("new")] });
  clock.forward(2 * HOUR);
  await call(of, "activate", { inside: "move" });
  expect(await rowOf(of)).toMatchObject({ settling: true });
  const progress = { kind: "moving", total: 3_000, done: 1_000, seconds_left: null };
  expect(await shown(of)).toMatchObject({ progress });
  expect((await it.call("GET", "/api/v1/campaigns")).body.data).toContainEqual(
    expect.objectContaining({ id: encodeId("cmp", of.campaignId), progress: expect.objectContaining(progress) }),
  );
  expect(await tasks()).toEqual([
    {
      type: "campaigns",
      id: encodeId("cmp", of.campaignId),
      name: (await shown(of)).name,
      target: null,
      status: "active",
      started_at: clock.now().toISOString(),
      progress: { ...progress, started_at: clock.now().toISOString() },
    },
  ]);
  const waiting = async () => {
    const { steps } = (await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/metrics`)).body;
    return Object.values(steps as Record<string, { entered: number; passed: number }>);
  };
  for (let rest = 0; rest <= 0; ) {
    rest = await round(ground, 60_000);
    for (const { entered, ...counts } of await waiting()) {
      expect(Object.values(counts).reduce((sum, n) => sum + n)).toBe(entered);
    }
  }
  await settle();
  expect(await rowOf(of)).toMatchObject({ settling: false });
  expect([(await shown(of)).progress, await tasks()]).toEqual([null, []]);
  const found = await db.query(sql`
    select status, reason, graph, count(*)::integer as runs from campaign_runs where campaign_id = ${of.campaignId}
    group by 1, 2, 3 order by 1`);
  expect(found).toEqual([
    { status: "completed", reason: null, graph: 2, runs: 1_500 },
    { status: "exited", reason: "step_gone", graph: 1, runs: 1_500 },
  ]);
  const marks = await db.query(sql`
    select attributes ->> 'mark' as mark, count(*)::integer as people from people where person_id like 'many-%' group by 1 order by 1`);
  expect(marks).toEqual([
    { mark: "new", people: 1_500 },
    { mark: null, people: 1_500 },
  ]);
});

test("how far the engine is with the runs of an archived campaign shows until all have ended", async () => {
  const of = await campaign([hours("w")]);
  const runs = await begin(of, await crowd("archived", 1_500));
  await settle();
  await call(of, "archive");
  expect((await shown(of)).progress).toMatchObject({ kind: "ending", total: 1_500, done: 0 });
  // Runs that ended by themselves need no work.
  await db.execute(sql`
    update campaign_runs set step_id = null, status = 'exited', due_at = null, ended_at = now() where id = any(${runs.slice(0, 500)}::uuid[])`);
  clock.forward(5_000);
  const half = { kind: "ending", total: 1_500, done: 500, seconds_left: 10 };
  expect((await tasks())[0]).toMatchObject({ status: "archived", progress: half });
  await settle();
  expect([(await shown(of)).progress, await tasks()]).toEqual([null, []]);
});

test("a resume rewrites no run, however many there are", async () => {
  const of = await campaign([{ id: "w", type: "wait", until: "trigger.at" }]);
  const at = new Date(clock.now().getTime() + 5 * HOUR).toISOString();
  const [run = ""] = await begin(of, await crowd("resumed", 300), { at });
  await settle();
  const versions = () =>
    db.query(
      sql`select id, xmin::text, ctid::text from campaign_runs where campaign_id = ${of.campaignId} order by id`,
    );
  const before = await versions();
  await call(of, "pause");
  clock.forward(3 * HOUR);
  await call(of, "resume");
  expect(await versions()).toEqual(before);
  await forward(2 * HOUR - 1);
  expect((await runOf(run)).status).toBe("active");
  await forward(1);
  expect((await runOf(run)).status).toBe("completed");
});

test("an activation that is rolled back leaves no trace, also not in the journeys that a process knows", async () => {
  const of = await campaign([hours("w")]);
  await identify("rolled");
  const [run = ""] = await begin(of, ["rolled"]);
  await settle();
  await call(of, "", { steps: [hours("w", 5)] });
  const workspace = await workspaceById(db, it.workspaceId);
  if (!workspace) throw new Error("no workspace");
  const asked = { id: of.campaignId, inside: "move", by: byItself("").actor, now: clock.now() } as const;
  const cutOff = db.transaction(async (tx) => {
    await activate(tx, workspace, asked);
    throw new Error("cut off");
  });
  await expect(cutOff).rejects.toThrow("cut off");
  expect(await runOf(run)).toMatchObject({ graph: 1, status: "active" });
  await call(of, "", { steps: [hours("w", 3)] });
  await call(of, "activate", { inside: "move" });
  await settle();
  await forward(3 * HOUR);
  expect(await runOf(run)).toMatchObject({ graph: 2, status: "completed" });
});
