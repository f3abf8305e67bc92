import { beforeEach, describe, expect, test } from "vitest";
import { forget } from "../../src/activity/jobs.ts";
import { forget as forgetEvents } from "../../src/events/jobs.ts";
import { QUEUED } from "../../src/inapp/queue/queue.ts";
import { forgetIdleCaps, forgetIdleCounts, retire } from "../../src/inapp/queue/retention.ts";
import { decodeId } from "../../src/platform/ids.ts";
import { personKey } from "../../src/workspaces/index.ts";
import { inShards } from "../support/database/citus.ts";
import { inAppService } from "../support/services/in-app.ts";
import { until } from "../support/wait.ts";

const { clock, it, identify, define, send, sync, report } = await inAppService();
const { ground } = it.service;
const { db } = ground;
const DAY = 86_400_000;

const settings = (body: object, key = it.secretKey) => it.call("PATCH", "/api/v1/workspace", { key, body });
const count = async (what: string) =>
  (await db.query<{ n: number }>({ text: `select count(*) as n from ${what}`, values: [] }))[0]?.n;
const track = async (person_id: string, eventName: string, more: object = {}) => {
  const answer = await it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName, ...more } });
  expect(answer.status).toBe(202);
  return answer.body;
};
const delivery = (id: string) => it.call("GET", `/api/v1/deliveries/${id}`);

beforeEach(async () => {
  clock.set("2026-03-10T12:00:00.000Z");
  await db.execute({ text: "truncate deliveries, events, activity, in_app_caps, in_app_counts", values: [] });
  expect((await settings({ retention_days: 30, retention: {}, in_app_cap: null })).status).toBe(200);
});

