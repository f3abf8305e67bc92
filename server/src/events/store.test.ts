import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { newId } from "../platform/ids.ts";
import { insert, list, type NewEvent } from "./store.ts";

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

test("the ids of new events come back: of all, of some, of none, and of one that is there twice", async () => {
  const [first, second, third] = [event(), event(), event()];
  expect(await insert(db, [first, second], now)).toEqual(new Set([first.id, second.id]));
  expect(await insert(db, [first, third, second], now)).toEqual(new Set([third.id]));
  expect(await insert(db, [first, second, third], now)).toEqual(new Set());
  const last = event();
  expect(await insert(db, [last, last], now)).toEqual(new Set([last.id]));
  const all = { name: undefined, since: undefined, until: undefined, before: undefined, limit: 10 };
  const found = await list(db, personKey, all);
  expect(found.map(({ id }) => id).toSorted()).toEqual([first, second, third, last].map(({ id }) => id).toSorted());
  expect(found[0]).toMatchObject({ properties: { total: 5 }, ts: first.ts, received_at: now });
});
