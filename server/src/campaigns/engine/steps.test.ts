import { describe, expect, test } from "vitest";
import { engineService } from "../../../test/support/services/engine.ts";
import { personKey } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";

// Each type of step, through the whole service.

const engine = await engineService();
const { it, identify, define, sync, report, campaign, begin, settle, forward, runOf, passagesOf, passed, deliveries } =
  engine;
const { db } = it.service.ground;
const HOUR = 3_600_000;

await it.call("PATCH", "/api/v1/workspace", { body: { sender_defaults: { email_from: "shop@acme.test" } } });

const end = { id: "end", type: "exit" };
const email = (body: string) => ({ subject: "Hi", body, from: "shop@acme.test" });
const event = async (personId: string, eventName: string, properties: object = {}) => {
  const answer = await it.call("POST", "/data-gateway/v1/track", {
    body: { person_id: personId, eventName, properties },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
};

async function ended(id: string) {
  const { status, reason, step_id, due_at } = await runOf(id);
  expect({ step_id, due_at }).toEqual({ step_id: null, due_at: null });
  return reason === null ? status : `${status} ${reason}`;
}

describe("a message", () => {
  test("in-app is queued for the person with the data of the cause, and sync shows it", async () => {
    await identify("ada", { name: "Ada" });
    const of = await campaign([
      {
        id: "hello",
        type: "message",
        channel: "in_app",
        message_id: await define({ body: "{{person.name}}: {{trigger.order}}" }),
      },
    ]);
    const [run = ""] = await begin(of, ["ada"], { order: "o1" });
    await settle();
    expect(await ended(run)).toBe("completed");
    expect(await sync("ada")).toMatchObject([{ content: { body: "Ada: o1" } }]);
    const [delivery] = await deliveries(of);
    expect(await passagesOf(run)).toMatchObject([{ step_id: "hello", state: "passed", delivery_id: delivery?.id }]);
    const listed = await it.call("GET", `/api/v1/deliveries/${encodeId("dlv", delivery?.id ?? "")}`);
    expect(listed.body).toMatchObject({
      source: "campaign",
      source_id: encodeId("cmp", of.campaignId),
      person_id: "ada",
    });
  });

  test.each([
    ["email", { email: "m@acme.test" }, email("Order {{trigger.order}}"), "Order o2"],
    ["sms", { phone: "+41790000001" }, { body: "Order {{trigger.order}}" }, "Order o2"],
  ])(
    "by %s is rendered and queued; without an address the run goes on with the reason",
    async (channel, address, content, shows) => {
      await identify(`${channel}-has`, address);
      await identify(`${channel}-none`);
      const of = await campaign([{ id: "m", type: "message", channel, content }]);
      const [has = "", none = ""] = await begin(of, [`${channel}-has`, `${channel}-none`], { order: "o2" });
      await settle();
      expect(await passed(has)).toEqual(["m passed"]);
      expect(await passed(none)).toEqual(["m failed no_address"]);
      expect([await ended(has), await ended(none)]).toEqual(["completed", "completed"]);
      const rows = await deliveries(of);
      expect(rows.map(({ status, reason }) => `${status} ${reason}`).sort()).toEqual([
        "failed no_address",
        "queued null",
      ]);
      expect(JSON.stringify(rows)).toContain(shows);
    },
  );

  test("by push goes to those with a device, and a failure ends the run where the step says so", async () => {
    await identify("push-none");
    const of = await campaign([
      { id: "p", type: "message", channel: "push", content: { title: "t", message: "m" }, on_failure: "exit" },
      end,
    ]);
    const [run = ""] = await begin(of, ["push-none"]);
    await settle();
    expect(await ended(run)).toBe("exited step_failed");
    expect(await passed(run)).toEqual(["p failed no_address"]);
  });

  test("holds some out, splits into variants that stay, and speaks the person's language", async () => {
    const people = Array.from({ length: 60 }, (_, i) => `var-${i}`);
    for (const id of people) await identify(id, { phone: `+417911100${id.slice(4).padStart(2, "0")}`, locale: "de" });
    const variant = (name: string) => ({
      name,
      weight: 1,
      content: { body: name },
      locales: { de: { content: { body: `${name} de` } } },
    });
    const of = await campaign([
      { id: "v", type: "message", channel: "sms", variants: [variant("A"), variant("B")], holdout_percent: 30 },
    ]);
    const first = await begin(of, people);
    const second = await begin(of, people);
    await settle();
    const saw = async (runs: string[]) => {
      const rows = await Promise.all(runs.map(async (run) => (await passagesOf(run))[0]));
      return rows.map((row) => JSON.stringify([row?.detail, row?.delivery_id === null]));
    };
    const one = await saw(first);
    expect(one).toEqual(await saw(second));
    const out = one.filter((row) => row.includes("held_out")).length;
    expect(out).toBeGreaterThan(5);
    expect(out).toBeLessThan(35);
    const rows = await deliveries(of);
    expect(rows).toHaveLength(2 * (60 - out));
    expect(new Set(rows.map((row) => row.variant))).toEqual(new Set(["A", "B"]));
    expect(rows.every((row) => JSON.stringify(row.content).includes(`${row.variant} de`))).toBe(true);
  });

  test("respects what people unsubscribed from, and an in-app message that is off or gone fails for all with its code", async () => {
    await identify("unsub", { phone: "+41790000009", subscribed: false });
    const of = await campaign([{ id: "s", type: "message", channel: "sms", content: { body: "x" } }]);
    const [run = ""] = await begin(of, ["unsub"]);
    await settle();
    expect(await passed(run)).toEqual(["s failed unsubscribed"]);
    const off = await campaign([{ id: "i", type: "message", channel: "in_app", message_id: await define() }]);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: false } });
    const [other = ""] = await begin(off, ["unsub"]);
    await settle();
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: true } });
    expect(await passed(other)).toEqual(["i failed in_app_disabled"]);
  });
});

