import { pino } from "pino";
import { afterAll, beforeEach, expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { testDatabase } from "../../test/support/database.ts";
import { Announcements, listen, openDb, sql, type Tx } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { EVENTS_RECORDED, type EventInput, recordEvents } from "./record.ts";

const announcements = new Announcements();
const db = openDb({
  url: await testDatabase(),
  connections: 2,
  signals: { publish() {} },
  log: pino({ level: "silent" }),
  announcements,
  distributed: inShards,
});
afterAll(() => db.close());

const [workspaceId, ada] = [newId(), newId()];
const now = new Date("2026-03-01T12:00:00Z");
const event = (name: string, own: Partial<EventInput> = {}): EventInput => ({
  workspaceId,
  personKey: ada,
  name,
  properties: {},
  ts: undefined,
  eventId: undefined,
  ...own,
});

/** What the listener heard, with the number of rows that it saw in the table then. */
const heard: { names: string[]; stored: number }[] = [];
announcements.connect([
  listen(EVENTS_RECORDED, {
    hears: "in the transaction",
    cares: ({ name }) => name !== "dull",
    async take(tx, events) {
      const [found] = await tx.query<{ stored: number }>(sql`select count(*)::integer as stored from events`);
      heard.push({
        names: events.map(({ name, properties }) => `${name} ${properties.n ?? ""}`),
        stored: found?.stored ?? 0,
      });
    },
  }),
]);

beforeEach(async () => {
  heard.length = 0;
  await db.execute(sql`delete from events`);
});

const record = (...events: EventInput[]) => db.transaction((tx) => recordEvents(tx, events, now, { last: true }));
const ids = (...names: string[]) => names.map((id) => event(`by ${id}`, { eventId: id }));

test("a listener hears of events in the order of the call, and sees them stored", async () => {
  const order = ["c", "a", "d", "b"];
  await record(...order.map((name) => event(name)));
  await record(event("dull"), ...ids("z", "y"));
  expect(heard).toEqual([
    { names: ["c ", "a ", "d ", "b "], stored: 4 },
    { names: ["by z ", "by y "], stored: 7 },
  ]);
});

test("a listener hears only of events that were not recorded before, and of none where all were", async () => {
  expect(await record(...ids("one", "two"))).toMatchObject([{ recorded: true }, { recorded: true }]);
  expect(await record(...ids("two", "three"), event("own"))).toMatchObject([
    { eventId: "two", recorded: false },
    { eventId: "three", recorded: true },
    { eventId: expect.stringMatching(/^evt_/), recorded: true },
  ]);
  expect(await record(...ids("three", "one"))).toMatchObject([{ recorded: false }, { recorded: false }]);
  expect(heard.map(({ names }) => names)).toEqual([
    ["by one ", "by two "],
    ["by three ", "own "],
  ]);
});

test("of two events of one call with one id the first is recorded and heard of", async () => {
  const twice = (n: number) => event("twice", { eventId: "same", properties: { n } });
  expect(await record(twice(1), twice(2))).toEqual([
    { eventId: "same", recorded: true },
    { eventId: "same", recorded: false },
  ]);
  expect(heard).toEqual([{ names: ["twice 1"], stored: 1 }]);
  expect(await db.query(sql`select properties from events`)).toEqual([{ properties: { n: 1 } }]);
});

/** Whether a transaction can still ask something while the events are under way: not if the commit went out behind them. */
const goesOn = (events: EventInput[], own?: { last: boolean }) =>
  db.transaction(async (tx: Tx) => {
    const recorded = recordEvents(tx, events, now, own);
    const asked = tx.query(sql`select`).then(
      () => true,
      () => false,
    );
    await recorded;
    return asked;
  });

test("the commit goes out behind the last events unless somebody listens to one of them", async () => {
  expect(await goesOn([event("dull")], { last: true })).toBe(false);
  expect(await goesOn([event("dull", { eventId: "some" })], { last: true })).toBe(false);
  expect(await goesOn([event("dull"), event("loud")], { last: true })).toBe(true);
  expect(await goesOn([event("dull")])).toBe(true);
  expect(await db.query(sql`select count(*)::integer as stored from events`)).toEqual([{ stored: 5 }]);
});

test("an event that PostgreSQL refuses takes the others of its transaction with it, and those who listen", async () => {
  const refused = event("loud", { properties: { text: "half a pair \ud800" } });
  for (const own of [{}, { eventId: "some" }])
    await expect(record(event("loud"), { ...refused, ...own })).rejects.toMatchObject({ code: "22P02" });
  expect(await db.query(sql`select from events`)).toEqual([]);
  expect(heard).toEqual([]);
  await record(event("loud"));
  expect(heard).toHaveLength(1);
});
