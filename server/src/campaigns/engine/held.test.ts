import { describe, expect, test } from "vitest";
import { HOUR, limitedEngine, sms } from "../../../test/support/campaigns/limited.ts";
import { until } from "../../../test/support/wait.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { step } from "../../broadcasts/fanout/fanout.ts";

// The workspace's limits hold messages of campaigns back: they wait or are dropped, and the run says why.

const {
  it,
  clock,
  identify,
  define,
  sync,
  report,
  settle,
  forward,
  call,
  limit,
  person,
  campaign,
  begin,
  runOf,
  after,
} = await limitedEngine();

describe("a message that the limit holds back", () => {
  test("waits until the limit leaves room, also over a pause, and is sent then", async () => {
    await limit({ per_day: 1 });
    const id = await campaign([sms("one"), sms("two")]);
    const who = await person();
    const due = after(24 * HOUR);
    const run = await begin(id, who);
    expect(await runOf(id, run)).toMatchObject({
      status: "active",
      step_id: "two",
      due_at: due,
      history: [
        { step_id: "one", state: "passed" },
        { step_id: "two", state: "waiting", reason: null, delivery_id: null, detail: { held_by: "limit" } },
      ],
    });
    expect((await call("GET", `/campaigns/${id}/metrics`)).steps.two).toMatchObject({ entered: 1, waiting: 1 });
    await forward(HOUR);
    await call("POST", `/campaigns/${id}/pause`);
    clock.forward(HOUR);
    await call("POST", `/campaigns/${id}/resume`);
    await forward(22 * HOUR - 1);
    expect(await runOf(id, run)).toMatchObject({ status: "active", due_at: due });
    await forward(1);
    expect(await runOf(id, run)).toMatchObject({
      status: "completed",
      history: [{ state: "passed" }, { state: "passed", delivery_id: expect.any(String) }],
    });
  });

  test.each([
    ["more room", { per_day: 2 }],
    ["no limit", {}],
    ["no room", { per_week: 1 }],
  ])("asks again after a change that leaves %s, without waiting for its time", async (what, changed) => {
    await limit({ per_day: 1 });
    const id = await campaign([sms("one"), sms("two")]);
    const who = await person();
    const run = await begin(id, who);
    await forward(HOUR);
    await limit(changed);
    await settle();
    const due_at = after(7 * 24 * HOUR - HOUR);
    expect(await runOf(id, run)).toMatchObject(what === "no room" ? { due_at } : { status: "completed" });
    const left = sql`select from campaigns where id = ${decodeId("cmp", id)} and asking_since is not null`;
    expect(await it.service.ground.db.query(left)).toEqual([]);
  });

  test("is in the person's log once for each hold, with its reason and time, and later with its delivery", async () => {
    await limit({ per_day: 1 });
    const id = await campaign([sms("one"), sms("two")]);
    const who = await person();
    const first = await begin(id, who);
    const held = async () => (await call("GET", `/people/${who}/activity?type=sms.held`)).data;
    const heldUntil = after(24 * HOUR);
    const about = { source: "campaign", source_id: id, step_id: "two" };
    expect(await held()).toMatchObject([
      { delivery_id: null, channel: "sms", ...about, data: { reason: "held_by_limit", until: heldUntil, ...about } },
    ]);
    await forward(HOUR);
    await limit({ per_day: 1, per_week: 6 });
    await settle();
    expect(await held()).toHaveLength(1);
    await forward(HOUR);
    await limit({ per_day: 1, window: { from: "03:00", to: "03:30" } });
    await settle();
    expect(await held()).toMatchObject([{ data: { reason: "held_by_window" } }, { data: { reason: "held_by_limit" } }]);
    // The feed shows nothing newer than the oldest transaction that any test has open on this PostgreSQL.
    const own = await until(async () => {
      const feed = await call("GET", "/events?types=sms.held&limit=200");
      const found = feed.data.filter((one: { data: { person_id: string } }) => one.data.person_id === who);
      return found.length < 2 ? undefined : found;
    }, "both holds in the feed");
    expect(own).toHaveLength(2);
    expect(own[0].data).toMatchObject({ channel: "sms", delivery_id: null, ...about, details: { until: heldUntil } });
    await forward(HOUR);
    await limit({});
    await settle();
    const { delivery_id } = (await runOf(id, first)).history[1];
    expect(await held()).toMatchObject([{ delivery_id, ...about }, { delivery_id }]);
    const { events } = await call("GET", `/deliveries/${delivery_id}`);
    expect(events.map((one: { type: string }) => one.type)).toEqual(["sms.held", "sms.held", "sms.queued"]);
  });

  test("is dropped where the step says so, and the run goes on even if it exits on a failure", async () => {
    await limit({ channels: { sms: { per_week: 1 } } });
    const id = await campaign([sms("one"), sms("two", { when_held: "drop", on_failure: "exit" }), sms("three")]);
    const who = await person();
    const run = await begin(id, who);
    const { status, step_id, history } = await runOf(id, run);
    expect({ status, step_id }).toEqual({ status: "active", step_id: "three" });
    expect(history[1]).toMatchObject({ state: "failed", reason: "held_by_limit", delivery_id: expect.any(String) });
    const { data } = await call("GET", `/people/${who}/activity?type=sms.suppressed`);
    expect(data).toMatchObject([
      { delivery_id: history[1].delivery_id, source: "campaign", data: { reason: "held_by_limit" } },
    ]);
    const { steps, totals } = await call("GET", `/campaigns/${id}/metrics`);
    expect(steps.two).toMatchObject({ entered: 1, waiting: 0, passed: 0, failed: 1, exited: 0 });
    expect(totals).toMatchObject({ failed: 1 });
  });

  test("of a step that escalates waits with the run, and is not sent once an earlier message is seen", async () => {
    await limit({ per_day: 1 });
    const own = { channel: "in_app", message_id: await define() };
    const soon = { after: { amount: 1, unit: "hours" } };
    const steps = (when_held: string) => [
      {
        id: "alert",
        type: "message",
        ...own,
        when_held,
        escalate: [{ ...soon, channel: "sms", content: { body: "x" } }],
      },
    ];
    const [waits, drops] = [await campaign(steps("wait")), await campaign(steps("drop"))];
    const [ada, eve, bob] = [await person(), await person(), await person()];
    const due = after(24 * HOUR);
    const [seen, unseen] = [await begin(waits, ada), await begin(waits, eve)];
    const dropped = await begin(drops, bob);
    await forward(HOUR);
    for (const run of [seen, unseen])
      expect(await runOf(waits, run)).toMatchObject({
        due_at: due,
        history: [
          { state: "waiting", detail: { held_by: "limit", messages: [{ channel: "in_app", status: "sent" }] } },
        ],
      });
    expect(await runOf(drops, dropped)).toMatchObject({
      status: "completed",
      history: [{ state: "passed", detail: { messages: [{}, { channel: "sms", reason: "held_by_limit" }] } }],
    });
    const [shown] = await sync(ada);
    await report(shown?.delivery_id ?? "", "impression", { person_id: ada });
    await settle();
    expect(await runOf(waits, seen)).toMatchObject({ status: "completed" });
    await forward(23 * HOUR);
    expect(await runOf(waits, unseen)).toMatchObject({
      status: "completed",
      history: [{ detail: { messages: [{ status: "sent" }, { channel: "sms", status: "sent" }] } }],
    });
  });

  test("counts in-app messages and messages of other campaigns and broadcasts", async () => {
    await limit({ per_day: 2 });
    const who = await person({ group: "counted" });
    const message_id = await define();
    const audience = { attribute: "group", op: "eq", value: "counted" };
    const broadcast = await call("POST", "/broadcasts", { name: "B", channel: "in_app", message_id, audience });
    await call("POST", `/broadcasts/${broadcast.id}/send`);
    while (await step(it.service.ground));
    const first = await campaign([{ id: "card", type: "message", channel: "in_app", message_id }]);
    const second = await campaign([sms("text")]);
    expect(await runOf(first, await begin(first, who))).toMatchObject({ status: "completed" });
    expect(await runOf(second, await begin(second, who))).toMatchObject({ status: "active", step_id: "text" });
  });

  test("is only one that would be sent: nobody waits who unsubscribed or is held out", async () => {
    await limit({ per_day: 1 });
    const id = await campaign([sms("one", { subscription_preference: "all" }), sms("two")]);
    const who = await person();
    await call("PATCH", `/people/${who}/subscriptions`, { channels: { sms: false } });
    const { status, history } = await runOf(id, await begin(id, who));
    expect([status, history[1].reason]).toEqual(["completed", "channel_unsubscribed"]);
  });
});

