import type { Comparison, Filter } from "@tidings/contract/audience/audiences";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { findPeopleByKeys, personKey } from "../../people/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { loadFilterContext } from "./context.ts";
import { evaluate } from "./evaluate.ts";
import { factsOf } from "./facts.ts";
import { readFilter } from "./filter.ts";
import { conditionOf, type Manner } from "./filter-store.ts";
import { instantOf } from "./instant.ts";

// A filter is implemented twice, as SQL and in TypeScript. Both are compared for people who have values of all types under few names, so
// that conditions meet types that they do not expect.

const it = await testService();
const { db } = it.service.ground;
const { workspaceId } = it;
const NOW = new Date("2026-03-29T12:00:00.000Z");
const at = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);

const texts = [
  "pro",
  "Pro",
  "",
  "100%",
  "a_b",
  "a.b",
  ".*",
  "zürich",
  "Zürich",
  "😀",
  "\uFFFD",
  "null",
  "5",
  "\\d",
  "'--",
];
const times = [
  ...[
    "2026-03-29T11:00:00Z",
    "2026-03-29T13:00:00.1234567+01:00",
    "2026-03-29",
    "2026-02-30",
    "2026-13-01",
    "0000-01-01",
  ],
  ...["2024-02-29", "2026-03-29T11:00:00", "2026-03-29T24:00:00Z", "9999-12-31T23:59:59.999999999-14:59", "0001-01-01"],
];
const numbers = [-1, 0, -0, 1, 1.5, 5, 1e21, 1e-7, 2 ** 53];
const text = fc.constantFrom(...texts, ...times);
const scalar = fc.oneof(text, fc.constantFrom(...numbers), fc.boolean());
const stored = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ b: scalar, "c.d": scalar }, { requiredKeys: [] }) },
);
const keys = ["a", "a.b", "a.c.d", "b", "__proto__x"];
const object = fc.record(Object.fromEntries(keys.map((key) => [key, stored])), { requiredKeys: [] });

const duration = fc.record({
  amount: fc.integer({ min: 1, max: 60 }),
  unit: fc.constantFrom("minutes" as const, "hours" as const, "days" as const),
});
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({ op: fc.constantFrom("eq" as const, "ne" as const), value: scalar }),
  fc.record({ op: fc.constant("in" as const), value: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    op: fc.constantFrom("gt" as const, "gte" as const, "lt" as const, "lte" as const),
    value: fc.oneof(
      fc.constantFrom(...numbers),
      text.filter((one) => one !== ""),
    ),
  }),
  fc.record({
    op: fc.constantFrom("contains" as const, "starts_with" as const),
    value: fc.oneof(text, fc.constantFrom("r", "%", "_", ".", "Z")).filter((one) => one !== ""),
  }),
  fc.record({ op: fc.constant("exists" as const), value: fc.boolean() }),
  fc.record({
    op: fc.constantFrom("before" as const, "after" as const),
    value: fc.constantFrom(...times.filter((one) => instantOf(one))),
  }),
  fc.record({ op: fc.constant("within_last" as const), value: duration }),
);

const topicOn = newId();
const topicOff = newId();
const goneTopic = newId();
const list = newId();
const saved = newId();
const broadcasts = [newId(), newId()];
const messageId = newId();
const channels = ["email", "push", "sms", "in_app"] as const;
const channel = fc.constantFrom(...channels);

const condition: fc.Arbitrary<Filter> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...keys, "email", "locale", "subscribed", "person_id", "created_at"), comparison)
      .map(([attribute, compared]) => ({ attribute, ...compared })),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        event: fc.constantFrom("came", "bought", "never"),
        op: fc.constantFrom("performed" as const, "not_performed" as const),
        count: fc
          .record(
            Object.fromEntries(
              ["eq", "gt", "gte", "lt", "lte"].map((bound) => [bound, fc.integer({ min: 0, max: 3 })]),
            ),
            { requiredKeys: [] },
          )
          .filter((bounds) => Object.keys(bounds).length > 0),
        within: duration,
        where: fc.array(
          fc.tuple(fc.constantFrom(...keys), comparison).map(([property, compared]) => ({ property, ...compared })),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: ["event", "op"] },
    ),
  },
  fc.record(
    {
      subscribed: fc.boolean(),
      channel,
      topic: fc.constantFrom(...[topicOn, topicOff, goneTopic].map((id) => encodeId("top", id))),
    },
    { requiredKeys: ["subscribed"] },
  ),
  {
    weight: 2,
    arbitrary: fc.record(
      {
        message: fc.constantFrom(
          "sent" as const,
          "delivered" as const,
          "shown" as const,
          "clicked" as const,
          "failed" as const,
        ),
        op: fc.constantFrom("performed" as const, "not_performed" as const),
        source_id: fc.constantFrom(...broadcasts.map((id) => encodeId("bc", id)), encodeId("msg", messageId)),
        channel,
        within: duration,
      },
      { requiredKeys: ["message", "op"] },
    ),
  },
  fc.constantFrom(list, saved).map((id) => ({ audience: encodeId("aud", id) })),
);
const filter = fc.letrec<{ node: Filter }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    condition,
    fc.array(tie("node"), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie("node").map((not) => ({ not })),
  ),
})).node;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const hours = fc.integer({ min: 0, max: 100 }).map(at);
const person = fc.record({
  email: maybe(fc.constantFrom("pro@example.test", "a_b@example.test")),
  locale: maybe(fc.constantFrom("de", "de-AT")),
  subscribed: fc.boolean(),
  preferences: fc.dictionary(
    fc.constantFrom(...channels, encodeId("top", topicOn), encodeId("top", goneTopic)),
    fc.boolean(),
  ),
  attributes: object,
  createdAt: hours,
  listed: fc.boolean(),
  events: fc.array(fc.record({ name: fc.constantFrom("came", "bought"), properties: object, ts: hours }), {
    maxLength: 4,
  }),
  deliveries: fc.array(
    fc.record({
      channel,
      source_id: fc.constantFrom(...broadcasts),
      message_id: maybe(fc.constant(messageId)),
      status: fc.constantFrom("queued", "failed", "suppressed", "shown"),
      queued_at: hours,
      sent_at: maybe(hours),
      delivered_at: maybe(hours),
      shown_at: maybe(hours),
      clicked_at: maybe(hours),
    }),
    { maxLength: 3 },
  ),
});

