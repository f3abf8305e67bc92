import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { sql } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { insertFresh, insertNew, list, type NewEvent } from "./store.ts";

const it = await testService();
const { db } = it.service.ground;
const now = new Date("2026-03-01T12:00:00.123Z");
const personKey = newId();

const event = (): NewEvent => ({
  personKey,
  id: newId(),
  workspaceId: it.workspaceId,
  name: "order_placed",
  properties: { total: 5 },
  ts: new Date("2026-02-28T23:59:59.999Z"),
});

const all = { name: undefined, since: undefined, until: undefined, before: undefined, limit: 10 };
const recorded = async () => (await list(db, personKey, all)).map(({ id }) => id).toSorted();

test("of some events those are new that were not recorded yet: all, some, or none", async () => {
  const [first, second, third] = [event(), event(), event()];
  const areNew = async (...events: NewEvent[]) => events.map(await insertNew(db, events, now));
  expect(await areNew(first, second)).toEqual([true, true]);
  expect(await areNew(first, third, second)).toEqual([false, true, false]);
  expect(await areNew(first, second, third)).toEqual([false, false, false]);
  expect(await recorded()).toEqual([first, second, third].map(({ id }) => id).toSorted());
});

test("events with ids of ours are all new, and stored as the others are", async () => {
  await db.execute(sql`delete from events`);
  const [first, second] = [event(), event()];
  expect([first, second].map(await insertFresh(db, [first, second], now))).toEqual([true, true]);
  expect(await recorded()).toEqual([first.id, second.id].toSorted());
  const [found] = await list(db, personKey, all);
  expect(found).toMatchObject({ properties: { total: 5 }, ts: first.ts, received_at: now });
});
