import { expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { runTime } from "../platform/work/batches.ts";
import { fill } from "./fill.ts";
import { forget } from "./jobs.ts";
import { MOST_ATTRIBUTES, MOST_EVENTS, MOST_PROPERTIES } from "./limits.ts";

const clock = testClock("2026-03-01T12:00:00Z");
const it = await testService({ clock });
const { ground } = it.service;
const { db } = ground;
const DAY = 86_400_000;

interface Fact {
  type: "track" | "identify";
  person_id: string;
  [field: string]: unknown;
}
const send = async (items: Fact[], key = it.secretKey) => {
  const { body } = await it.call("POST", "/data-gateway/v1/batch", { key, body: { items } });
  expect(body.results.filter(({ status }: { status: number }) => status >= 300)).toEqual([]);
};
const track = (person_id: string, eventName: string, properties: object = {}): Fact => ({
  type: "track",
  person_id,
  eventName,
  properties,
});
const identify = (person_id: string, attributes: object): Fact => ({ type: "identify", person_id, attributes });
const written = async () => it.service.ground.catalog.flush();
const get = async (path: string, key = it.secretKey) => (await it.call("GET", `/api/v1/catalog/${path}`, { key })).body;
const people = (n: number) => Array.from({ length: n }, (_, i) => `p${i}`);
const named = (list: { name: string }[], name: string) => list.find((one) => one.name === name);

test("an event is in the catalog a moment after it was recorded, with its properties, their types and common values", async () => {
  await send(
    people(12).map((id, i) =>
      track(id, "order placed", {
        plan: i < 6 ? "pro" : i < 11 ? "free" : "secret plan",
        total: i < 4 ? 5 : i * 10.5,
        gift: i % 2 === 0,
        items: [{ sku: 1 }],
        at: "2026-02-03T10:00:00Z",
        coupon: i === 0 ? null : "SPRING",
      }),
    ),
  );
  // The timer writes it, without a flush: the event, and a moment later its properties.
  await until(
    async () => (await get("events/order%20placed")).properties?.length === 6,
    "the event in the catalog with its properties",
  );
  const now = clock.now().toISOString();
  const seen = { first_seen: now, last_seen: now };
  expect(await get("events")).toEqual({
    data: [{ name: "order placed", ...seen, recent_count: 12 }],
    next_cursor: null,
    full: false,
  });
  const detail = await get("events/order%20placed");
  expect(detail).toMatchObject({ name: "order placed", recent_count: 12, sample: 12, full: false });
  const field = (name: string) => named(detail.properties, name);
  expect(field("plan")).toEqual({
    name: "plan",
    types: ["string"],
    ...seen,
    people: 12,
    values: [
      { value: "pro", people: 6 },
      { value: "free", people: 5 },
    ],
  });
  // Four people with a total of 5 are too few.
  expect(field("total")).toMatchObject({ types: ["number"], values: [] });
  expect(field("gift")).toMatchObject({ types: ["boolean"], values: [{ people: 6 }, { people: 6 }] });
  expect(field("items")).toMatchObject({ types: ["array"], people: 12, values: [] });
  expect(field("at")).toMatchObject({ types: ["time"] });
  expect(field("coupon")).toMatchObject({ types: ["string"], people: 11, values: [{ value: "SPRING", people: 11 }] });
});

test("attributes are listed with the known ones; no value that could name a person is shown, also if many share it", async () => {
  await send(
    people(30).map((id, i) =>
      identify(id, {
        email: `${id}@example.test`,
        timezone: "Europe/Berlin",
        firstName: "Anna",
        team_mail: "team@example.test",
        support: "team@example.test",
        plan: i % 2 === 0 ? "pro" : 7,
        city: i < 10 ? "Berlin" : `Village ${i}`,
        subscribed: true,
      }),
    ),
  );
  await written();
  const list = await get("attributes");
  expect(list).toMatchObject({ full: false, sample: 30, next_cursor: null });
  const values = Object.fromEntries(list.data.map((one: { name: string; values: unknown }) => [one.name, one.values]));
  expect(values).toEqual({
    // Most people live elsewhere, so that the field is like a name.
    city: [],
    email: [],
    firstName: [],
    plan: [
      { value: "pro", people: 15 },
      { value: 7, people: 15 },
    ],
    subscribed: [{ value: true, people: 30 }],
    support: [],
    team_mail: [],
    timezone: [{ value: "Europe/Berlin", people: 30 }],
  });
  expect(named(list.data, "plan")).toMatchObject({ types: ["string", "number"], people: 30 });
  expect(JSON.stringify(list)).not.toMatch(/example|Anna|Village/);
});

test("lists go page by page and by a part of the name; each workspace has its own", async () => {
  const other = await it.another();
  await send([track("p1", "a_1"), track("p1", "Ab"), track("p1", "b")], other.secretKey);
  await written();
  const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);
  const first = await get("events?limit=2", other.secretKey);
  expect(names(first)).toEqual(["Ab", "a_1"]);
  expect(names(await get(`events?limit=2&cursor=${first.next_cursor}`, other.secretKey))).toEqual(["b"]);
  expect(names(await get("events?q=A", other.secretKey))).toEqual(["Ab", "a_1"]);
  expect(names(await get("events?q=a_", other.secretKey))).toEqual(["a_1"]);
  expect((await get("events?cursor=x", other.secretKey)).code).toBe("invalid_request");
  expect(await it.call("GET", "/api/v1/catalog/events/nothing")).toMatchObject({ status: 404 });
  expect(await it.call("GET", "/api/v1/catalog/events/b")).toMatchObject({ status: 404 });
  expect((await get("attributes", other.secretKey)).data).toEqual([]);
});

