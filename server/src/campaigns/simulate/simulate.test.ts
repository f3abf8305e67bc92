import { expect, test } from "vitest";
import { type Entry, simulatingService, told } from "../../../test/support/campaigns/simulating.ts";
import { sql } from "../../platform/db/index.ts";

const { it, identify, define, clock, db, draft, simulate } = await simulatingService();

const welcome = async () =>
  draft({
    trigger: { type: "event", name: "signed_up", where: [{ property: "plan", op: "eq", value: "pro" }] },
    goal: { event: "ordered", within: { amount: 30, unit: "days" } },
    exit_when: { attribute: "blocked", op: "eq", value: true },
    steps: [
      { id: "hello", type: "message", channel: "in_app", message_id: await define({ body: "Hello {{person.name}}" }) },
      { id: "settle", type: "wait", for: { amount: 2, unit: "days" } },
      {
        id: "looked",
        type: "branch",
        if: {
          all: [
            { step: "hello", op: "seen" },
            { trigger: "plan", op: "eq", value: "pro" },
          ],
        },
        then: [
          {
            id: "order",
            type: "wait_until",
            event: "ordered",
            timeout: { amount: 7, unit: "days" },
            else: [
              {
                id: "offer",
                type: "message",
                channel: "push",
                content: { title: "10 %", message: "Still {{trigger.plan}}?" },
              },
            ],
          },
        ],
        else: [
          { id: "mail", type: "message", channel: "email", content: { subject: "Hi", body: "Hi {{person.name}}" } },
        ],
      },
      { id: "thanks", type: "message", channel: "sms", content: { body: "{{steps.order.event.total}} CHF" } },
    ],
  });