describe("a wait", () => {
  test("lasts as long as it says, or until a date of the cause", async () => {
    await identify("waits");
    const of = await campaign([
      { id: "w", type: "wait", for: { amount: 1, unit: "hours" } },
      { id: "d", type: "wait", until: "trigger.at", offset: { amount: 30, unit: "minutes", direction: "before" } },
    ]);
    const at = new Date(engine.clock.now().getTime() + 3 * HOUR);
    const [run = ""] = await begin(of, ["waits"], { at: at.toISOString() });
    await settle();
    expect(await passed(run)).toEqual(["w waiting"]);
    await forward(HOUR - 1);
    expect((await runOf(run)).step_id).toBe("w");
    await forward(1);
    expect(await runOf(run)).toMatchObject({
      step_id: "d",
      due_fixed: true,
      due_at: new Date(at.getTime() - HOUR / 2),
    });
    await forward(1.5 * HOUR);
    expect(await passed(run)).toEqual(["d passed", "w passed"]);
    expect(await ended(run)).toBe("completed");
  });

  test("for a window is over when the clocks of the person's zone show it", async () => {
    await identify("tokyo", { timezone: "Asia/Tokyo" });
    const of = await campaign([{ id: "w", type: "wait_window", from: "09:00", to: "10:00" }]);
    const [run = ""] = await begin(of, ["tokyo"]);
    await settle();
    expect((await runOf(run)).due_at?.toISOString().slice(11)).toBe("00:00:00.000Z");
  });

  test("until an event takes one of two ways, with the event's properties in content", async () => {
    for (const id of ["pays", "leaves"]) await identify(id, { phone: "+41790000003" });
    const sms = (id: string, body: string) => ({ id, type: "message", channel: "sms", content: { body } });
    const of = await campaign([
      {
        id: "pay",
        type: "wait_until",
        event: "paid",
        where: [{ property: "total", op: "gt", value: 10 }],
        timeout: { amount: 1, unit: "hours" },
        then: [sms("thanks", "Thanks for {{steps.pay.event.total}}")],
        else: [sms("again", "Come back")],
      },
    ]);
    const [pays = "", leaves = ""] = await begin(of, ["pays", "leaves"]);
    await settle();
    expect(await runOf(pays)).toMatchObject({ step_id: "pay", waits_for: "paid" });
    // Recorded while the step was being written, so that the run was not woken: the second look finds it.
    await event("pays", "paid", { total: 5 });
    await forward(1_000);
    await event("pays", "paid", { total: 30 });
    await forward(3_000);
    await forward(HOUR);
    expect(await passed(pays)).toEqual(["pay passed then", "thanks passed"]);
    expect(await passed(leaves)).toEqual(["again passed", "pay passed else"]);
    expect(JSON.stringify(await deliveries(of))).toContain("Thanks for 30");
  });

  test("until an event counts one from before the step where it says so", async () => {
    await identify("early");
    const wait = (id: string, counts_from: string) => ({
      id,
      type: "wait_until",
      event: "done",
      timeout: { amount: 1, unit: "days" },
      counts_from,
    });
    const of = await campaign([
      { id: "w", type: "wait", for: { amount: 1, unit: "hours" } },
      wait("counts", "entry"),
      wait("not", "step"),
    ]);
    const [run = ""] = await begin(of, ["early"]);
    await settle();
    engine.clock.forward(1_000);
    await event("early", "done");
    await forward(HOUR);
    expect(await passed(run)).toEqual(["counts passed then", "not waiting", "w passed"]);
  });
});

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
