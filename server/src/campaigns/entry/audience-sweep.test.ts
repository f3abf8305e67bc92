import type { Filter } from "@tidings/contract/audience/audiences";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EMAIL, PEOPLE, sweepingService } from "../../../test/support/campaigns/sweeping.ts";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { peopleMovedByTime } from "../audience/sweeps-store.ts";
import { CAMPAIGNS_CHANGED } from "../definition/entrances.ts";

const {
  clock,
  ground,
  db,
  workspaceId,
  messages,
  call,
  identify,
  list,
  named,
  watched,
  work,
  membersOf,
  matching,
  feedIsWhole,
} = await sweepingService();

const hours = (amount: number) => ({ amount, unit: "hours" as const });
const within = fc.integer({ min: 1, max: 4 }).map(hours);
const op = fc.constantFrom("performed" as const, "not_performed" as const);
const leaf = fc.oneof<fc.Arbitrary<Filter>[]>(
  fc.constant<Filter>({ attribute: "plan", op: "eq", value: "pro" }),
  within.map((value): Filter => ({ attribute: "seen", op: "within_last", value })),
  fc.record({ event: fc.constantFrom("visited", "paid"), op, within }),
  fc.record({ event: fc.constant("visited"), op, within, count: fc.constant({ gte: 2 }) }),
  fc.record({
    event: fc.constant("paid"),
    op,
    where: within.map((value) => [{ property: "for", op: "within_last" as const, value }]),
  }),
  fc.record({ message: fc.constantFrom("sent" as const, "clicked" as const), op }),
  fc.record({ message: fc.constant("sent" as const), op, within }),
  fc.constantFrom<Filter>({ audience: list }, { audience: named }, { subscribed: true }),
);
const filters = fc.oneof(
  leaf,
  leaf.map((one): Filter => ({ not: one })),
  fc.tuple(leaf, leaf).map((all): Filter => ({ all })),
  fc.tuple(leaf, leaf).map((any): Filter => ({ any })),
);

const person = fc.constantFrom(...PEOPLE);
const ago = fc.integer({ min: -60, max: 300 });
/** Minutes before now as a time; negative minutes are in the future. */
const timeOf = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString();
type Happening = () => Promise<unknown>;
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.tuple(person, fc.constantFrom("pro", "free")).map(
    ([who, plan]) =>
      () =>
        identify(who, { plan }),
  ),
  fc.tuple(person, ago).map(
    ([who, minutes]) =>
      () =>
        identify(who, { seen: timeOf(minutes) }),
  ),
  fc.tuple(person, fc.constantFrom("visited", "paid"), ago, ago).map(
    ([who, eventName, minutes, other]) =>
      () =>
        call("POST", "/data-gateway/v1/track", {
          person_id: who,
          eventName,
          ts: timeOf(Math.max(0, minutes)),
          properties: { for: timeOf(other) },
        }),
  ),
  fc.tuple(person, fc.constantFrom("PUT" as const, "DELETE" as const)).map(
    ([who, method]) =>
      () =>
        call(method, `/api/v1/audiences/${list}/members/${who}`),
  ),
  fc.tuple(person, fc.boolean()).map(
    ([who, clicks]) =>
      () =>
        db.transaction(async (tx) => {
          const made = await messages.insert(tx, { ...EMAIL, person: who });
          await messages.end(tx, made, "sent");
          if (clicks) await messages.tell(tx, made, "clicked", 0);
        }),
  ),
  fc.integer({ min: 1, max: 3 }).map(
    (amount) => () =>
      call("PATCH", `/api/v1/audiences/${named}`, {
        filter: { event: "visited", op: "performed", within: hours(amount) },
        even_if_used: true,
      }),
  ),
);

test("sweeps find exactly those whom an evaluation of everybody finds, whatever happens and however time passes", async () => {
  await fc.assert(
    fc.asyncProperty(
      filters,
      fc.array(fc.tuple(fc.array(happening, { maxLength: 4 }), fc.integer({ min: -30, max: 120 })), {
        minLength: 3,
        maxLength: 6,
      }),
      async (filter, minutes) => {
        const made = await watched(filter);
        await work();
        // No full sweep repairs what the others miss.
        await db.execute(sql`update campaign_sweeps set full_at = '2100-01-01', settled = true`);
        for (const [happenings, passed] of minutes) {
          for (const happens of happenings) await happens();
          await feedIsWhole();
          await work();
          clock.forward(passed * 60_000);
          await db.execute(sql`update campaign_sweeps set due_at = ${clock.now()} where after_key is null`);
          await work();
          expect(await membersOf(made)).toEqual(await matching(filter));
        }
        await db.execute(sql`delete from campaigns where id = ${made.campaignId}`);
        await db.execute(sql`delete from campaign_members`);
        ground.signals.publish(CAMPAIGNS_CHANGED, [workspaceId]);
      },
    ),
    { numRuns: 12 },
  );
});

test("evaluates everybody after the activation, a minute later and each hour, and otherwise reads no person", async () => {
  const made = await watched({ event: "visited", op: "performed", within: hours(1) });
  const fullAt = async () => {
    const [row] = await db.query<{ full_at: Date }>(sql`
      select full_at from campaign_sweeps where campaign_id = ${made.campaignId}`);
    return row && row.full_at.getTime() - clock.now().getTime();
  };
  await work();
  expect(await fullAt()).toBe(60_000);
  clock.forward(60_000);
  await work();
  expect(await fullAt()).toBe(3_600_000);
  clock.forward(60_000);
  await work();
  expect(await fullAt()).toBe(3_540_000);
});

test("evaluates everybody where more than 10,000 people moved", async () => {
  const event = `flood_${newId().replaceAll("-", "")}`;
  const made = await watched({ event, op: "performed", within: hours(1) });
  await work();
  clock.forward(60_000);
  await work();
  const at = new Date(clock.now().getTime() - 3_590_000);
  await db.execute(sql`
    with crowd as (
      insert into people (person_key, workspace_id, person_id, attributes, identified_at, created_at, updated_at)
      select gen_random_uuid(), ${workspaceId}, ${event}::text || n, '{}', now(), now(), now() from generate_series(1, 10500) n
      returning person_key)
    insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
    select person_key, gen_random_uuid(), ${workspaceId}, ${event}, '{}', ${at}, now() from crowd`);
  await db.execute(sql`
    insert into campaign_members (person_key, campaign_id, workspace_id, since)
    select person_key, ${made.campaignId}, workspace_id, now() from events where name = ${event}`);
  clock.forward(60_000);
  await work();
  expect(await db.query(sql`select from campaign_members where campaign_id = ${made.campaignId}`)).toEqual([]);
});

test("finds events that left their time by the index of names and times", async () => {
  await db.execute(sql`
    insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
    select gen_random_uuid(), gen_random_uuid(), ${workspaceId}, 'many', '{}', now() - n * interval '1 minute', now()
    from generate_series(1, 20000) n`);
  await db.execute(sql`analyze events`);
  const seen: Statement[] = [];
  const drift = { events: [{ name: "many", withinMs: 3_600_000 }], attributes: [] };
  const minute = { from: new Date(Date.now() - 60_000), until: new Date(), limit: 1_000 };
  expect((await peopleMovedByTime(noted(db, seen), workspaceId, drift, minute)).length).toBeLessThan(3);
  expect((await plansOf(db, seen)).join()).toContain("events_name");
});
