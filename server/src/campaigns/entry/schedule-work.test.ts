import type { CampaignDefinition, Trigger, TriggerOf } from "@tidings/contract/campaigns/campaigns";
import { beforeEach, describe, expect, test } from "vitest";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { testClock, testService } from "../../../test/support/service.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { peopleWithDate } from "../schedule/occurrences-store.ts";
import { zonesOf } from "../schedule/schedules-store.ts";
import { doNext } from "./next-work.ts";
import { letInPage, planNext } from "./schedule-work.ts";

const clock = testClock("2026-05-11T00:00:00Z");
const it = await testService({ clock });
const { ground } = it.service;
const { db } = ground;

// Each test has a workspace of its own, whose zone is UTC. Campaigns of earlier tests would plan each day of the years that later tests pass.
let key: string;
beforeEach(async () => {
  await db.execute(sql`delete from campaigns`);
  key = (await it.another()).secretKey;
});

const call = (method: "POST" | "PATCH" | "GET" | "DELETE", url: string, body?: object) =>
  it.call(method, url, { key, ...(body && { body }) });
const identify = (person_id: string, attributes: object) =>
  call("POST", "/data-gateway/v1/identify", { person_id, attributes });

type RecurringTrigger = TriggerOf<"recurring">;
const pause = { id: "pause", type: "wait", for: { amount: 30, unit: "days" } };
const birthday: Trigger = { type: "date", attribute: "born", at: "09:00", yearly: true };

async function activate(trigger: Trigger, own: Partial<CampaignDefinition> = {}): Promise<string> {
  const made = await call("POST", "/api/v1/campaigns", { name: newId(), trigger, steps: [pause], ...own });
  expect(made.status).toBe(201);
  const activated = await call("POST", `/api/v1/campaigns/${made.body.id}/activate`, {});
  expect(activated.body).toMatchObject({ status: "active" });
  return made.body.id;
}

async function work(): Promise<void> {
  while (await planNext(ground));
  while (await letInPage(ground));
}
async function workAt(time: string): Promise<void> {
  clock.set(time);
  await work();
}

/** Who entered, and for which day, in the order in which they entered. */
async function entries(id: string): Promise<string[]> {
  const { body } = await call("GET", `/api/v1/campaigns/${id}/runs`);
  return body.data
    .map((run: { person_id: string; data: { date: string } }) => `${run.person_id} ${run.data.date}`)
    .sort();
}

/** Advances to a day that no test before has reached. */
let year = 2026;
const nextYear = () => ++year;