test("a preflight says for each message whom the limits make wait or leave out, and why", async () => {
  clock.set("2026-06-01T12:00:00Z");
  const join = (n: number, attributes: object) =>
    identify(`flight-${n}`, { flight: true, timezone: "UTC", phone: `+4179444000${n}`, ...attributes });
  for (const n of [1, 2]) await join(n, {});
  await begin(await campaign([sms("before")]), "flight-1");
  await join(3, { timezone: "Pacific/Auckland" });
  await limit({ channels: { sms: { per_day: 1, window: { from: "09:00", to: "20:00" } } } });
  const { id } = await call("POST", "/campaigns", {
    name: "Flight",
    trigger: { type: "audience", audience: { attribute: "flight", op: "eq", value: true } },
    steps: [sms("wait"), sms("drop", { when_held: "drop" })],
  });
  const held = { held_by_limit: 1, held_by_window: 1 };
  const samples = { held_by_limit: ["flight-1"], held_by_window: ["flight-3"] };
  expect(await call("POST", `/campaigns/${id}/preflight`)).toMatchObject({
    who: "audience",
    people: 3,
    messages: [
      { step_id: "wait", will_receive: 3, waits: held, samples },
      {
        step_id: "drop",
        will_receive: 1,
        waits: {},
        excluded: held,
        samples: { ...samples, will_receive: ["flight-2"] },
      },
    ],
  });
});

