import { describe, expect, test } from "vitest";
import { email, end, HOUR, steppingEngine } from "../../../test/support/campaigns/steps.ts";
import { personKey } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";

// Each type of step, through the whole service.

const {
  it,
  identify,
  define,
  sync,
  report,
  campaign,
  begin,
  settle,
  forward,
  runOf,
  passagesOf,
  passed,
  db,
  event,
  ended,
} = await steppingEngine();

describe("a branch", () => {
  test("asks the person, the cause, and what became of the message of an earlier step", async () => {
    await identify("vip", { plan: "pro" });
    await identify("new");
    const of = await campaign([
      { id: "m", type: "message", channel: "in_app", message_id: await define() },
      { id: "w", type: "wait", for: { amount: 1, unit: "hours" } },
      {
        id: "b",
        type: "branch",
        if: {
          all: [
            { attribute: "plan", op: "eq", value: "pro" },
            { trigger: "total", op: "gt", value: 10 },
            { step: "m", op: "seen" },
          ],
        },
        then: [end],
      },
    ]);
    const [seen = ""] = await begin(of, ["vip"], { total: 20 });
    await settle();
    const [shown] = await sync("vip");
    await report(shown?.delivery_id ?? "", "impression", { person_id: "vip" });
    const [unseen = "", other = "", small = ""] = [
      ...(await begin(of, ["vip"], { total: 20 })),
      ...(await begin(of, ["new"], { total: 20 })),
      ...(await begin(of, ["vip"], { total: 1 })),
    ];
    await forward(HOUR);
    await forward(HOUR);
    expect(await passed(seen)).toContain("b passed then");
    for (const run of [unseen, other, small]) expect(await passed(run)).toContain("b passed else");
    expect(await ended(seen)).toBe("exited exit");
  });

  test("knows events, lists and audiences of the person as audiences do", async () => {
    await identify("buyer");
    await identify("idle");
    const list = (await it.call("POST", "/api/v1/audiences", { body: { name: "List", kind: "list" } })).body.id;
    await event("buyer", "order_placed", { total: 30 });
    const of = await campaign([
      { id: "l", type: "list", add: list },
      {
        id: "b",
        type: "branch",
        if: {
          all: [
            { audience: list },
            { event: "order_placed", op: "performed", where: [{ property: "total", op: "gte", value: 30 }] },
          ],
        },
      },
      { id: "r", type: "list", remove: list },
      { id: "c", type: "branch", if: { audience: list } },
    ]);
    const [buyer = "", idle = ""] = await begin(of, ["buyer", "idle"]);
    await settle();
    expect(await passed(buyer)).toEqual(["b passed then", "c passed else", "l passed", "r passed"]);
    expect(await passed(idle)).toEqual(["b passed else", "c passed else", "l passed", "r passed"]);
  });
});