describe("a campaign by a date of people", () => {
  test("lets each person in on their day at the time of their zone, and says which day it is", async () => {
    const y = nextYear();
    clock.set(`${y}-05-16T12:00:00Z`);
    const id = await activate({ ...birthday });
    await identify("berlin", { born: "1990-05-17", timezone: "Europe/Berlin" });
    await identify("tokyo", { born: "1991-05-17", timezone: "Asia/Tokyo" });
    await identify("nowhere", { born: "1992-05-17" });
    await identify("other", { born: "1990-05-18" });
    await workAt(`${y}-05-17T00:00:00Z`);
    expect(await entries(id)).toEqual([`tokyo ${y}-05-17`]);
    await workAt(`${y}-05-17T07:00:00Z`);
    expect(await entries(id)).toEqual([`berlin ${y}-05-17`, `tokyo ${y}-05-17`]);
    await workAt(`${y}-05-17T09:00:00Z`);
    await workAt(`${y}-05-17T12:00:00Z`);
    expect(await entries(id)).toEqual([`berlin ${y}-05-17`, `nowhere ${y}-05-17`, `tokyo ${y}-05-17`]);
    const { body } = await call("GET", `/api/v1/campaigns/${id}/runs?person_id=tokyo`);
    expect(body.data[0].data).toEqual({ date: `${y}-05-17`, at: `${y}-05-17T00:00:00.000Z` });
    expect((await call("GET", `/api/v1/campaigns/${id}`)).body.reentry).toBe("always");
    await workAt(`${y + 1}-05-16T12:00:00Z`);
    await workAt(`${nextYear()}-05-17T09:00:00Z`);
    expect(await entries(id)).toHaveLength(6);
  });

  test("follows a date that changes, and lets a person in again only as reentry says", async () => {
    const y = nextYear();
    clock.set(`${y}-05-01T12:00:00Z`);
    const trigger: Trigger = {
      type: "date",
      attribute: "plan.renews_at",
      offset: { amount: 7, unit: "days", direction: "before" },
      at: "09:00",
    };
    const [once, always] = [await activate(trigger), await activate(trigger, { reentry: "always" })];
    await identify("a", { plan: { renews_at: `${y}-05-10` } });
    await identify("b", { plan: { renews_at: `${y}-05-10T10:00:00+02:00` } });
    await workAt(`${y}-05-02T09:00:00Z`);
    await identify("b", { plan: { renews_at: `${y}-05-11` } });
    await workAt(`${y}-05-03T09:00:00Z`);
    expect(await entries(once)).toEqual([`a ${y}-05-03`]);
    await identify("a", { plan: { renews_at: `${y}-05-11` } });
    await workAt(`${y}-05-04T09:00:00Z`);
    expect(await entries(once)).toEqual([`a ${y}-05-03`, `b ${y}-05-04`]);
    expect(await entries(always)).toEqual([`a ${y}-05-03`, `a ${y}-05-04`, `b ${y}-05-04`]);
  });

  test("lets nobody in for times before the activation, nor who becomes known after their time", async () => {
    const y = nextYear();
    await identify("early", { born: "1990-05-17" });
    clock.set(`${y}-05-17T09:30:00Z`);
    const id = await activate({ ...birthday });
    await identify("late", { born: "1990-05-17", timezone: "Asia/Tokyo" });
    await work();
    await workAt(`${y}-05-18T09:00:00Z`);
    expect(await entries(id)).toEqual([]);
  });

  test("counts values that are no dates, and shows them with the days in the metrics", async () => {
    const y = nextYear();
    clock.set(`${y}-05-16T12:00:00Z`);
    const id = await activate({ ...birthday });
    await identify("number", { born: 643_000_000 });
    await identify("text", { born: "17 May" });
    await identify("none", {});
    await identify("good", { born: "1990-05-17" });
    await workAt(`${y}-05-17T09:00:00Z`);
    const { body } = await call("GET", `/api/v1/campaigns/${id}/metrics`);
    expect(body.occurrences).toEqual([{ date: `${y}-05-17`, status: "done", entered: 1, unreadable: 2 }]);
  });
});

