import { expect, test } from "vitest";
import { engineService } from "../../../test/support/services/engine.ts";
import { limitedService } from "../../../test/support/services/limits.ts";

// What surrounds the person of a simulation: the workspace's limits, the receivers of calls, and the days of the calendar.

const { it, identify, clock, settle } = await engineService();
const HOUR = 3_600_000;

const { call, limit } = limitedService(it);

interface Entry {
  [name: string]: unknown;
  kind: string;
  step_id: string | null;
}
const draft = async (own: object): Promise<string> =>
  (await call("POST", "/campaigns", { name: "Test", trigger: { type: "api" }, reentry: "always", ...own })).id;

async function simulate(id: string, input: object): Promise<Entry[]> {
  return (await call("POST", `/campaigns/${id}/simulate`, input)).timeline;
}
const told = (timeline: Entry[]) =>
  timeline.map(({ at, kind, step_id, held_by, reason }) =>
    [String(at).slice(5, 16), kind, step_id, held_by, reason]
      .filter((one) => one !== null && one !== undefined)
      .join(" "),
  );
const sms = (id: string, own: object = {}) => ({ id, type: "message", channel: "sms", content: { body: id }, ...own });

test("the workspace's limits hold a simulated message back as they would a real one, and the time line says until when", async () => {
  await limit({ per_day: 1, window: { from: "09:00", to: "18:00" } });
  const steps = [sms("one"), sms("two"), sms("three", { when_held: "drop" })];
  const id = await draft({ steps });
  await call("PATCH", "/workspace", { timezone: "Europe/Zurich" });
  const phone = "+41791234567";
  const timeline = await simulate(id, { person: { phone }, start: "2030-01-01T06:30:00Z" });
  expect(told(timeline)).toEqual([
    "01-01T06:30 entered",
    "01-01T06:30 wait one window",
    "01-01T08:00 message one",
    "01-01T08:00 wait two limit",
    "01-02T08:00 message two",
    "01-02T08:00 message three held_by_limit",
    "01-02T08:00 ended three",
  ]);
  expect(timeline[1]).toMatchObject({
    next_at: "2030-01-01T08:00:00.000Z",
    text: "The window of the workspace holds the message back until 2030-01-01T08:00:00.000Z.",
  });
  const abroad = { phone, timezone: "America/New_York" };
  const [, wait] = await simulate(id, { person: abroad, start: "2030-01-01T06:30:00Z" });
  expect(wait).toMatchObject({ held_by: "window", next_at: "2030-01-01T14:00:00.000Z" });
});

test("the real messages of the last 7 days count in a simulation, but not those of an exempt topic", async () => {
  await limit({ per_week: 1 });
  await identify("real", { phone: "+41791234568" });
  const id = await draft({ steps: [sms("one")] });
  await call("POST", `/campaigns/${id}/activate`, {});
  await call("POST", `/campaigns/${id}/runs`, { person_id: "real" });
  await settle();
  const sentAt = clock.now().getTime();
  const start = (hours: number) => ({ person_id: "real", start: new Date(sentAt + hours * HOUR).toISOString() });
  expect((await simulate(id, start(1)))[1]).toMatchObject({
    kind: "wait",
    held_by: "limit",
    next_at: new Date(sentAt + 7 * 24 * HOUR).toISOString(),
  });
  expect((await simulate(id, start(7 * 24)))[1]).toMatchObject({ kind: "message", message: { status: "sent" } });
  const topic = await call("POST", "/topics", { name: "Exempt", default: "subscribed", exempt_from_limits: true });
  const exempt = await draft({ steps: [sms("one", { topic_id: topic.id }), sms("two", { topic_id: topic.id })] });
  const free = await simulate(exempt, start(1));
  expect(free.map(({ kind }) => kind)).toEqual(["entered", "message", "message", "ended"]);
});

test("the call of a webhook step is on the time line, and later steps read the answer that the input gives", async () => {
  const id = await draft({
    steps: [
      {
        id: "score",
        type: "webhook",
        url: "https://api.example.com/{{trigger.code}}",
        body: { name: "{{person.name}}" },
      },
      { id: "ping", type: "webhook", url: "https://api.example.com/ping", body: {} },
      sms("tell", { content: { body: "{{steps.score.response.points}} {{steps.ping.response.status}}" } }),
    ],
  });
  const input = { person: { name: "Ada", phone: "+41791234567" }, data: { code: "A1" } };
  const answered = await simulate(id, { ...input, responses: { score: { body: { points: 7 } } } });
  expect(answered.slice(1)).toMatchObject([
    {
      kind: "step",
      step_id: "score",
      call: { url: "https://api.example.com/A1", body: { name: "Ada" }, status: 200, response: { points: 7 } },
    },
    { step_id: "ping", call: { body: {}, status: 200, response: null } },
    { step_id: "tell", message: { content: { body: "7 200" } } },
    { kind: "ended" },
  ]);
  const [, failed] = await simulate(id, { ...input, responses: { score: { status: 403, body: "no" } } });
  expect(failed).toMatchObject({
    step_id: "score",
    reason: "webhook_failed",
    text: "The step fails: webhook_failed.",
    call: { attempt: 1, status: 403, response: '"no"' },
  });
  const [, impossible] = await simulate(id, { ...input, data: { code: "x".repeat(9_000) } });
  expect(impossible).toMatchObject({ reason: "url_invalid" });
  expect(impossible).not.toHaveProperty("call");
});

