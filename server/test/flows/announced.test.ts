import { pino } from "pino";
import { expect, test } from "vitest";
import { inShards } from "../support/database/citus.ts";
import { RECORDED, record } from "../../src/activity/index.ts";
import { EVENTS_RECORDED, recordEvents } from "../../src/events/index.ts";
import { identifyPeople, PEOPLE_CHANGED, type PersonChanged, personKey } from "../../src/people/index.ts";
import { Announcements, listen, openDb } from "../../src/platform/db/index.ts";
import { testService } from "../support/service.ts";
import { atEnd } from "../support/wait.ts";

const it = await testService();
const announcements = new Announcements();
const db = openDb({
  url: it.databaseUrl,
  connections: 1,
  signals: { publish: () => {} },
  log: pino({ level: "silent" }),
  announcements,
  distributed: inShards,
});
atEnd(() => db.close());

test("events, people and the log announce new rows, in the transaction that writes them", async () => {
  const heard: string[] = [];
  announcements.connect([
    listen(EVENTS_RECORDED, {
      hears: "in the transaction",
      cares: ({ name }) => name === "came",
      take: async (_tx, batch) => void heard.push(...batch.map(({ name }) => name)),
    }),
    listen<PersonChanged>(PEOPLE_CHANGED, {
      hears: "in the transaction",
      cares: () => true,
      take: async (_tx, batch) => void heard.push(...batch.map(({ what }) => what)),
    }),
    listen(RECORDED, {
      hears: "in the transaction",
      cares: () => true,
      take: async (_tx, batch) => void heard.push(...batch.map(({ type }) => type)),
    }),
  ]);
  const { workspaceId } = it;
  const now = new Date();
  const event = { workspaceId, personKey: personKey(workspaceId, "ada"), properties: {}, ts: undefined };
  const identity = { workspaceId, personId: "ada", change: { set: {}, removed: [] } };
  await db.transaction(async (tx) => {
    await identifyPeople(tx, [identity], now);
    await identifyPeople(tx, [identity], now);
    const came = { ...event, name: "came", eventId: "e-1" };
    await recordEvents(tx, [came, came, { ...event, name: "dull", eventId: undefined }], now);
    await recordEvents(tx, [came], now);
    await record(tx, [{ workspaceId, personKey: personKey(workspaceId, "ada"), type: "person.identified", at: now }]);
  });
  expect(heard).toEqual(["created", "changed", "came", "person.identified"]);
});
