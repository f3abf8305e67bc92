import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { until } from "../../../test/support/wait.ts";
import type { Db, Statement } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { type Workspace, workspaceById } from "../../workspaces/index.ts";
import { syncer } from "../sync/sync.ts";

const { clock, it, identify, define, send, sync, report } = await inAppService();

const traceOf = (messageId: string, deliveryId: string, query = "") =>
  it.call("GET", `/api/v1/in-app-messages/${messageId}/test-sends/${deliveryId}${query}`);

/** A test send to somebody new. */
async function sent(definition: object = {}) {
  const personId = newId();
  await identify(personId);
  const messageId = await define(definition);
  const deliveryId = await send(messageId, personId);
  return { personId, messageId, deliveryId, trace: (query = "") => traceOf(messageId, deliveryId, query) };
}

/** The trace, once its last sync is this one. */
const noted = (trace: () => ReturnType<typeof traceOf>, last: Record<string, unknown>) =>
  until(async () => {
    const { body } = await trace();
    return Object.entries(last).every(([name, value]) => isDeepStrictEqual(body.last_sync?.[name], value)) && body;
  });

describe("the trace of a test send", () => {
  test("goes from queued over fetched, by the first sync that returns it, to shown and clicked", async () => {
    clock.set("2026-03-10T12:00:00.000Z");
    const { personId, messageId, deliveryId, trace } = await sent({ expiry: { amount: 1, unit: "days" } });
    const first = await trace();
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      delivery_id: deliveryId,
      message_id: messageId,
      person_id: personId,
      status: "queued",
      queued_at: "2026-03-10T12:00:00.000Z",
      fetched_at: null,
      shown_at: null,
      clicked_at: null,
      dismissed_at: null,
      expires_at: "2026-03-11T12:00:00.000Z",
      held_by: [],
      next_eligible_at: null,
      last_sync: null,
    });

    clock.forward(1_000);
    expect(await sync(personId, "&screen=home&timezone=Europe/Berlin")).toHaveLength(1);
    const context = { screen: "home", timezone: "Europe/Berlin", tz_offset_minutes: null };
    const fetched = await noted(trace, { ...context, returned: true });
    expect(fetched).toMatchObject({ status: "queued", fetched_at: "2026-03-10T12:00:01.000Z", shown_at: null });
    expect(fetched.last_sync).toEqual({ at: "2026-03-10T12:00:01.000Z", ...context, returned: true, held_by: [] });

    clock.forward(20_000);
    await sync(personId, "&screen=cart");
    const again = await noted(trace, { at: "2026-03-10T12:00:21.000Z", screen: "cart" });
    expect(again.fetched_at).toBe("2026-03-10T12:00:01.000Z");

    await report(deliveryId, "impression", { person_id: personId });
    expect((await trace()).body).toMatchObject({
      status: "shown",
      shown_at: "2026-03-10T12:00:21.000Z",
      clicked_at: null,
      held_by: [{ gate: "status", detail: "it is over: shown", facts: { status: "shown" } }],
      next_eligible_at: null,
    });
    await report(deliveryId, "click", { person_id: personId });
    expect((await trace()).body.clicked_at).toBe("2026-03-10T12:00:21.000Z");
  });

  test("what was shown was fetched, also where no sync of it was seen", async () => {
    const { personId, deliveryId, trace } = await sent();
    await report(deliveryId, "dismiss", { person_id: personId });
    const { body } = await trace();
    expect(body.fetched_at).toBe(body.shown_at);
    expect(body).toMatchObject({ status: "dismissed", last_sync: null });
  });

  test("names the screen that held it at the last sync, in the explainer's words, until one lets it pass", async () => {
    const { personId, trace } = await sent({ screens: { include: ["home"] } });
    expect(await sync(personId, "&screen=cart")).toEqual([]);
    const facts = { screen: "cart", include: ["home"], exclude: [], nearly: [] };
    const held = [{ gate: "screen", detail: 'on "cart"; shown on home', facts }];
    const body = await noted(trace, { screen: "cart", returned: false, held_by: held });
    expect(body).toMatchObject({ status: "queued", fetched_at: null, held_by: held, next_eligible_at: null });
    expect((await trace("?screen=home")).body.held_by).toEqual([]);
    expect((await trace("?screen=")).body.held_by).toEqual([
      { gate: "screen", detail: "no screen given; shown on home", facts: { ...facts, screen: null } },
    ]);
    expect(await sync(personId, "&screen=home")).toHaveLength(1);
    expect(await noted(trace, { screen: "home", returned: true })).toMatchObject({ held_by: [] });
  });

  test("names quiet hours of the device that synced, and when they end, also where a zone of the query has none", async () => {
    clock.set("2026-03-10T21:30:00.000Z");
    const { personId, trace } = await sent({
      quiet_hours: { enabled: true, timezone_mode: "device", start: "22:00", end: "08:00" },
    });
    expect(await sync(personId, "&timezone=Europe/Berlin")).toEqual([]);
    const facts = { quiet: { start: "22:00", end: "08:00", clock: "device", shows: "22:30" } };
    const held = [{ gate: "quiet_hours", detail: "quiet from 22:00 to 08:00; the device's clock shows 22:30", facts }];
    const body = await noted(trace, { timezone: "Europe/Berlin", held_by: held });
    expect(body).toMatchObject({ held_by: held, next_eligible_at: "2026-03-11T07:00:00.000Z" });
    expect((await trace("?at=2026-03-11T07:00:00Z")).body.held_by).toEqual([]);
    expect((await trace("?tz_offset_minutes=-300")).body.held_by).toEqual([]);
    expect((await trace("?timezone=Asia/Kolkata")).body.held_by).toMatchObject([{ gate: "quiet_hours" }]);
  });

  test("says that it was taken back", async () => {
    const { messageId, trace } = await sent();
    await it.call("POST", `/api/v1/in-app-messages/${messageId}/recall`);
    expect((await trace()).body).toMatchObject({
      status: "canceled",
      held_by: [{ gate: "status", detail: "it is over: canceled (recalled)" }],
    });
  });

  test("keeps what can be stored of a screen's name: no NUL, and no more than 200 characters", async () => {
    const { personId, trace } = await sent();
    await sync(personId, `&screen=${encodeURIComponent(`a\0b${"c".repeat(900)}`)}`);
    expect((await noted(trace, { returned: true })).last_sync.screen).toBe(`ab${"c".repeat(197)}`);
  });

  test("a delivery that is no test send of this message is 404", async () => {
    const { personId, messageId, deliveryId, trace } = await sent();
    const other = await define();
    const { db } = it.service.ground;
    for (const [message, delivery] of [
      [other, deliveryId],
      [messageId, await send(other, personId)],
      [messageId, "dlv_nothing"],
      [deliveryId, deliveryId],
    ] as const) {
      const answer = await traceOf(message, delivery);
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    }
    const elsewhere = await it.call("GET", `/api/v1/in-app-messages/${messageId}/test-sends/${deliveryId}`, {
      key: (await it.another()).secretKey,
    });
    expect(elsewhere.status).toBe(404);
    expect((await trace()).status).toBe(200);
    await db.execute({ text: "update deliveries set source = 'broadcast' where source = 'test'", values: [] });
    expect((await trace()).status).toBe(404);
  });
});

