import type { Step } from "@tidings/contract/campaigns/steps";
import { expect, test, vi } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { engineService } from "../../../test/support/services/engine.ts";
import { personKey } from "../../people/index.ts";
import { type Db, sql, type Tx } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Published } from "../definition/published.ts";
import { round } from "./round.ts";

// Faults of the database and of other versions cost no run an attempt and no step.

const { it, identify, define, campaign, begin, settle, forward, runOf, passed, deliveries, clock } =
  await engineService();
const HOUR = 3_600_000;
const { ground } = it.service;
const { db } = ground;
const mark = (id: string, value: string): Step => ({ id, type: "update", attributes: { [id]: value } });

test.skipIf(inShards)("runs that PostgreSQL ends because of deadlocks are repeated without an attempt", async () => {
  const of = await campaign([mark("a", "x")]);
  const people = ["dead-1", "dead-2", "dead-3"];
  for (const id of people) await identify(id);
  const runs = await begin(of, people);
  await db.execute(sql`create sequence deadlocks`);
  await db.execute(sql`
    create function end_by_deadlock() returns trigger language plpgsql as $$ begin
      if nextval('deadlocks') <= 7 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new; end $$`);
  await db.execute({
    text: `create trigger end_by_deadlock before update of stepped_at on campaign_runs for each row
      when (old.campaign_id = '${of.campaignId}') execute function end_by_deadlock()`,
    values: [],
  });
  const warned = vi.spyOn(ground.log, "warn").mockImplementation(() => {});
  for (let i = 0; i < 12; i++) await round(ground, 60_000);
  warned.mockRestore();
  await db.execute(sql`drop trigger end_by_deadlock on campaign_runs`);
  for (const run of runs) {
    expect(await runOf(run)).toMatchObject({ status: "completed", attempts: 0 });
    expect(await passed(run)).toEqual(["a passed"]);
  }
});

test.skipIf(inShards)(
  "a batch that changes people waits for no transaction that changes one of them, and leaves the run to the next round",
  async () => {
    const [held, free] = ["held", "free"];
    for (const id of [held, free]) await identify(id);
    const of = await campaign([mark("one", "x"), mark("two", "x")]);
    const [left = "", done = ""] = await begin(of, [held, free]);
    await db.transaction(async (tx) => {
      // An identify and an event of one person, in one transaction: it locks the person, and then the run.
      const keyOfHeld = personKey(it.workspaceId, held);
      await tx.execute(sql`update people set updated_at = updated_at where person_key = ${keyOfHeld}`);
      await settle();
      expect((await runOf(done)).status).toBe("completed");
      await tx.execute(
        sql`update campaign_runs set goal_at = goal_at where id = ${left} and person_key = ${keyOfHeld}`,
      );
    });
    expect(await runOf(left)).toMatchObject({ status: "active", attempts: 0 });
    await settle();
    for (const run of [left, done]) expect(await passed(run)).toEqual(["one passed", "two passed"]);
  },
);

test("a connection that PostgreSQL ends at any statement of a batch costs no step and doubles none", async () => {
  const people = Array.from({ length: 20 }, (_, i) => `cut-${i}`);
  for (const id of people) await identify(id, { phone: "+41790000000" });
  const message = await define({ body: "Hello {{person.phone}}" });
  const of = await campaign([
    { id: "hello", type: "message", channel: "in_app", message_id: message },
    mark("mark", "x"),
    {
      id: "arm",
      type: "split",
      arms: [
        { name: "a", weight: 1 },
        { name: "b", weight: 1 },
      ],
    },
    { id: "text", type: "message", channel: "sms", content: { body: "Hi" } },
  ]);
  const runs = await begin(of, people);
  const warned = vi.spyOn(ground.log, "warn").mockImplementation(() => {});
  let cuts = 0;
  for (let at = 1; (await statusesOf(of)).completed !== 20; at++, cuts++) await round(cutting(at), 60_000);
  warned.mockRestore();
  expect(cuts, "each statement of the batch was the last of a connection once").toBeGreaterThan(10);
  for (const run of runs) {
    expect((await runOf(run)).attempts).toBe(0);
    expect((await passed(run)).map((line) => line.replace(/ [ab]$/, ""))).toEqual([
      "arm passed",
      "hello passed",
      "mark passed",
      "text passed",
    ]);
  }
  expect(await deliveries(of)).toHaveLength(40);
});