test("values of people who were erased are gone with them, and repeats, screens and odd names never enter", async () => {
  await send([
    track("p1", "screen_view", { screen: "Home" }),
    track("p1", "mail_to_ada@example.test"),
    track("p1", "sync 3f2504e0-4f89-41d3-9a0c-0305e82c3301"),
    track("p1", "order placed", { "ada@example.test": 1, plan: 3 }),
  ]);
  await written();
  const names = (await get("events")).data.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["order placed"]);
  const before = await get("events/order%20placed");
  expect(named(before.properties, "ada@example.test")).toBeUndefined();
  expect(named(before.properties, "plan")).toMatchObject({ types: ["string", "number"], values: [{ people: 6 }, {}] });
  for (const id of people(2)) await it.call("DELETE", `/api/v1/people/${id}`);
  const after = await get("events/order%20placed");
  expect(named(after.properties, "plan")).toMatchObject({ people: 10, values: [{ value: "free", people: 5 }] });
});

test("a full catalog takes no new name and says so, known ones go on, and names that were seen once make room after a day", async () => {
  const { workspaceId, secretKey } = await it.another();
  await db.execute(sql`
    insert into catalog_events (workspace_id, name, first_seen, last_seen, day, of_day, of_day_before)
    select ${workspaceId}::uuid, 'order_' || n || '_paid', ${clock.now()}, ${clock.now()}, '2026-03-01', 1, 0
    from generate_series(1, ${MOST_EVENTS}::int - 1) as n`);
  await send([track("p1", "signup"), track("p1", "too late", { a: 1 })], secretKey);
  await written();
  expect(await get("events?q=s", secretKey)).toMatchObject({ data: [{ name: "signup" }], full: true });
  expect(await db.query(sql`select from catalog_fields where workspace_id = ${workspaceId}`)).toEqual([]);
  await send([track("p1", "too late", { a: 1 })], secretKey);
  clock.forward(3_600_000);
  await send([track("p1", "signup"), track("p1", "signup")], secretKey);
  await written();
  clock.forward(DAY);
  expect((await get("events?q=signup", secretKey)).data).toMatchObject([{ recent_count: 3 }]);
  await forget(ground);
  expect((await get("events", secretKey)).data).toMatchObject([{ name: "signup" }]);
  await send([track("p1", "too late", { a: 1 }), track("p1", "signup")], secretKey);
  await written();
  expect(await get("events", secretKey)).toMatchObject({
    data: [{ name: "signup", recent_count: 4 }, { name: "too late" }],
    full: false,
  });
});

test("an event has a bounded number of properties, and people have one of attributes", async () => {
  const { workspaceId, secretKey } = await it.another();
  const many = (n: number, name: string) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`${name} ${i}`, true]));
  for (let batch = 0; batch < 3; batch++) await send([track("p1", "wide", many(70, `x${batch}`))], secretKey);
  for (let batch = 0; batch < 4; batch++) await send([identify("p1", many(400, `y${batch}`))], secretKey);
  await written();
  const wide = await get("events/wide", secretKey);
  expect([wide.properties.length, wide.full]).toEqual([MOST_PROPERTIES, true]);
  const [{ n }] = (await db.query(
    sql`select count(*) as n from catalog_fields where workspace_id = ${workspaceId} and event = ''`,
  )) as [{ n: number }];
  expect(n).toBe(MOST_ATTRIBUTES);
  expect(await get("attributes?limit=1", secretKey)).toMatchObject({ full: true });
  // A month later, those that nobody has make room.
  clock.forward(31 * DAY);
  await it.call("DELETE", "/api/v1/people/p1", { key: secretKey });
  await forget(ground);
  expect(await get("attributes?limit=1", secretKey)).toMatchObject({ data: [], full: false });
});

test("what was stored before the catalog is filled in once, also if a run is stopped in the middle", async () => {
  const { workspaceId, secretKey } = await it.another();
  await send(
    [...people(3).map((id) => track(id, "bought", { sku: id })), track("p1", "left"), identify("p2", { plan: 1 })],
    secretKey,
  );
  await written();
  const [events, attributes] = [await get("events", secretKey), await get("attributes", secretKey)];
  for (const table of ["catalog_events", "catalog_fields", "catalog_fills"])
    await db.execute({ text: `delete from ${table} where workspace_id = $1`, values: [workspaceId] });
  let batches = 0;
  for (let run = 0; run < 10; run++) {
    batches = 0;
    await fill(ground, () => batches++ < 1);
  }
  expect((await db.query(sql`select from catalog_fills where workspace_id = ${workspaceId}`)).length).toBeLessThan(2);
  await fill(ground, runTime());
  expect(await get("events", secretKey)).toEqual(events);
  const names = (list: { data: { name: string; types: string[] }[] }) =>
    list.data.map(({ name, types }) => [name, types]);
  expect(names(await get("attributes", secretKey))).toEqual(names(attributes));
  expect((await get("events/bought", secretKey)).properties).toMatchObject([{ name: "sku", types: ["string"] }]);
  await send([track("p9", "after")], secretKey);
  await db.execute(sql`delete from catalog_events where workspace_id = ${workspaceId}`);
  await fill(ground, runTime());
  expect((await get("events", secretKey)).data).toEqual([]);
});