describe("other steps", () => {
  test("a split is sticky for a person and follows the weights", async () => {
    const people = Array.from({ length: 200 }, (_, i) => `split-${i}`);
    for (const id of people) await identify(id);
    const of = await campaign([
      {
        id: "s",
        type: "split",
        arms: [
          { name: "A", weight: 3 },
          { name: "B", weight: 1, steps: [end] },
        ],
      },
    ]);
    const ways = async (runs: string[]) =>
      await Promise.all(runs.map(async (run) => (await passagesOf(run)).find((row) => row.step_id === "s")?.way));
    const [first, second] = [await begin(of, people), await begin(of, people)];
    await settle();
    const taken = await ways(first);
    expect(taken).toEqual(await ways(second));
    const share = taken.filter((way) => way === "A").length / people.length;
    expect(share).toBeGreaterThan(0.62);
    expect(share).toBeLessThan(0.88);
  });

  test("an update goes the way of identify, and the steps behind it see it", async () => {
    await identify("grows", { plan: "free" });
    const of = await campaign([
      { id: "u", type: "update", attributes: { plan: "pro", email: "grows@acme.test" } },
      {
        id: "b",
        type: "branch",
        if: { attribute: "plan", op: "eq", value: "pro" },
        then: [{ id: "m", type: "message", channel: "email", content: email("{{person.plan}}") }],
      },
      { id: "bad", type: "update", attributes: { email: "nobody" } },
    ]);
    const [run = ""] = await begin(of, ["grows"]);
    await settle();
    expect((await it.call("GET", "/api/v1/people/grows")).body.attributes).toMatchObject({ plan: "pro" });
    expect(await passed(run)).toEqual(["b passed then", "bad failed invalid_request", "m passed", "u passed"]);
  });

  test("start lets the person into another campaign by its own rule, and a circle ends", async () => {
    await identify("starts");
    const other = await campaign([{ id: "w", type: "wait", for: { amount: 1, unit: "days" } }], { reentry: "once" });
    const start = (id: string, of: { campaignId: string }) => ({
      id,
      type: "start",
      campaign_id: encodeId("cmp", of.campaignId),
      data: { from: id },
    });
    const of = await campaign([start("first", other), start("second", other)]);
    const [run = ""] = await begin(of, ["starts"]);
    await settle();
    const [began, not] = await passagesOf(run);
    expect([began?.detail, not?.detail]).toEqual([{ run_id: expect.stringMatching(/^run_/) }, { entered: false }]);
    const circle = await campaign([]);
    const steps = [start("round", circle)];
    await db.execute(sql`
      update campaign_versions set definition = jsonb_set(definition, '{steps}', ${JSON.stringify(steps)}::jsonb) where campaign_id = ${circle.campaignId}`);
    const into = { ...circle, journey: (await campaign(steps)).journey };
    await identify("dizzy");
    await begin(into, ["dizzy"]);
    await settle();
    const runs = await db.query<{ count: number }>(
      sql`select count(*)::integer as count from campaign_runs where campaign_id = ${circle.campaignId}`,
    );
    expect(runs).toEqual([{ count: 100 }]);
    const last = await db.query<{ reason: string }>(
      sql`select reason from campaign_passages where campaign_id = ${circle.campaignId} and state = 'failed'`,
    );
    expect(last).toEqual([{ reason: "too_many_steps" }]);
  });

  test("a throttle lets at most so many on for a key within its window; the others wait or leave", async () => {
    const people = ["t1", "t2", "t3", "t4", "t5"];
    for (const id of people) await identify(id);
    const throttle = (otherwise: string) => [
      { id: "t", type: "throttle", key: "trigger.post", limit: 2, window: { amount: 1, unit: "hours" }, otherwise },
    ];
    const waits = await campaign(throttle("wait"));
    const runs = await begin(waits, people, { post: "p1" });
    const others = await begin(waits, people.slice(0, 2), { post: "p2" });
    const done = async (ids: string[]) =>
      (await Promise.all(ids.map(runOf))).filter(({ status }) => status === "completed").length;
    await settle();
    expect([await done(runs), await done(others)]).toEqual([2, 2]);
    await forward(HOUR - 1);
    expect(await done(runs)).toBe(2);
    await forward(1);
    expect(await done(runs)).toBe(4);
    await forward(HOUR);
    expect(await done(runs)).toBe(5);
    const leaves = await campaign(throttle("exit"));
    const first = await begin(leaves, people, { post: "p1" });
    await settle();
    expect(await done(first)).toBe(2);
    const ends = await Promise.all(first.map(ended));
    expect(ends.filter((end) => end === "exited throttled")).toHaveLength(3);
  });

  test("exit_when is asked before each step", async () => {
    await identify("stops", { status: "trial" });
    const of = await campaign(
      [
        { id: "w", type: "wait", for: { amount: 1, unit: "hours" } },
        { id: "x", type: "exit" },
      ],
      {
        exit_when: { attribute: "status", op: "eq", value: "paid" },
      },
    );
    const [run = ""] = await begin(of, ["stops"]);
    await settle();
    await identify("stops", { status: "paid" });
    await forward(HOUR);
    expect(await ended(run)).toBe("exited exit_when");
    expect(await passed(run)).toEqual(["w exited exit_when"]);
  });

  test("a run of somebody who was erased ends", async () => {
    await identify("gone");
    const of = await campaign([{ id: "w", type: "wait", for: { amount: 1, unit: "hours" } }]);
    const [run = ""] = await begin(of, ["gone"]);
    await settle();
    await db.execute(sql`delete from people where person_key = ${personKey(it.workspaceId, "gone")}`);
    await forward(HOUR);
    expect(await ended(run)).toBe("canceled person_erased");
  });
});