describe("a recurring campaign", () => {
  const WEEKDAYS: RecurringTrigger["days"] = ["mon", "tue", "wed", "thu", "fri"];
  const recurring = (days: RecurringTrigger["days"], audience_id: string): RecurringTrigger => ({
    type: "recurring",
    days,
    at: "09:00",
    audience_id,
  });
  const daily = async () => recurring([...WEEKDAYS, "sat", "sun"], await audience());
  async function audience(): Promise<string> {
    const filter = { attribute: "plan", op: "eq", value: "pro" };
    return (await call("POST", "/api/v1/audiences", { name: newId(), filter })).body.id;
  }

  test("lets the people of its audience in on its days, each once a day, as they are at this moment", async () => {
    const y = nextYear();
    clock.set(`${y}-01-01T12:00:00Z`);
    const id = await activate(recurring(WEEKDAYS, await audience()));
    await identify("pro", { plan: "pro", timezone: "America/New_York" });
    await identify("free", { plan: "free" });
    // From one Monday to the next.
    const monday = new Date(Date.UTC(y, 0, 5));
    while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() + 1);
    clock.set(monday);
    await call("POST", `/api/v1/campaigns/${id}/pause`);
    await call("POST", `/api/v1/campaigns/${id}/resume`);
    for (let hours = 0; hours < 7 * 24; hours += 4) {
      clock.forward(4 * 3_600_000);
      await work();
    }
    const days = (await entries(id)).map((entry) => new Date(entry.slice(4)).getUTCDay());
    expect(days).toEqual([1, 2, 3, 4, 5]);
    await identify("pro", { plan: "free" });
    await identify("free", { plan: "pro" });
    clock.forward(24 * 3_600_000);
    await work();
    expect((await entries(id)).filter((entry) => entry.startsWith("free"))).toHaveLength(1);
  });

  test("keeps its audience from being removed", async () => {
    const used = await audience();
    await activate(recurring(WEEKDAYS, used));
    expect((await call("DELETE", `/api/v1/audiences/${used}`)).status).toBe(409);
  });

  test("lets nobody in twice and skips nobody where the clock jumps or two workers work at once", async () => {
    const y = nextYear();
    clock.set(`${y}-03-01T12:00:00Z`);
    const id = await activate(await daily());
    for (const n of [1, 2, 3]) await identify(`p${n}`, { plan: "pro" });
    await workAt(`${y}-03-02T08:30:00Z`);
    clock.forward(3_600_000);
    await Promise.all([work(), work(), work()]);
    clock.forward(-3_600_000);
    await work();
    clock.forward(3_600_000);
    await work();
    expect(await entries(id)).toEqual([`p1 ${y}-03-02`, `p2 ${y}-03-02`, `p3 ${y}-03-02`]);
    await workAt(`${y}-03-03T10:00:00Z`);
    expect(await entries(id)).toHaveLength(6);
  });

  test("lets people in late after a time out of service, as entry_max_age says, and shows days that it missed", async () => {
    const y = nextYear();
    clock.set(`${y}-03-01T12:00:00Z`);
    const id = await activate(await daily(), { entry_max_age: { amount: 30, unit: "hours" } });
    await identify("p", { plan: "pro" });
    await workAt(`${y}-03-04T10:00:00Z`);
    expect(await entries(id)).toEqual([`p ${y}-03-03`, `p ${y}-03-04`]);
    const { body } = await call("GET", `/api/v1/campaigns/${id}/metrics`);
    expect(body.occurrences.map(({ date, status }: { date: string; status: string }) => `${date} ${status}`)).toEqual([
      `${y}-03-04 done`,
      `${y}-03-03 done`,
      `${y}-03-02 missed`,
    ]);
  });

  test("skips what falls due in a pause, and goes on with what was under way", async () => {
    const y = nextYear();
    clock.set(`${y}-03-01T12:00:00Z`);
    const id = await activate(await daily());
    await identify("p", { plan: "pro" });
    clock.set(`${y}-03-02T09:00:00Z`);
    while (await planNext(ground));
    await call("POST", `/api/v1/campaigns/${id}/pause`);
    await workAt(`${y}-03-03T08:00:00Z`);
    expect(await entries(id)).toEqual([]);
    clock.set(`${y}-03-03T10:00:00Z`);
    await call("POST", `/api/v1/campaigns/${id}/resume`);
    clock.set(`${y}-03-03T08:30:00Z`);
    await work();
    expect(await entries(id)).toEqual([`p ${y}-03-02`]);
    await workAt(`${y}-03-04T09:00:00Z`);
    expect(await entries(id)).toEqual([`p ${y}-03-02`, `p ${y}-03-04`]);
  });

  test("lets nobody in a second time on one day after the time of day changed", async () => {
    const y = nextYear();
    clock.set(`${y}-03-01T12:00:00Z`);
    const trigger = await daily();
    const id = await activate(trigger);
    await identify("p", { plan: "pro" });
    await workAt(`${y}-03-02T09:00:00Z`);
    await call("PATCH", `/api/v1/campaigns/${id}`, { trigger: { ...trigger, at: "10:00" } });
    expect((await call("POST", `/api/v1/campaigns/${id}/activate`, {})).status).toBe(200);
    await workAt(`${y}-03-02T10:00:00Z`);
    expect(await entries(id)).toEqual([`p ${y}-03-02`]);
    await workAt(`${y}-03-03T10:00:00Z`);
    expect(await entries(id)).toHaveLength(2);
  });
});