const statusesOf = async (of: Published): Promise<Record<string, number>> => {
  const rows = await db.query<{ status: string; n: number }>(sql`
    select status, count(*)::integer as n from campaign_runs where campaign_id = ${of.campaignId} group by 1`);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};

/** A ground on which each transaction loses its connection before its statement with this number. */
function cutting(at: number) {
  const workDb: Db = {
    ...ground.workDb,
    transaction: (work) =>
      ground.workDb.transaction(async (tx) => {
        let count = 0;
        const before = async () => {
          if (++count !== at) return;
          const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
          await db.query(sql`select pg_terminate_backend(${own?.pid}::integer, 5000)`);
        };
        const spied: Tx = {
          ...tx,
          query: async (statement) => {
            await before();
            return tx.query(statement);
          },
          execute: async (statement) => {
            await before();
            return tx.execute(statement);
          },
        };
        return work(spied);
      }),
  };
  return { ...ground, workDb };
}

test("a clock that jumps an hour forward and back costs no step and doubles none", async () => {
  const at = new Date(clock.now().getTime() + 3 * HOUR).toISOString();
  const of = await campaign([
    mark("begun", "x"),
    { id: "length", type: "wait", for: { amount: 2, unit: "hours" } },
    mark("waited", "x"),
    { id: "date", type: "wait", until: "trigger.at" },
    mark("dated", "x"),
  ]);
  const people = ["before", "ahead", "behind"];
  for (const id of people) await identify(id);
  const runs: string[] = [];
  const enters = async (id: string) => runs.push(...(await begin(of, [id], { at })));
  // Each person enters by another clock: the right one, one that is an hour ahead, and one that is an hour behind.
  await enters("before");
  await settle();
  clock.forward(HOUR);
  await enters("ahead");
  await settle();
  clock.forward(-HOUR);
  await settle();
  clock.forward(-HOUR);
  await enters("behind");
  await settle();
  clock.forward(HOUR);
  await settle();
  expect(await Promise.all(runs.map(async (run) => (await runOf(run)).step_id))).toEqual([
    "length",
    "length",
    "length",
  ]);
  await forward(2 * HOUR);
  expect(await Promise.all(runs.map(async (run) => (await runOf(run)).step_id))).toEqual(["date", "length", "date"]);
  await forward(HOUR);
  const steps = ["begun", "date", "dated", "length", "waited"].map((step) => `${step} passed`);
  for (const run of runs) {
    expect(await runOf(run)).toMatchObject({ status: "completed", attempts: 0 });
    expect(await passed(run)).toEqual(steps);
  }
});

test("runs with steps that this version does not know are left to a newer one, and others go on", async () => {
  const unknown = { id: "n", type: "hologram", brightness: 3 } as unknown as Step;
  const field = { ...mark("n", "x"), glow: true } as unknown as Step;
  await identify("newer");
  const publish = (of: Published, steps: Step[], version: number, graph: number) =>
    db.execute(sql`
    insert into campaign_versions (workspace_id, campaign_id, version, graph, definition, created_at)
    values (${of.workspaceId}, ${of.campaignId}, ${version}, ${graph}, ${JSON.stringify({ ...of.definition, steps })}, now())`);
  for (const step of [unknown, field]) {
    const of = await campaign([step]);
    const [run = ""] = await begin(of, ["newer"]);
    expect(await round(ground, 60_000), "it rests, and does not try again at once").toBe(60_000);
    for (let i = 0; i < 6; i++) await forward(3_600_000);
    expect(await runOf(run)).toMatchObject({ status: "active", attempts: 0, step_id: "n" });
    expect(await passed(run)).toEqual([]);
    // Runs of a graph that this version knows go on behind them.
    await publish(of, [mark("known", "x")], 2, 2);
    await db.execute(sql`update campaigns set version = 2, graph = 2 where id = ${of.campaignId}`);
    const next = { ...of, graph: 2, version: 2, journey: { ...of.journey, first: "known" } };
    const [other = ""] = await begin(next, ["newer"]);
    await settle();
    expect(await runOf(other)).toMatchObject({ status: "completed" });
    // The worker of the newer version is there: the run takes its step.
    await publish(of, [mark("n", "y")], 3, 1);
    await settle();
    expect(await passed(run)).toEqual(["n passed"]);
    expect((await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/metrics`)).status).toBe(200);
  }
});
