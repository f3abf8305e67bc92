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

test("the time line has everything of a person in one order, with what became of each message", async () => {
  clock.forward(1_000);
  await it.call("PUT", "/data-gateway/v1/devices", { body: { person_id: "old", platform: "ios", token: "t" } });
  clock.forward(1_000);
  await it.call("PATCH", "/api/v1/people/ada/subscriptions", { body: { channels: { sms: false } } });
  clock.forward(1_000);
  await it.call("POST", "/api/v1/people/old/merge", { body: { into: "ada" } });
  clock.forward(1_000);
  const message = { name: "m", render_type: "modal", body: "b" };
  const { id } = (await it.call("POST", "/api/v1/in-app-messages", { body: message })).body;
  const sent = await it.call("POST", `/api/v1/in-app-messages/${id}/test-sends`, { body: { person_id: "ada" } });
  const { delivery_id } = sent.body;
  await it.call("POST", `/data-gateway/v1/in-app/messages/${delivery_id}/impression`, { body: { person_id: "ada" } });
  const line = (await get("ada/timeline")).data as {
    type: string;
    status: string;
    delivery_id: string;
    message_name: string | null;
    data: object;
  }[];
  const inApp = line.filter(({ type }) => type.startsWith("in_app."));
  expect(
    inApp.map(({ type, status, delivery_id: of, message_name }) => [type, status, of, message_name]).toSorted(),
  ).toEqual([
    ["in_app.impression", "shown", delivery_id, "m"],
    ["in_app.queued", "shown", delivery_id, "m"],
  ]);
  const others = line.filter(({ type }) => !type.startsWith("in_app."));
  expect(others.map(({ type }) => type)).toEqual([
    "person.merged",
    "person.unsubscribed",
    "person.device_added",
    "person.identified",
    "person.tracked",
    "person.tracked",
    "person.tracked",
  ]);
  expect(others.slice(0, 3).map(({ data }) => data)).toEqual([
    { from: "old" },
    { channel: "sms", source: "api" },
    { platform: "ios" },
  ]);
  const paged: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const body = await get(`ada/timeline?limit=2${cursor && `&cursor=${cursor}`}`);
    paged.push(...body.data);
    cursor = body.next_cursor;
  }
  expect(paged).toEqual(line);
});

test("the time line is filtered by kinds and families; a misspelt list is refused", async () => {
  const types = async (query: string) =>
    new Set((await get(`ada/timeline?${query}`)).data.map(({ type }: { type: string }) => type));
  expect(await types("types=in_app.*,person.device_added")).toEqual(
    new Set(["in_app.queued", "in_app.impression", "person.device_added"]),
  );
  expect(await types("types=person.tracked&until=2026-02-03T00:00:00Z")).toEqual(new Set(["person.tracked"]));
  expect(await types("types=campaign.*")).toEqual(new Set());
  expect((await get("ada/timeline?types=person")).code).toBe("invalid_request");
  expect((await get("nobody/timeline")).code).toBe("person_not_found");
});