async function seed(): Promise<string[]> {
  const run = (text: string, ...values: unknown[]) => db.execute({ text, values });
  for (const [id, state] of [
    [topicOn, "subscribed"],
    [topicOff, "unsubscribed"],
  ])
    await run("insert into topics values ($1, $2, $4, null, $3, now(), now())", workspaceId, id, state, id);
  const insert = "insert into audiences values ($1, $2, $3, $4, $5, '{}', now(), now())";
  await run(insert, workspaceId, list, "List", "list", null);
  await run(insert, workspaceId, saved, "Saved", "filter", JSON.stringify({ attribute: "a", op: "exists" }));
  const people = fc.sample(person, { numRuns: 40, seed: 7 });
  for (const [i, one] of people.entries()) {
    const id = `p${i}`;
    const key = personKey(workspaceId, id);
    await run(
      `insert into people (person_key, workspace_id, person_id, email, locale, subscribed, preferences, attributes, identified_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, now(), $9, now())`,
      ...[key, workspaceId, id, one.email, one.locale, one.subscribed, JSON.stringify(one.preferences)],
      ...[JSON.stringify(one.attributes), one.createdAt],
    );
    if (one.listed) await run("insert into audience_members values ($1, $2, $3, now())", key, list, workspaceId);
    for (const event of one.events)
      await run(
        "insert into events values ($1, $2, $3, $4, $5, $6, now())",
        key,
        newId(),
        workspaceId,
        event.name,
        JSON.stringify(event.properties),
        event.ts,
      );
    for (const { source_id, ...row } of one.deliveries)
      await run(
        `insert into deliveries (person_key, id, workspace_id, source, source_id, channel, message_id, status, queued_at, sent_at, delivered_at, shown_at, clicked_at)
         values ($1, $2, $3, 'broadcast', $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        ...[key, newId(), workspaceId, source_id, row.channel, row.message_id, row.status, row.queued_at, row.sent_at],
        ...[row.delivered_at, row.shown_at, row.clicked_at],
      );
  }
  return people.map((_, i) => personKey(workspaceId, `p${i}`));
}

test("SQL, asked for everyone and one by one, and the evaluation of each person agree on any filter", async () => {
  const people = await findPeopleByKeys(db, await seed());
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(filter, async (generated) => {
      const read = readFilter(JSON.parse(JSON.stringify(generated)), "/filter");
      const asked = await loadFilterContext(db, workspaceId, { filter: read, now: NOW });
      const facts = await factsOf(db, [...people.values()], read, asked);
      const expected = facts.filter((one) => evaluate(read, one, asked).pass).map(({ person }) => person.person_id);
      for (const manner of ["everyone", "one by one"] as Manner[]) {
        const { text, values } = conditionOf(read, asked, manner);
        // A condition alone, as the statements of members-store.ts have it behind other parameters.
        const rows = await db.query<{ person_id: string; holds: boolean | null }>({
          text: `select p.person_id, (${text}) as holds from people p`,
          values,
        });
        const found = rows.filter(({ holds }) => holds).map(({ person_id }) => person_id);
        expect(found.toSorted(), manner).toEqual(expected.toSorted());
        expect(rows.every(({ holds }) => holds !== null)).toBe(true);
      }
      seen.add(expected.length);
    }),
    { numRuns: 150 },
  );
  // The filters matched different numbers of people, so the comparison means something.
  expect(seen.size).toBeGreaterThan(5);
}, 120_000);