test("a call is repeated after the times of the service, with the answers that the input gives to each attempt", async () => {
  const score = { id: "score", type: "webhook", url: "https://api.example.com/score", body: {} };
  const steps = [score, sms("tell", { content: { body: "{{steps.score.response.points}}" } })];
  const id = await draft({ steps, cancel_on: { event: "stop" } });
  const input = { person: { phone: "+41791234567" }, start: "2030-01-01T10:00:00Z" };
  const attempts = (timeline: Entry[]) =>
    timeline.slice(1).map(({ at, kind, next_at, reason, call }) => {
      const { status, attempt, error } = (call ?? {}) as Record<string, unknown>;
      return [String(at).slice(14, 19), kind, attempt, status ?? error, String(next_at ?? "").slice(14, 19), reason]
        .filter((one) => one !== null && one !== undefined && one !== "")
        .join(" ");
    });
  const first = [{ status: 503, body: "busy", retry_after: 60 }, { error: "timeout" }, { status: 500 }];
  const mended = await simulate(id, { ...input, responses: { score: { first, body: { points: 7 } } } });
  expect(attempts(mended)).toEqual([
    "00:00 wait 1 503 01:00",
    "01:00 wait 2 timeout 01:30",
    "01:30 wait 3 500 03:30",
    "03:30 step 4 200",
    "03:30 message",
    "03:30 ended",
  ]);
  expect(mended[1]).toMatchObject({ step_id: "score", call: { url: score.url, body: {}, response: '"busy"' } });
  expect(mended[5]).toMatchObject({ message: { content: { body: "7" } } });
  const exits = await draft({ steps: [{ ...score, on_failure: "exit" }, sms("tell")] });
  const down = { responses: { score: { status: 503 } } };
  expect(attempts(await simulate(exits, { ...input, ...down })).slice(3)).toEqual([
    "02:35 wait 4 503 07:35",
    "07:35 step 5 503 webhook_failed",
    "07:35 ended step_failed",
  ]);
  const stop = { events: [{ eventName: "stop", at: "2030-01-01T10:00:20Z" }] };
  expect(attempts(await simulate(id, { ...input, ...down, ...stop })).slice(1)).toEqual([
    "00:05 wait 2 503 00:35",
    "00:20 event",
    "00:20 ended cancel_on",
  ]);
});

test("a date lets the person in on the first day on which they are due, in their zone", async () => {
  const trigger = {
    type: "date",
    attribute: "renews_on",
    offset: { amount: 3, unit: "days", direction: "before" },
    at: "09:00",
  };
  const id = await draft({ trigger, steps: [sms("remind", { content: { body: "{{trigger.date}}" } })] });
  const person = { renews_on: "2030-03-10", timezone: "America/New_York", phone: "+41791234567" };
  const start = "2030-01-01T06:30:00Z";
  const timeline = await simulate(id, { person, start });
  expect(told(timeline)).toEqual(["03-07T14:00 entered", "03-07T14:00 message remind", "03-07T14:00 ended remind"]);
  expect(timeline[1]).toMatchObject({ message: { content: { body: "2030-03-07" } } });
  expect(await simulate(id, { person: { ...person, renews_on: "2029-03-10" }, start })).toEqual([]);
  const called = await simulate(id, { person, start, data: { date: "by hand" } });
  expect(told(called)[0]).toBe("01-01T06:30 entered");
  const yearly = await draft({ trigger: { ...trigger, yearly: true }, steps: [sms("remind")] });
  const [birthday] = await simulate(yearly, { person: { ...person, renews_on: "2000-01-02" }, start });
  expect(birthday).toMatchObject({ kind: "entered", at: "2030-12-30T14:00:00.000Z" });
});

test("days of the week let the person in while they are in the audience, and again as long as a run goes on", async () => {
  const filter = { attribute: "plan", op: "eq", value: "pro" };
  const { id: audience_id } = await call("POST", "/audiences", { name: "Pros of the week", kind: "filter", filter });
  const steps = [
    { id: "days", type: "wait", for: { amount: 8, unit: "days" } },
    { id: "leave", type: "update", attributes: { plan: "free" } },
  ];
  const id = await draft({ trigger: { type: "recurring", days: ["mon"], at: "08:00", audience_id }, steps });
  const start = "2030-01-01T06:30:00Z";
  const timeline = await simulate(id, { person: { plan: "pro", timezone: "UTC" }, start });
  expect(told(timeline).filter((one) => !one.includes("step"))).toEqual([
    "01-07T08:00 entered",
    "01-07T08:00 wait days",
    "01-14T08:00 entered",
    "01-14T08:00 wait days",
    "01-15T08:00 ended leave",
    "01-22T08:00 ended leave",
  ]);
  expect(await simulate(id, { person: { plan: "free" }, start })).toEqual([]);
});
