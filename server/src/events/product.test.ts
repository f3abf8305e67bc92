import { expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";

const clock = testClock("2026-03-01T12:00:00Z");
const it = await testService({ clock });
const track = (eventName: string, ts: string, properties = {}) =>
  it.call("POST", "/data-gateway/v1/track", { body: { person_id: "ada", eventName, ts, properties } });
const get = async (path: string, key = it.secretKey) => (await it.call("GET", `/api/v1/people/${path}`, { key })).body;
const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

for (const [name, day] of [
  ["viewed", 1],
  ["bought", 3],
  ["viewed", 2],
] as const)
  await track(name, `2026-02-0${day}T00:00:00Z`, { day, "a\nb": 1 });
await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "ada", attributes: {} } });

test("a person's events are listed, newest first, page by page", async () => {
  const first = await get("ada/events?limit=2");
  expect(first.data[0]).toEqual({
    id: expect.stringMatching(/^evt_/),
    name: "bought",
    properties: { day: 3, "a\nb": 1 },
    ts: "2026-02-03T00:00:00.000Z",
    received_at: clock.now().toISOString(),
  });
  const second = await get(`ada/events?limit=2&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data].map((row: { properties: { day: number } }) => row.properties.day)).toEqual([
    3, 2, 1,
  ]);
  expect(second.next_cursor).toBeNull();
});

test("events are filtered by name and time", async () => {
  expect(names(await get("ada/events?name=viewed"))).toEqual(["viewed", "viewed"]);
  expect(names(await get("ada/events?since=2026-02-02T00:00:00Z&until=2026-02-03T00:00:00Z"))).toEqual(["viewed"]);
  expect((await get("ada/events?eventName=viewed")).code).toBe("invalid_request");
});

test("an unknown person, and one of another workspace, is 404; a person without events has an empty list", async () => {
  const other = await it.another();
  expect((await get("nobody/events")).code).toBe("person_not_found");
  expect((await get("ada/events", other.secretKey)).code).toBe("person_not_found");
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "quiet" } });
  expect(await get("quiet/events")).toEqual({ data: [], next_cursor: null });
});

test("events are part of the person's activity, in one order with the rest, also over pages and by type", async () => {
  const seen: { type: string; id: string; data: { name?: string } }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const body = await get(`ada/activity?limit=1${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data);
    cursor = body.next_cursor;
  }
  expect(seen.map(({ type, data }) => data.name ?? type)).toEqual(["person.identified", "bought", "viewed", "viewed"]);
  expect(seen[1]).toMatchObject({
    type: "person.tracked",
    id: expect.stringMatching(/^evt_/),
    data: { properties: { day: 3 } },
  });
  expect((await get("ada/activity?type=person.tracked")).data).toHaveLength(3);
  expect((await get("ada/activity?type=person.identified")).data).toHaveLength(1);
  expect((await get("ada/activity?channel=email")).data).toHaveLength(0);
  expect((await get("ada/activity?since=2026-02-02T00:00:00Z&until=2026-02-04T00:00:00Z")).data).toHaveLength(2);
});
