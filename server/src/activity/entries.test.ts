import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { noted, plansOf } from "../../test/support/database/plans.ts";
import { inAppService, MESSAGES } from "../../test/support/services/in-app.ts";
import { until } from "../../test/support/wait.ts";
import { expire } from "../inapp/jobs.ts";
import { type Statement, sql } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { endOfFeed, type FeedEvent, OLDEST, type Position, positionAt, readBack, readFeed } from "./feed-store.ts";

// Entries of the log that are rows of deliveries (docs/decisions/0072-entries-that-are-deliveries.md).

const { clock, it, identify, define, send, report } = await inAppService();
const { ground } = it.service;
const { db } = ground;

const BRIEF = { expiry: { amount: 1, unit: "hours" }, persistence: { mode: "persistent_until_dismissed" } };
/** Sends a message that expires after an hour. */
const brief = async (person: string) => send(await define(BRIEF), person);
/** Waits until the log shows all that was written: it ends before the oldest transaction that any test has open. */
const shown = async () => {
  const [row] = await db.query<{ txid: string }>(sql`select pg_current_xact_id()::text as txid`);
  await until(async () => BigInt((await endOfFeed(db)).txid) > BigInt(row?.txid as string), "the end of the log");
};
beforeEach(async () => {
  for (const table of ["activity", "deliveries"]) await db.execute({ text: `delete from ${table}`, values: [] });
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
});