describe("the setting", () => {
  test("is one number, with a separate one for each kind that differs", async () => {
    const answer = await settings({ retention_days: 90, retention: { content: 7, events: 400 } });
    expect(answer.body).toMatchObject({ retention_days: 90, retention: { content: 7, events: 400 } });
    expect((await settings({ retention: {} })).body).toMatchObject({ retention_days: 90, retention: {} });
  });

  test.each([{ retention: { mails: 3 } }, { retention: { events: 0 } }, { retention: 7 }, { retention_days: {} }])(
    "refuses %j",
    async (body) => {
      expect(await settings(body)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    },
  );
});

describe("in-app", () => {
  test("a message that never expires ends with retention: applications are told, then it is forgotten", async () => {
    await identify("ada");
    const message = await define({ expiry: null, persistence: { mode: "persistent_until_dismissed" } });
    const id = await send(message, "ada");
    clock.forward(29 * DAY);
    const young = await send(message, "ada");
    await retire(ground);
    expect(await sync("ada")).toHaveLength(2);

    clock.forward(DAY + 1);
    const heard: string[] = [];
    const end = ground.signals.subscribe(QUEUED, (items) => heard.push(...items));
    // The note of a test send is written after the sync; until then a run skips the row, and the next run takes it.
    await until(async () => {
      await retire(ground);
      return heard.length > 0;
    });
    end();
    const key = personKey(it.workspaceId, "ada");
    expect(heard).toEqual([`${key}:${decodeId("dlv", id)}`]);
    expect((await sync("ada")).map((one) => one.delivery_id)).toEqual([young]);
    const ended = await delivery(id);
    expect(ended.body).toMatchObject({ status: "expired", reason: "retention" });
    expect(JSON.stringify(ended.body)).toContain("in_app.expired");

    await until(async () => {
      await forget(ground);
      return (await delivery(id)).status === 404;
    });
    expect((await delivery(young)).status).toBe(200);
  });

  test("a live delivery keeps its rendered content, however old; an ended one loses it", async () => {
    await settings({ retention: { content: 1, deliveries: 300 } });
    await identify("ada", { name: "Ada" });
    const message = await define({
      body: "Hello {{person.name}}",
      persistence: { mode: "persistent_until_dismissed" },
    });
    const [live, over] = [await send(message, "ada"), await send(message, "ada")];
    expect((await report(over, "dismiss", { person_id: "ada" })).status).toBe(200);
    await forget(ground);
    expect(await count("deliveries where content is not null")).toBe(2);

    clock.forward(2 * DAY);
    await forget(ground);
    const seen = await sync("ada");
    expect(seen.map((one) => one.delivery_id)).toEqual([live]);
    expect(JSON.stringify(seen)).toContain("Hello Ada");
    expect(await count("deliveries where content is null")).toBe(1);
    expect((await delivery(over)).body.status).toBe("dismissed");
  });

  test("a cap's record is deleted when no cap can read it any more", async () => {
    await settings({ in_app_cap: { max_per_day: 5 } });
    await identify("ada");
    await report(await send(await define(), "ada"), "impression", { person_id: "ada" });
    expect(await count("in_app_caps")).toBe(1);
    clock.forward(29 * DAY);
    await forgetIdleCaps(ground);
    expect(await count("in_app_caps")).toBe(1);
    // Another workspace keeps its data longer, and the record does not name its workspace.
    clock.forward(400 * DAY);
    await forgetIdleCaps(ground);
    expect(await count("in_app_caps")).toBe(0);
  });

  test("the count of impressions of a message is kept for as long as the person has a delivery of it, however old", async () => {
    await settings({ retention: { deliveries: 30 } });
    await identify("ada");
    const message = await define({ persistence: { mode: "persistent_until_dismissed", max_impressions: 2 } });
    const [over, live] = [await send(message, "ada"), await send(message, "ada")];
    for (const type of ["impression", "dismiss"]) await report(over, type, { person_id: "ada" });
    clock.forward(500 * DAY);
    await forgetIdleCounts(ground);
    expect(await count("in_app_counts")).toBe(1);
    await report(live, "dismiss", { person_id: "ada" });
    await forgetIdleCounts(ground);
    expect(await count("in_app_counts")).toBe(1);
    clock.forward(500 * DAY);
    await forgetIdleCounts(ground);
    expect(await count("in_app_counts")).toBe(0);
  });
});

describe("the others", () => {
  test("each kind of data is deleted after its own time, in its own workspace only", async () => {
    const other = await it.another();
    await settings({ retention: { events: 20, activity: 10 } });
    for (const key of [it.secretKey, other.secretKey]) {
      const call = { key, body: { person_id: "ada", eventName: "came" } };
      expect((await it.call("POST", "/data-gateway/v1/track", call)).status).toBe(202);
      await it.call("POST", "/data-gateway/v1/identify", { key, body: { person_id: "ada" } });
    }
    clock.forward(15 * DAY);
    await forgetEvents(ground);
    await forget(ground);
    expect([await count("events"), await count("activity")]).toEqual([2, 1]);
    clock.forward(6 * DAY);
    await forgetEvents(ground);
    expect(await count("events")).toBe(1);
    clock.forward(400 * DAY);
    await forgetEvents(ground);
    await forget(ground);
    expect([await count("events"), await count("activity"), await count("people")]).toEqual([0, 0, expect.any(Number)]);
  });

  test("an old event that has just arrived still counts once for 7 days", async () => {
    const old = { ts: new Date(clock.now().getTime() - 100 * DAY).toISOString(), event_id: "import-1" };
    expect((await track("ada", "bought", old)).recorded).toBe(true);
    await forgetEvents(ground);
    expect((await track("ada", "bought", old)).recorded).toBe(false);
    clock.forward(8 * DAY);
    await forgetEvents(ground);
    expect(await count("events")).toBe(0);
  });

  test.skipIf(inShards)("one run deletes several batches, and skips locked rows", async () => {
    await db.execute({
      text: `insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
        select gen_random_uuid(), gen_random_uuid(), $1, 'n' || n % 2, '{}', $2, $2 from generate_series(1, 1300) n`,
      values: [it.workspaceId, new Date("2025-01-01")],
    });
    await db.execute({
      text: `insert into activity (person_key, id, workspace_id, type, at)
        select gen_random_uuid(), gen_random_uuid(), $1, 'person.identified', $2 from generate_series(1, 1300) n`,
      values: [it.workspaceId, new Date("2025-01-01")],
    });
    await db.execute({
      text: `insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at)
        select gen_random_uuid(), gen_random_uuid(), $1, 'sms', 'test', case when n > 1299 then 'queued' else 'sent' end, $2
        from generate_series(1, 1300) n`,
      values: [it.workspaceId, new Date("2025-01-01")],
    });
    await db.transaction(async (tx) => {
      await tx.query({ text: "select from events where name = 'n0' limit 1 for update", values: [] });
      await tx.query({ text: "select from deliveries where status = 'sent' limit 1 for update", values: [] });
      await forgetEvents(ground);
      await forget(ground);
    });
    expect([await count("events"), await count("activity"), await count("deliveries")]).toEqual([1, 0, 2]);
    await forgetEvents(ground);
    await forget(ground);
    // Deliveries that are still to be sent are kept until they are sent.
    expect([await count("events"), await count("deliveries")]).toEqual([0, 1]);
  });
});
