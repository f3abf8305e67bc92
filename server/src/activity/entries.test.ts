import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { noted, plansOf } from "../../test/support/database/plans.ts";
import { inAppService, MESSAGES } from "../../test/support/services/in-app.ts";
import { until } from "../../test/support/wait.ts";
import { expire } from "../inapp/jobs.ts";
import { type Statement, sql } from "../platform/db/index.ts";
import { decodeId, newId } from "../platform/ids.ts";
import { endOfFeed, type FeedEvent, OLDEST, type Position, positionAt, readBack, readFeed } from "./feed-store.ts";
import { forget } from "./jobs.ts";

// Entries of the log that are rows of deliveries (docs/decisions/0072-entries-that-are-deliveries.md).

const DAY = 86_400_000;
const { clock, it, identify, define, send, report } = await inAppService();
const { ground } = it.service;
const { db } = ground;

const BRIEF = { expiry: { amount: 1, unit: "hours" }, persistence: { mode: "persistent_until_dismissed" } };
/** Sends a message that expires after an hour. */
const brief = async (person: string) => send(await define(BRIEF), person);
const settings = async (body: object) =>
  expect((await it.call("PATCH", "/api/v1/workspace", { body })).status).toBe(200);
const get = async (path: string) => {
  const answer = await it.call("GET", `/api/v1${path}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
/** Waits until the log shows all that was written: it ends before the oldest transaction that any test has open. */
const shown = async () => {
  const [row] = await db.query<{ txid: string }>(sql`select pg_current_xact_id()::text as txid`);
  await until(async () => BigInt((await endOfFeed(db)).txid) > BigInt(row?.txid as string), "the end of the log");
};
const rowsOf = async (table: "activity" | "deliveries") =>
  (await db.query<{ n: number }>({ text: `select count(*)::int as n from ${table}`, values: [] }))[0]?.n;

beforeEach(async () => {
  await settings({ retention_days: 90, retention: {} });
  for (const table of ["activity", "deliveries"]) await db.execute({ text: `delete from ${table}`, values: [] });
});

test("a delivery that is queued and expires is told everywhere, and writes no row of the log", async () => {
  await identify("ada");
  await db.execute({ text: "delete from activity", values: [] });
  const queuedAt = clock.now().toISOString();
  const delivery = await brief("ada");
  clock.forward(2 * 3_600_000);
  await expire(ground);
  const expiredAt = clock.now().toISOString();
  expect(await rowsOf("activity")).toBe(0);
  await shown();
  const kinds = [
    { type: "in_app.queued", at: queuedAt, data: { source: "test" } },
    { type: "in_app.expired", at: expiredAt, data: {} },
  ];
  const log = await get("/people/ada/activity");
  expect(log.data).toMatchObject(
    kinds.toReversed().map((kind) => ({ ...kind, delivery_id: delivery, source: "test" })),
  );
  const ids = log.data.map(({ id }: { id: string }) => id).toReversed();
  const feed = await get("/events");
  expect(feed.data).toMatchObject(
    kinds.map(({ type, at, data }, i) => ({
      id: ids[i],
      type,
      timestamp: at,
      data: { person_id: "ada", delivery_id: delivery, channel: "in_app", source: "test", details: data },
    })),
  );
  expect((await get("/activity")).data).toEqual(feed.data.toReversed());
  expect((await get("/activity?person_id=ada&types=in_app.expired&source=test")).data).toEqual([feed.data[1]]);
  expect((await get("/activity?person_id=bob")).data).toEqual([]);
  expect((await get("/people/ada/activity?channel=email")).data).toEqual([]);
  expect((await get("/people/ada/activity?type=in_app.queued")).data).toEqual([log.data[1]]);
  expect((await get("/people/ada/activity?limit=1")).data).toEqual([log.data[0]]);
  expect((await get(`/deliveries/${delivery}`)).events).toMatchObject(kinds);
  const files = ["/people/ada/activity/export", "/deliveries/events/export"];
  for (const path of files)
    expect((await get(path)).split("\n").filter((line: string) => line.includes("act_"))).toHaveLength(2);
});

test("at one time the queueing is first and the expiry last", async () => {
  await identify("ada");
  clock.forward(1_000);
  const delivery = await brief("ada");
  await report(delivery, "impression", { person_id: "ada" });
  await db.execute(sql`
    update deliveries set status = 'expired', live = false, expired_at = queued_at, expired_txid = pg_current_xact_id()`);
  const types = (await get(`/people/ada/activity`)).data.map(({ type }: { type: string }) => type);
  expect(types.slice(0, 3)).toEqual(["in_app.expired", "in_app.impression", "in_app.queued"]);
});

test("what content leaves out is told once, by a row of the log", async () => {
  await identify("ada");
  await db.execute({ text: "delete from activity", values: [] });
  const delivery = await send(await define({ body: "Hello", image_url: "{{ person.picture }}" }), "ada");
  expect(await rowsOf("activity")).toBe(1);
  expect((await get(`/deliveries/${delivery}`)).events).toMatchObject([
    { type: "in_app.queued", data: { source: "test", left_out: expect.anything() } },
  ]);
});

/** Reads the feed from the beginning, page by page. */
async function pages(limit: number, types: string[]): Promise<FeedEvent[]> {
  const found: FeedEvent[] = [];
  let after: Position = OLDEST;
  for (let more = true; more; ) {
    const page = await readFeed(db, it.workspaceId, { after, types, limit });
    found.push(...page.events);
    ({ next: after, more } = page);
  }
  return found;
}

/** Reads the feed from its end, page by page. */
async function backwards(limit: number, types: string[]): Promise<FeedEvent[]> {
  const filter = { types, channel: undefined, source: undefined, sourceId: undefined, personKey: undefined };
  const found: FeedEvent[] = [];
  for (let before: Position | undefined; ; ) {
    const { events } = await readBack(db, it.workspaceId, { filter, before, limit });
    found.push(...events);
    before = events.at(-1);
    if (events.length < limit) return found;
  }
}

test("pages of any length have each entry once, in one order, whichever table has it", {
  timeout: 120_000,
}, async () => {
  await identify("ada");
  const message = await define(BRIEF);
  const step = fc.constantFrom("send", "impression", "expire", "identify");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (steps, limit) => {
      for (const table of ["activity", "deliveries"]) await db.execute({ text: `delete from ${table}`, values: [] });
      const expected: string[] = [];
      let live: string[] = [];
      for (const one of steps) {
        const last = live.at(-1);
        if (one === "send") {
          live.push(await send(message, "ada"));
          expected.push("in_app.queued");
        } else if (one === "identify") {
          await identify("ada", { at: newId() });
          expected.push("person.identified");
        } else if (one === "expire") {
          clock.forward(2 * 3_600_000);
          await expire(ground);
          expected.push(...live.map(() => "in_app.expired"));
          live = [];
        } else if (last !== undefined) {
          await report(last, "impression", { person_id: "ada" });
          expected.push("in_app.impression");
        }
      }
      await shown();
      for (const types of [[], ["in_app.*"], ["in_app.queued", "person.identified"]]) {
        const found = await pages(limit, types);
        const wanted = expected.filter(
          (type) => types.length === 0 || types.includes(type) || types.includes(`${type.split(".")[0]}.*`),
        );
        expect(found.map(({ type }) => type)).toEqual(wanted);
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
        expect((await backwards(limit, types)).map(({ id }) => id)).toEqual(found.map(({ id }) => id).toReversed());
      }
    }),
    { numRuns: 25 },
  );
});

/** One delivery that was queued and expired long ago, and what the log told of it. */
async function old() {
  await identify("ada");
  await db.execute({ text: "delete from activity", values: [] });
  const delivery = await brief("ada");
  await report(delivery, "impression", { person_id: "ada" });
  clock.forward(2 * 3_600_000);
  await expire(ground);
  await shown();
  const told = (await get("/events")).data as { id: string; type: string; timestamp: string; data: object }[];
  clock.forward(20 * DAY);
  return { delivery, told };
}

test("entries stay in the log, with their ids, where deliveries are forgotten before it", async () => {
  await settings({ retention: { deliveries: 10, activity: 60 } });
  const { told } = await old();
  await forget(ground);
  await shown();
  expect([await rowsOf("deliveries"), await rowsOf("activity")]).toEqual([0, told.length]);
  const kept = (await get("/events")).data;
  expect(kept.map(({ id, type, timestamp }: (typeof told)[number]) => ({ id, type, timestamp }))).toEqual(
    told.map(({ id, type, timestamp }) => ({ id, type, timestamp })),
  );
  clock.forward(60 * DAY);
  await forget(ground);
  expect(await rowsOf("activity")).toBe(0);
});

test("an expiry stays in the log for as long as others, though its delivery was queued long before", async () => {
  await settings({ retention_days: 30 });
  await identify("ada");
  await db.execute({ text: "delete from activity", values: [] });
  await send(await define({ ...BRIEF, expiry: { amount: 20, unit: "days" } }), "ada");
  clock.forward(20 * DAY + 60_000);
  await expire(ground);
  await shown();
  const [, expiry] = (await get("/events")).data;
  clock.forward(15 * DAY);
  await forget(ground);
  await shown();
  expect([await rowsOf("deliveries"), await rowsOf("activity")]).toEqual([0, 1]);
  expect((await get("/events")).data).toMatchObject([
    { id: expiry.id, type: "in_app.expired", timestamp: expiry.timestamp },
  ]);
});

test("entries leave the log in their time where deliveries are kept longer", async () => {
  await settings({ retention: { deliveries: 60, activity: 10 } });
  const { delivery, told } = await old();
  expect(told.length).toBe(3);
  const young = await brief("ada");
  await forget(ground);
  await shown();
  expect([await rowsOf("deliveries"), await rowsOf("activity")]).toEqual([2, 0]);
  expect((await get("/events")).data).toMatchObject([{ type: "in_app.queued", data: { delivery_id: young } }]);
  expect((await get(`/deliveries/${delivery}`)).events).toEqual([]);
  expect((await get("/people/ada/activity")).data).toHaveLength(1);
});

test("neither is written to the log where both are forgotten at once", async () => {
  await old();
  clock.forward(90 * DAY);
  await forget(ground);
  expect([await rowsOf("deliveries"), await rowsOf("activity")]).toEqual([0, 0]);
});

test("what happened since a time is found also where an application has reported something older after it", async () => {
  await identify("ada");
  const delivery = await brief("ada");
  clock.forward(600_000);
  const since = clock.now();
  clock.forward(60_000);
  await identify("bob");
  const ts = new Date(since.getTime() - 300_000).toISOString();
  const items = [{ delivery_id: delivery, type: "impression", event_id: "offline", ts }];
  const offline = await it.call("POST", `${MESSAGES}/interactions`, { body: { person_id: "ada", items } });
  expect(offline.status, JSON.stringify(offline.body)).toBe(200);
  await shown();
  const after = await positionAt(db, it.workspaceId, since);
  const { events } = await readFeed(db, it.workspaceId, { after, types: [], limit: 10 });
  expect(events.map(({ type }) => type)).toEqual(["person.identified", "in_app.impression"]);
});

test("two workspaces' entries are apart, and those of a merged person go with the deliveries", async () => {
  const other = await it.another();
  await identify("ada");
  await identify("bob");
  const delivery = await brief("ada");
  await shown();
  expect((await it.call("GET", "/api/v1/events", { key: other.secretKey })).body.data).toEqual([]);
  const merge = await it.call("POST", "/api/v1/people/ada/merge", { body: { into: "bob" } });
  expect(merge.status, JSON.stringify(merge.body)).toBe(200);
  const log = await get("/people/bob/activity?type=in_app.queued");
  expect(log.data).toMatchObject([{ delivery_id: delivery }]);
});

test.skipIf(inShards)("the feed finds entries that are deliveries by their indexes, also among many", async () => {
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, queued_txid, expired_at, expired_txid)
    select md5(n::text)::uuid, gen_random_uuid(), ${it.workspaceId}, 'in_app', 'broadcast', 'expired', now(), (n / 500)::text::xid8, now(), (n / 400)::text::xid8
    from generate_series(1, 40000) n`);
  await db.execute(sql`analyze deliveries`);
  const seen: Statement[] = [];
  const spy = noted(db, seen);
  const filter = { types: [], channel: undefined, source: undefined, sourceId: undefined, personKey: undefined };
  await readFeed(spy, it.workspaceId, { after: { txid: "40", id: newId() }, types: [], limit: 50 });
  await readBack(spy, it.workspaceId, { filter, before: undefined, limit: 51 });
  for (const plan of await plansOf(
    db,
    seen.filter(({ text }) => text.includes("queued_txid")),
  )) {
    expect(plan).toMatch(/using deliveries_queued on deliveries/);
    expect(plan).toMatch(/using deliveries_expired on deliveries/);
    expect(plan).not.toMatch(/Seq Scan on deliveries/);
  }
  expect(decodeId("act", (await get("/events?limit=1")).data[0].id)).toMatch(/^0000/);
});
