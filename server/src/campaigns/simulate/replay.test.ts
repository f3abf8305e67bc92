import { expect, test } from "vitest";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { personKey } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";

const { it, identify, clock } = await inAppService();
const { db } = it.service.ground;
const DAY_MS = 86_400_000;
const now = clock.now();

async function draft(own: object): Promise<string> {
  const answer = await it.call("POST", "/api/v1/campaigns", { body: { name: "Test", ...own } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}
const replay = (id: string, days: number) => it.call("POST", `/api/v1/campaigns/${id}/replay`, { body: { days } });

/** Records an event as it was recorded some days ago. */
async function happened(personId: string, eventName: string, daysAgo: number, properties: object = {}): Promise<void> {
  clock.set(new Date(now.getTime() - daysAgo * DAY_MS));
  const body = { person_id: personId, eventName, properties };
  expect((await it.call("POST", "/data-gateway/v1/track", { body })).status).toBe(202);
  clock.set(now);
}

const written = () =>
  db.query(sql`
    with runs as materialized (select count(*) as runs from campaign_runs),
      sent as materialized (select count(*) as sent from deliveries)
    select * from runs, sent`);

test("a replay says who would have entered in the last days, where they would be and what they would have been sent", async () => {
  await identify("ada", { email: "ada@example.test" });
  await identify("bob", {});
  await identify("eve", { email: "eve@example.test" });
  await happened("ada", "signed_up", 5, { plan: "pro" });
  await happened("ada", "signed_up", 4, { plan: "pro" });
  await happened("ada", "ordered", 3);
  await happened("bob", "signed_up", 2, { plan: "pro" });
  await happened("eve", "signed_up", 1, { plan: "free" });
  await happened("eve", "signed_up", 20, { plan: "pro" });
  const id = await draft({
    trigger: { type: "event", name: "signed_up", where: [{ property: "plan", op: "eq", value: "pro" }] },
    goal: { event: "ordered", within: { amount: 7, unit: "days" } },
    steps: [
      { id: "mail", type: "message", channel: "email", content: { subject: "Hi", body: "Hi" } },
      { id: "order", type: "wait_until", event: "ordered", timeout: { amount: 10, unit: "days" } },
    ],
  });
  const before = await written();
  const answer = await replay(id, 7);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body).toEqual({
    from: new Date(now.getTime() - 7 * DAY_MS).toISOString(),
    to: now.toISOString(),
    people: 3,
    simulated: 3,
    estimate: false,
    entered: 2,
    refused: { already_entered: 1, where: 1 },
    status: { active: 1, completed: 1 },
    steps: {
      mail: { entered: 2, waiting: 0, passed: 1, failed: 1, exited: 0 },
      order: { entered: 2, waiting: 1, passed: 1, failed: 0, exited: 0 },
    },
    messages: [{ step_id: "mail", channel: "email", sent: 1, failed: { no_address: 1 }, held_out: 0 }],
    goal: { reached: 1 },
    stopped: null,
  });
  expect((await replay(id, 30)).body).toMatchObject({ people: 3, entered: 3 });
  expect(await written()).toEqual(before);
});

test("of more than 1,000 people a sample is simulated, and the numbers are marked as an estimate", async () => {
  const ids = Array.from({ length: 1_500 }, (_, i) => `many-${i}`);
  const keys = ids.map((id) => personKey(it.workspaceId, id));
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, attributes, identified_at, created_at, updated_at)
    select t.key, ${it.workspaceId}, t.id, '{}', ${now}, ${now}, ${now} from unnest(${keys}::uuid[], ${ids}::text[]) as t (key, id)`);
  await db.execute(sql`
    insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
    select t.key, gen_random_uuid(), ${it.workspaceId}, 'visited', '{}', ${now}::timestamptz - interval '1 day', ${now}::timestamptz - interval '1 day'
    from unnest(${keys}::uuid[]) as t (key)`);
  const id = await draft({
    trigger: { type: "event", name: "visited" },
    steps: [
      { id: "stay", type: "wait", for: { amount: 1, unit: "hours" } },
      { id: "ping", type: "message", channel: "push", content: { title: "Hi", message: "Hi" } },
    ],
  });
  const answer = await replay(id, 2);
  expect(answer.body).toMatchObject({
    people: 1_500,
    simulated: 1_000,
    estimate: true,
    entered: 1_500,
    status: { completed: 1_500 },
    messages: [{ step_id: "ping", sent: 0, failed: { no_address: 1_500 } }],
    stopped: null,
  });
});

const exit = { id: "end", type: "exit" };

test("a replay lets those in who came into an audience by events, by time and by being created, and nobody who was inside before", async () => {
  const at = (daysAgo: number) => clock.set(new Date(now.getTime() - daysAgo * DAY_MS));
  const join = async (id: string, daysAgo: number, attributes: object) => {
    at(daysAgo);
    await identify(id, { cohort: "audience", ...attributes });
    clock.set(now);
  };
  const within = { amount: 36, unit: "hours" };
  const audience = {
    all: [
      { attribute: "cohort", op: "eq", value: "audience" },
      {
        any: [
          { attribute: "plan", op: "eq", value: "pro" },
          { event: "paid", op: "performed" },
          {
            all: [
              { event: "came", op: "performed" },
              { event: "came", op: "not_performed", within },
            ],
          },
        ],
      },
    ],
  };
  await join("before", 20, { plan: "pro" });
  await join("created", 3, { plan: "pro" });
  await join("paid-late", 20, {});
  await happened("paid-late", "paid", 4);
  await join("paid-long-ago", 20, {});
  await happened("paid-long-ago", "paid", 15);
  await join("gone-quiet", 20, {});
  await happened("gone-quiet", "came", 5);
  await join("never", 20, {});
  const outside = { attribute: "cohort", op: "eq", value: "nobody" };
  const id = await draft({ trigger: { type: "audience", audience }, steps: [exit] });
  const answer = await replay(id, 7);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body).toMatchObject({ people: 6, entered: 3, status: { exited: 3 }, stopped: null });
  const { id: saved } = (await it.call("POST", "/api/v1/audiences", { body: { name: "A", filter: audience } })).body;
  const existing = { type: "audience", audience_id: saved, existing: true };
  const all = await replay(await draft({ trigger: existing, steps: [exit] }), 7);
  expect(all.body).toMatchObject({ people: 6, entered: 5 });
  const nobody = await draft({ trigger: { type: "audience", audience: outside }, steps: [exit] });
  expect((await replay(nobody, 7)).body).toMatchObject({ people: 0, entered: 0 });
});

test("a replay lets those in whom a date or a day of the week made due, each in their zone", async () => {
  const day = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  clock.set(new Date(now.getTime() - 20 * DAY_MS));
  await identify("soon", { renews_on: day(2), timezone: "Asia/Tokyo", cohort: "days" });
  await identify("past", { renews_on: day(12), cohort: "days" });
  await identify("today", { renews_on: day(0), timezone: "America/New_York", cohort: "days" });
  await identify("yearly", { renews_on: `2001${day(3).slice(4)}`, cohort: "days" });
  await identify("unreadable", { renews_on: "soon" });
  clock.set(new Date(now.getTime() - 2 * DAY_MS));
  await identify("too-young", { renews_on: day(4), cohort: "days" });
  clock.set(now);
  const trigger = { type: "date", attribute: "renews_on", at: "09:00" };
  const once = await replay(await draft({ trigger, steps: [exit] }), 7);
  expect(once.status, JSON.stringify(once.body)).toBe(200);
  // It is 7 o'clock in New York now, so the date of "today" has not been due there.
  expect(once.body).toMatchObject({ people: 3, entered: 1, estimate: false });
  const yearly = await replay(await draft({ trigger: { ...trigger, yearly: true }, steps: [exit] }), 7);
  expect(yearly.body).toMatchObject({ entered: 2 });

  const filter = {
    all: [
      { attribute: "cohort", op: "eq", value: "days" },
      { event: "opened", op: "not_performed" },
    ],
  };
  const { id } = (await it.call("POST", "/api/v1/audiences", { body: { name: "Days", filter } })).body;
  await happened("soon", "opened", 4);
  const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const recurring = { trigger: { type: "recurring", days, at: "09:00", audience_id: id }, steps: [exit] };
  const weekly = await replay(await draft(recurring), 7);
  // Three people on seven days, "soon" until the event, and "too-young" since the creation. The seven days of New York end yesterday.
  expect(weekly.body).toMatchObject({ people: 5 });
  expect(weekly.body.entered).toBe(7 + 7 + 7 + 3 + 2);
});

test("a campaign that people enter by calls can't be replayed, and an incomplete one answers its problems", async () => {
  const byCall = await draft({ trigger: { type: "api" }, steps: [{ id: "end", type: "exit" }] });
  expect(await replay(byCall, 7)).toMatchObject({ status: 422, body: { code: "not_replayable" } });
  const incomplete = await draft({ trigger: { type: "event", name: "go" }, steps: [] });
  expect(await replay(incomplete, 7)).toMatchObject({ status: 422, body: { code: "campaign_invalid" } });
  const complete = { days: 7, draft: { steps: [{ id: "end", type: "exit" }] } };
  expect(await it.call("POST", `/api/v1/campaigns/${incomplete}/replay`, { body: complete })).toMatchObject({
    status: 200,
    body: { entered: 0 },
  });
  expect(await replay(incomplete, 31)).toMatchObject({ status: 400, body: { errors: [{ pointer: "/days" }] } });
});

test("a preflight counts each message of each step for the people who may enter, and of more than 10,000 for a sample", async () => {
  const preflight = async (own: object) =>
    (await it.call("POST", `/api/v1/campaigns/${await draft(own)}/preflight`, {})).body;
  await identify("fay", { email: "fay@example.test", renews_at: "2030-05-17" });
  await identify("gus", { renews_at: "2030-05-17" });
  await happened("fay", "landed", 3, { at: "home" });
  await happened("gus", "landed", 29, { at: "home" });
  await happened("ada", "landed", 31, { at: "home" });
  await happened("bob", "landed", 1, { at: "shop" });
  const content = { subject: "Hi", body: "Hi" };
  const push = { after: { amount: 1, unit: "hours" }, channel: "push", content: { title: "Hi", message: "Hi" } };
  const mail = { id: "mail", type: "message", channel: "email", content };
  const counted = {
    will_receive: 1,
    excluded: { unsubscribed: 0, suppressed: 0, no_address: 1 },
    held_out: 0,
    waits: {},
  };
  const trigger = { type: "event", name: "landed", where: [{ property: "at", op: "eq", value: "home" }] };
  const branch = {
    id: "b",
    type: "branch",
    if: { attribute: "plan", op: "exists" },
    then: [{ ...mail, escalate: [push] }],
  };
  expect(
    await preflight({ trigger, steps: [branch, { id: "off", ...push, after: undefined, type: "message" }] }),
  ).toEqual({
    who: "event",
    people: 2,
    counted: 2,
    estimate: false,
    messages: [
      {
        step_id: "mail",
        step_position: 0,
        channel: "email",
        ...counted,
        samples: { will_receive: ["fay"], no_address: ["gus"] },
      },
      { step_id: "mail", step_position: 1, channel: "push", ...nobody },
      { step_id: "off", step_position: 0, channel: "push", ...nobody },
    ],
  });
  expect(
    await preflight({ trigger: { type: "date", attribute: "renews_at", at: "09:00" }, steps: [mail] }),
  ).toMatchObject({
    who: "date",
    people: 2,
    messages: [counted],
  });
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${it.workspaceId}, 'crowd-' || n, '{}', ${now}, ${now}, ${now} from generate_series(1, 10100) n`);
  const all = await preflight({ trigger: { type: "api" }, steps: [{ ...mail, holdout_percent: 50 }] });
  expect(all).toMatchObject({ who: "everybody", counted: 10_000, estimate: true });
  expect(all.people).toBeGreaterThan(10_100);
  const [{ will_receive: gets, excluded, held_out: out }] = all.messages;
  expect(Math.abs(gets + excluded.no_address + out - all.people)).toBeLessThan(3);
  expect(out / all.people).toBeCloseTo(0.5, 1);
  expect(
    (await it.call("POST", `/api/v1/campaigns/${await draft({ trigger: { type: "api" }, steps: [] })}/preflight`, {}))
      .body,
  ).toMatchObject({
    code: "campaign_invalid",
    errors: [{ code: "no_steps" }],
  });
});

const nobody = {
  will_receive: 0,
  excluded: { unsubscribed: 0, suppressed: 0, no_address: 2 },
  held_out: 0,
  waits: {},
  samples: { will_receive: [], no_address: expect.arrayContaining(["fay", "gus"]) },
};