test("a sync writes nothing for what is no test, and polls from the same place are one note in 10 s", async () => {
  const { ground } = it.service;
  const workspace = (await workspaceById(ground.db, it.workspaceId)) as Workspace;
  const { personId, trace } = await sent({ persistence: { mode: "persistent_until_dismissed" } });
  const names: (string | undefined)[] = [];
  const spied = (db: Db): Db => ({
    ...db,
    query: <R>(statement: Statement) => {
      names.push(statement.name);
      return db.query<R>(statement);
    },
  });
  const sync = syncer({ ...ground, db: spied(ground.db), workDb: spied(ground.workDb) });
  const poll = () => sync(workspace, { person_id: personId, limit: 10, screen: "home" });
  await poll();
  await noted(trace, { screen: "home" });
  await poll();
  clock.forward(9_999);
  await poll();
  clock.forward(1);
  await poll();
  await noted(trace, { at: clock.now().toISOString() });
  expect(names.filter((name) => name === "inapp.noteTestSyncs")).toHaveLength(2);

  await ground.db.execute({ text: "update deliveries set source = 'broadcast'", values: [] });
  names.length = 0;
  clock.forward(60_000);
  await poll();
  await poll();
  expect(names).toEqual(["inapp.firstLive", "inapp.firstLive"]);
});