test("a trigger that is incomplete or has an offset of less than days can't be activated", async () => {
  const problems = async (trigger: object) => {
    const made = await call("POST", "/api/v1/campaigns", { name: newId(), trigger, steps: [pause] });
    const { body } = await call("POST", `/api/v1/campaigns/${made.body.id}/validate`, {});
    return body.problems.map((one: { code: string; pointer: string }) => `${one.code} ${one.pointer}`);
  };
  const offset = { amount: 2, unit: "hours", direction: "before" };
  expect(await problems({ type: "date", attribute: "born", offset })).toEqual([
    "field_missing /trigger/at",
    "field_invalid /trigger/offset/unit",
  ]);
  const audience_id = encodeId("aud", newId());
  expect(await problems({ type: "recurring", days: ["mon"], at: "09:00", audience_id })).toEqual([
    "audience_gone /trigger/audience_id",
  ]);
});

test("work that fails is put off for five minutes, and repeated by the loop after a deadlock", async () => {
  const until: Date[] = [];
  const failing = (error: Error) =>
    doNext(ground, {
      failed: "it failed",
      take: async () => ({ campaign_id: newId() }),
      work: () => Promise.reject(error),
      putOff: async (_tx, _one, at) => until.push(at),
    });
  expect(await failing(new Error("the audience can't be evaluated"))).toBe(true);
  await expect(failing(Object.assign(new Error("deadlock detected"), { code: "40P01" }))).rejects.toThrow("deadlock");
  expect(until).toEqual([new Date(clock.now().getTime() + 300_000)]);
});

test("pages of 2,000 people are read by the index of their zone, and all of 4,500 enter once", async () => {
  const { workspaceId, secretKey } = await it.another();
  key = secretKey;
  const y = nextYear();
  clock.set(`${y}-05-16T12:00:00Z`);
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, timezone, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${workspaceId}, 'p' || n, case when n % 3 = 0 then 'Asia/Tokyo' end, '{"born": "1990-05-17"}', now(), now(), now()
    from generate_series(1, 4500) n`);
  const id = await activate({ ...birthday });
  clock.set(`${y}-05-17T12:00:00Z`);
  await Promise.all([work(), work()]);
  const { body } = await call("GET", `/api/v1/campaigns/${id}/metrics`);
  expect(body.occurrences).toEqual([{ date: `${y}-05-17`, status: "done", entered: 4_500, unreadable: 0 }]);
});

test("planning and reading cost no look at other people: the statements use the index of zones", async () => {
  const { workspaceId } = await it.another();
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, timezone, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${workspaceId}, 'p' || n, case when n % 100 = 0 then 'Asia/Tokyo' else 'Europe/Berlin' end, '{}', now(), now(), now()
    from generate_series(1, 50000) n`);
  await db.execute(sql`analyze people`);
  const seen: Statement[] = [];
  const spy = noted(db, seen);
  expect(await zonesOf(spy, workspaceId)).toEqual(["Asia/Tokyo", "Europe/Berlin"]);
  const page = { workspaceId, zone: "Asia/Tokyo", after: null, limit: 2_000 };
  expect(await peopleWithDate(spy, page, { attribute: "born", dates: ["05-17"] })).toMatchObject({ read: 500 });
  for (const plan of await plansOf(db, seen)) {
    expect(plan).toContain("people_zone");
    expect(plan).not.toContain("Seq Scan on people");
  }
});
