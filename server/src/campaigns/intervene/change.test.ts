import { describe, expect, test } from "vitest";
import { engineService } from "../../../test/support/services/engine.ts";
import { sql } from "../../platform/db/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { writeLifecycle, byId } from "../definition/store.ts";
import type { Published } from "../definition/published.ts";

// Operators change all runs of a filter by one call.

const { it, identify, campaign, begin, settle, forward, passed, clock } = await engineService();
const { db } = it.service.ground;
const DAY = 86_400_000;

const wait = (id: string) => ({ id, type: "wait", for: { amount: 1, unit: "days" } });
const change = (of: Published, call: string, body: object) =>
  it.call("POST", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/runs/${call}`, { body });
const count = async (of: Published, query: string) =>
  (await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/runs?limit=200&${query}`)).body.data
    .length;

async function people(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `p-${newId()}`);
  for (const id of ids) await identify(id);
  return ids;
}

/** A campaign of three waits with runs that wait at the first. */
async function waiting(count: number) {
  const of = await campaign([wait("a"), wait("b"), wait("c")]);
  const ids = await people(count);
  const runs = await begin(of, ids);
  await settle();
  return { of, ids, runs };
}

describe("a call for all runs of a filter", () => {
  test("ends them, and the active ones only", async () => {
    const { of, ids, runs } = await waiting(3);
    expect((await change(of, "end", { filter: { person_id: ids[0] } })).body).toEqual({ changed: 1, remaining: 0 });
    expect(await passed(runs[0] as string)).toEqual(["a exited ended"]);
    expect((await change(of, "end", { filter: { step: "b" } })).body).toEqual({ changed: 0, remaining: 0 });
    expect((await change(of, "end", { all: true })).body).toEqual({ changed: 2, remaining: 0 });
    expect((await change(of, "end", { all: true })).body).toEqual({ changed: 0, remaining: 0 });
    expect(await count(of, "status=canceled")).toBe(3);
  });

  test("skips the step where they are, and a repeated call finds none of them again", async () => {
    const { of, runs } = await waiting(3);
    expect((await change(of, "skip", { filter: { step: "a" } })).body).toEqual({ changed: 3, remaining: 0 });
    expect((await change(of, "skip", { filter: { step: "a" } })).body).toEqual({ changed: 0, remaining: 0 });
    await settle();
    expect(await passed(runs[0] as string)).toEqual(["a passed skipped", "b waiting"]);
    expect(await count(of, "step=b")).toBe(3);
  });

  test("moves them to a step, but those that have come to it already stay", async () => {
    const { of, runs } = await waiting(3);
    expect((await change(of, "move", { filter: { step: "a" }, step_id: "c" })).body).toEqual({
      changed: 3,
      remaining: 0,
    });
    await settle();
    expect(await passed(runs[1] as string)).toEqual(["a exited moved", "c waiting"]);
    expect((await change(of, "move", { all: true, step_id: "a" })).body).toEqual({ changed: 0, remaining: 0 });
    expect((await change(of, "move", { all: true, step_id: "b" })).body).toEqual({ changed: 3, remaining: 0 });
    await settle();
    await forward(DAY);
    expect(await count(of, "step=b&state=passed")).toBe(3);
  });

  test("retries those that failed or wait after a fault", async () => {
    const { of, runs } = await waiting(4);
    await db.execute(sql`
      update campaign_passages set state = 'failed', left_at = ${clock.now()} where run_id = any(${runs.slice(0, 2)}::uuid[])`);
    await db.execute(sql`
      update campaign_runs set status = 'failed', reason = 'step_failed: x', step_id = null, due_at = null, ended_at = ${clock.now()}
      where id = any(${runs.slice(0, 2)}::uuid[])`);
    await db.execute(sql`update campaign_runs set attempts = 2 where id = ${runs[2]}`);
    expect((await change(of, "retry", { filter: { status: "failed" } })).body).toEqual({ changed: 2, remaining: 0 });
    expect((await change(of, "retry", { all: true })).body).toEqual({ changed: 1, remaining: 0 });
    expect((await change(of, "retry", { all: true })).body).toEqual({ changed: 0, remaining: 0 });
    expect(await count(of, "step=a")).toBe(4);
    await settle();
    await forward(DAY);
    expect(await count(of, "step=b")).toBe(4);
  });

  test("changes 10,000 runs at most and says how many remain, and the repeated call does the rest", async () => {
    const { of } = await waiting(0);
    await db.execute(sql`
      insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, entered_at, stepped_at, due_at)
      select gen_random_uuid(), gen_random_uuid(), ${it.workspaceId}, ${of.campaignId}, 1, 'active', 'a', '{}', now(), now(), '2100-01-01'
      from generate_series(1, 10700)`);
    expect((await change(of, "end", { filter: { step: "a" } })).body).toEqual({ changed: 10_000, remaining: 700 });
    expect((await change(of, "end", { filter: { step: "a" } })).body).toEqual({ changed: 700, remaining: 0 });
    const [row] = await db.query<{ passages: number }>(sql`
      select count(*)::integer as passages from campaign_passages where campaign_id = ${of.campaignId} and reason = 'ended'`);
    expect(row?.passages).toBe(10_700);
  }, 60_000);

  test("and another call, at the same time, change each run once", async () => {
    const { of } = await waiting(30);
    const answers = await Promise.all([1, 2, 3].map(() => change(of, "end", { all: true })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.changed, 0)).toBe(30);
  });

  test.each([
    ["end", {}, "/filter"],
    ["end", { filter: {} }, "/filter"],
    ["end", { filter: { step: "a" }, all: true }, "/all"],
    ["end", { filter: { state: "passed" } }, "/filter/state"],
    ["end", { filter: { steps: "a" } }, "/filter/steps"],
    ["skip", { all: true }, "/filter/step"],
    ["skip", { filter: { step: "a", state: "entered" } }, "/filter/step"],
    ["move", { all: true, step_id: "z" }, "/step_id"],
    ["move", { all: true }, "/step_id"],
  ])("to %s by %j is refused and changes nothing", async (call, body, pointer) => {
    const { of } = await waiting(1);
    expect(await change(of, call, body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    expect(await count(of, "step=a")).toBe(1);
  });

  test("is refused for an archived campaign, and where there is no campaign", async () => {
    const { of } = await waiting(1);
    const row = await byId(db, it.workspaceId, of.campaignId);
    if (row) await writeLifecycle(db, { ...row, status: "archived" }, clock.now());
    expect(await change(of, "end", { all: true })).toMatchObject({ status: 409, body: { current: "archived" } });
    expect((await change({ ...of, campaignId: newId() }, "end", { all: true })).status).toBe(404);
  });
});