/** The number of rows of each table, and a hash of them. The table of keys is left out: the last use of a key is written after the call. */
const sizes = async () => {
  const tables = await db.query<{ name: string }>(sql`
    select quote_ident(relname) as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'api_keys' order by relname`);
  const text = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::integer as rows, coalesce(sum(hashtext(t::text)), 0)::text as sum from ${name} t`,
  );
  return db.query({ text: text.join(" union all ").concat(" order by name"), values: [] });
};

test("a made-up person goes through the draft on a virtual clock: each event, verdict, wait and message is on the time line", async () => {
  const id = await welcome();
  const events = [
    { eventName: "signed_up", properties: { plan: "free" }, at: "2030-01-01T09:00:00Z" },
    { eventName: "signed_up", properties: { plan: "pro" }, at: "2030-01-01T10:00:00Z" },
    { step: "hello", happened: "seen", at: "2030-01-01T11:00:00Z" },
    { eventName: "ordered", properties: { total: 80 }, at: "2030-01-05T00:00:00Z" },
  ];
  const before = await sizes();
  const answer = await simulate(id, { person: { name: "Ada", phone: "+41791234567" }, events });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(told(answer.body)).toEqual([
    "01-01T09:00 event",
    "01-01T09:00 not_entered where",
    "01-01T10:00 event",
    "01-01T10:00 entered",
    "01-01T10:00 message hello",
    "01-01T10:00 wait settle",
    "01-01T11:00 outcome hello seen",
    "01-03T10:00 step settle",
    "01-03T10:00 verdict looked then",
    "01-03T10:00 wait order",
    "01-05T00:00 event",
    "01-05T00:00 goal",
    "01-05T00:00 verdict order then",
    "01-05T00:00 message thanks",
    "01-05T00:00 ended thanks",
  ]);
  const { timeline, stopped } = answer.body;
  expect(stopped).toBeNull();
  const at = (kind: string, step: string) => timeline.find((one: Entry) => one.kind === kind && one.step_id === step);
  expect(at("message", "hello")).toMatchObject({
    run: 1,
    step_type: "message",
    message: { channel: "in_app", status: "sent", content: { content: { body: "Hello Ada" } } },
  });
  expect(at("wait", "settle").next_at).toBe("2030-01-03T10:00:00.000Z");
  expect(at("wait", "order").next_at).toBe("2030-01-10T10:00:00.000Z");
  expect(at("verdict", "looked").because).toEqual([
    { pass: true, text: "the message of hello was seen" },
    { pass: true, text: 'trigger.plan is "pro", asked: eq "pro"' },
  ]);
  expect(at("message", "thanks").message).toMatchObject({ to: "+41791234567", content: { body: "80 CHF" } });
  expect(await sizes()).toEqual(before);
});

test("nobody sees a message unless the input says so, a made-up person has a device, and what fails says why", async () => {
  const id = await welcome();
  const events = [{ eventName: "signed_up", properties: { plan: "pro" }, at: "2030-01-01T10:00:00Z" }];
  const unseen = await simulate(id, { person: { name: "Ada" }, events });
  expect(told(unseen.body).slice(4)).toEqual([
    "01-03T10:00 step settle",
    "01-03T10:00 verdict looked else",
    "01-03T10:00 message mail no_address",
    "01-03T10:00 message thanks no_address",
    "01-03T10:00 ended thanks",
  ]);
  const seen = [...events, { step: "hello", happened: "seen", at: "2030-01-01T11:00:00Z" }];
  const late = await simulate(id, { person: { name: "Ada" }, events: seen });
  const offer = late.body.timeline.find((one: Entry) => one.step_id === "offer");
  expect(offer).toMatchObject({
    at: "2030-01-10T10:00:00.000Z",
    message: { status: "sent", content: { message: "Still pro?" } },
  });
  const blocked = await simulate(id, { person: { blocked: true }, events });
  expect(blocked.body.timeline.at(-1)).toMatchObject({
    kind: "ended",
    reason: "exit_when",
    because: [{ pass: true, text: "blocked is true, asked: eq true" }],
  });
});

test("a real person starts with their own attributes, events and lists, and with those that the input adds", async () => {
  await identify("real", { plan: "free", email: "real@example.test" });
  await it.call("POST", "/data-gateway/v1/track", { body: { person_id: "real", eventName: "visited" } });
  const list = (await it.call("POST", "/api/v1/audiences", { body: { name: "VIP", kind: "list" } })).body.id;
  const id = await draft({
    trigger: { type: "api" },
    steps: [
      {
        id: "who",
        type: "branch",
        if: {
          all: [
            { event: "visited", op: "performed" },
            { attribute: "plan", op: "eq", value: "pro" },
            { audience: list },
          ],
        },
        then: [{ id: "mail", type: "message", channel: "email", content: { subject: "{{trigger.code}}", body: "x" } }],
      },
      { id: "tag", type: "update", attributes: { plan: "gone" } },
    ],
  });
  const start = new Date(clock.now().getTime() + 60_000).toISOString();
  const plain = await simulate(id, { person_id: "real", start });
  expect(told(plain.body).filter((one) => one.includes("who"))[0]).toMatch(/verdict who else$/);
  const changed = await simulate(id, {
    person_id: "real",
    person: { plan: "pro" },
    lists: [list],
    start,
    data: { code: "A1" },
  });
  const mail = changed.body.timeline.find((one: Entry) => one.step_id === "mail");
  expect(mail.message).toMatchObject({ to: "real@example.test", content: { subject: "A1" } });
  const person = await it.call("GET", "/api/v1/people/real");
  expect(person.body.attributes).toMatchObject({ plan: "free" });
});

test("a person who comes into the audience of the trigger by an event enters", async () => {
  const filter = {
    all: [
      { event: "visited", op: "performed" },
      { attribute: "plan", op: "eq", value: "pro" },
    ],
  };
  const id = await draft({
    trigger: { type: "audience", audience: filter },
    steps: [{ id: "end", type: "exit" }],
  });
  const events = [{ eventName: "visited", at: "2030-01-01T10:00:00Z" }];
  const inside = await simulate(id, { person: { plan: "pro" }, events });
  expect(told(inside.body)).toEqual([
    "01-01T10:00 event",
    "01-01T10:00 entered",
    "01-01T10:00 step end exit",
    "01-01T10:00 ended end exit",
  ]);
  const outside = await simulate(id, { person: { plan: "free" }, events });
  expect(told(outside.body)).toEqual(["01-01T10:00 event"]);
});

test("a run that another one gathers is said to end, and the other one continues when the window is over", async () => {
  const gather = { id: "gather", type: "batch", window: { amount: 1, unit: "hours" } };
  const id = await draft({ trigger: { type: "event", name: "commented" }, reentry: "always", steps: [gather] });
  const commented = (minute: string) => ({ eventName: "commented", at: `2030-01-01T10:${minute}:00Z` });
  const { body } = await simulate(id, { person: {}, events: [commented("00"), commented("20")] });
  expect(body.timeline.map(({ at, run, text }: Entry) => `${String(at).slice(11, 16)} ${run} ${text}`)).toEqual([
    "10:00 null The person does commented.",
    "10:00 1 The person enters the campaign.",
    "10:00 1 The run waits until 2030-01-01T11:00:00.000Z.",
    "10:20 null The person does commented.",
    "10:20 2 The person enters the campaign.",
    "10:20 2 Another run gathers this run, which ends here.",
    "10:20 2 The run is completed.",
    "11:00 1 The run continues.",
    "11:00 1 The run is completed.",
  ]);
});

test("fields that are not saved are simulated instead of the saved ones, which stay", async () => {
  const id = await draft({ trigger: { type: "api" }, steps: [{ id: "end", type: "exit" }] });
  const steps = [{ id: "later", type: "wait", for: { amount: 1, unit: "hours" } }];
  const { body } = await simulate(id, { person: {}, draft: { steps } });
  expect(body.timeline.map(({ step_id, kind }: Entry) => `${step_id} ${kind}`)).toContain("later wait");
  expect((await simulate(id, { person: {} })).body.timeline.at(-1)).toMatchObject({ step_id: "end", kind: "ended" });
  const wrong = [{ id: "later", type: "wait", for: { amount: -1, unit: "hours" } }];
  expect(await simulate(id, { person: {}, draft: { steps: wrong } })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: "/draft/steps/0/for/amount" }] },
  });
  const incomplete = [{ id: "later", type: "wait" }];
  expect(await simulate(id, { person: {}, draft: { steps: incomplete } })).toMatchObject({
    status: 422,
    body: { code: "campaign_invalid", errors: [{ step_id: "later", pointer: "/steps/0/for" }] },
  });
});