test("a topic that is exempt is neither held back nor counted", async () => {
  await limit({ per_day: 1 });
  const topic = await call("POST", "/topics", { name: "Alarms", default: "subscribed", exempt_from_limits: true });
  expect(topic.exempt_from_limits).toBe(true);
  const own = { topic_id: topic.id };
  const id = await campaign([sms("one", own), sms("two", own), sms("three"), sms("four", own), sms("five")]);
  const who = await person();
  const run = await begin(id, who);
  expect(await runOf(id, run)).toMatchObject({ step_id: "five", status: "active" });
  await call("PATCH", `/topics/${topic.id}`, { exempt_from_limits: false });
  const again = await begin(id, who);
  expect(await runOf(id, again)).toMatchObject({ step_id: "one", status: "active" });
});

test("two runs of a person that are due at once send one message, and the other waits", async () => {
  await limit({ per_day: 1 });
  const who = await person();
  const [first, second] = [await campaign([sms("a")]), await campaign([sms("b")])];
  await Promise.all([first, second].map((id) => call("POST", `/campaigns/${id}/runs`, { person_id: who })));
  await settle();
  const runs = [first, second].map(async (id) => (await call("GET", `/campaigns/${id}/runs?person_id=${who}`)).data[0]);
  expect((await Promise.all(runs)).map(({ status }) => status).toSorted()).toEqual(["active", "completed"]);
});

test("a transactional is sent whatever the limits say", async () => {
  await limit({ per_day: 1, window: { from: "03:00", to: "03:01" } });
  const body = { identifiers: { id: await person() }, body: "code" };
  for (let i = 0; i < 2; i++) {
    const answer = await it.call("POST", "/data-gateway/transactionals/sms", { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const delivery = await call("GET", `/deliveries/${answer.body.delivery_id}`);
    expect(["suppressed", "failed"]).not.toContain(delivery.status);
  }
});
