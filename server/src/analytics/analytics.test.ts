import type { Metrics } from "@tidings/contract/facts/activity";
import fc from "fast-check";
import { expect, test } from "vitest";
import { count, deliveriesOf, happenings, type Made } from "../../test/support/services/deliveries.ts";
import { inAppService } from "../../test/support/services/in-app.ts";
import type { Feedback } from "../outbound/feedback/feedback.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId, encodeId, newId } from "../platform/ids.ts";
import { rollUp } from "./jobs.ts";
import { addUp, takeTurn } from "./roll-up-store.ts";

// For any events of deliveries, in any order, and a roll-up at any moment: the numbers of each bucket are those of counting the
// deliveries that GET /deliveries lists.

const { clock, it, identify, define, report } = await inAppService();
const { ground } = it.service;
const { db } = ground;
const START = "2026-03-27T20:10:00.000Z";
const PEOPLE = ["ada", "bob", "eve"];
const SOURCES = [newId(), newId()] as const;
for (const person of PEOPLE) await identify(person);
const message = decodeId("msg", await define({ persistence: { mode: "persistent_until_dismissed" } })) as string;

const { insert, end, endAsSuppressed, tell } = deliveriesOf(it, clock, message);

/** The third source is test sends. */
const inAppOf = (of: number, person: string, status = "queued", variant = ["A", "B"][of]) => ({
  ...({ channel: "in_app", status, source: of === 2 ? "test" : "broadcast", person } as const),
  ...{ sourceId: SOURCES[of] ?? null, ...(variant && { variant }) },
});
const emailOf = (of: number, person: string, status = "sending") =>
  ({
    channel: "email",
    status,
    source: of === 2 ? "test" : "transactional",
    sourceId: SOURCES[of] ?? null,
    person,
  }) as const;

async function get(url: string) {
  const answer = await it.call("GET", `/api/v1${url}`);
  expect(answer.status, `${url} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

/** Returns all deliveries of the list. */
async function listed(query: string) {
  // biome-ignore lint/suspicious/noExplicitAny: answers
  const rows: any[] = [];
  for (let cursor = ""; ; ) {
    const { data, next_cursor } = await get(`/deliveries?limit=200&${query}${cursor}`);
    rows.push(...data);
    if (next_cursor === null) return rows;
    cursor = `&cursor=${next_cursor}`;
  }
}

/** Ranges within a quarter of an hour, within a day, over midnight, and with full days in between. */
const RANGES = [
  ["2026-03-27T20:11:00.000Z", "2026-03-27T20:12:00.000Z"],
  ["2026-03-27T00:00:00.000Z", "2026-03-27T22:40:00.000Z"],
  ["2026-03-27T20:00:00.000Z", "2026-03-28T05:00:00.000Z"],
  ["2026-03-27T20:20:00.000Z", "2026-03-29T10:40:00.000Z"],
];

/** Compares the series and the sums with the list, for all deliveries and for some parts. */
async function compare(bucket: "hour" | "day") {
  const parts = ["", "channel=in_app", "source=broadcast", "source=test", `source_id=${encodeId("bc", SOURCES[0])}`];
  for (const part of parts) {
    const list = await listed(part);
    const rows = list.map(happenings);
    const { totals } = await get(`/analytics/metrics?${part}`);
    expect(totals, part).toEqual(count(rows));
    for (const [from, to] of RANGES) {
      const some = await get(`/analytics/metrics?from=${from}&to=${to}&${part}`);
      expect(some.totals, `${part} ${from}`).toEqual(count(rows, (at) => at >= some.from && at < some.to));
    }
    const range = `from=2026-03-10T00:00:00Z&to=2026-04-15T00:00:00Z&bucket=${bucket}`;
    const series = await get(`/analytics?${range}&${part}`);
    expect(series.totals, part).toEqual(totals);
    const parts = (await get(`/analytics?${range}&by=channel&${part}`)).parts as {
      channel: string;
      totals: Metrics;
      data: Metrics[];
    }[];
    for (const { channel, totals: own, data } of parts) {
      const theirs = rows.filter((_, i) => list[i].channel === channel);
      expect(own, `${part} ${channel}`).toEqual(count(theirs));
      expect(
        data.map(({ sent }) => sent).reduce((a, b) => a + b),
        `${part} ${channel}`,
      ).toBe(own.sent);
    }
    expect(
      parts.map(({ totals: own }) => own.sent + own.failed).reduce((a, b) => a + b, 0),
      part,
    ).toBe(totals.sent + totals.failed);
    for (const { start, end, ...numbers } of series.data)
      expect(numbers, `${part} ${start}`).toEqual(count(rows, (at) => at >= start && at < end));
  }
  // The list behind a number: it selects the deliveries that count in it.
  const [from, to] = RANGES[2] as [string, string];
  for (const part of ["", "channel=in_app"]) {
    const some = await get(`/analytics/metrics?from=${from}&to=${to}&${part}`);
    for (const [metric, number] of Object.entries(some.totals)) {
      const behind = await listed(`metric=${metric}&from=${some.from}&to=${some.to}&${part}`);
      expect(behind.length, `${part} ${metric}`).toBe(number);
    }
  }
  for (const kind of ["channel", "source", "source_id"]) {
    for (const group of (await get(`/analytics/metrics?by=${kind}`)).data) {
      // The test sends here have no source id for a query.
      const one = group.source === "test" ? "source=test" : `source=${group.source}&source_id=${group.source_id}`;
      const query = kind === "source_id" ? one : `${kind}=${group[kind]}`;
      const rows = (await listed(query)).map(happenings);
      expect(group, query).toMatchObject(count(rows));
    }
  }
}

const settings = async (body: object) => {
  expect((await it.call("PATCH", "/api/v1/workspace", { body })).status).toBe(200);
};

const pick = fc.nat();
const step = fc.oneof(
  fc.record({ do: fc.constant("queue" as const), of: fc.nat(2), person: fc.nat(2), failed: fc.boolean() }),
  fc.record({ do: fc.constantFrom("impression" as const, "click" as const, "dismiss" as const), pick }),
  fc.record({ do: fc.constantFrom("expire" as const, "recall" as const), pick }),
  fc.record({ do: fc.constant("hand over" as const), of: fc.nat(2), person: fc.nat(2), suppressed: fc.boolean() }),
  fc.record({ do: fc.constantFrom("sent" as const, "failed" as const, "suppressed" as const), pick }),
  fc.record({
    do: fc.constant("tell" as const),
    pick,
    kind: fc.constantFrom<Feedback["kind"][]>(
      "delivered",
      "bounced",
      "complained",
      "failed",
      "opened",
      "clicked",
      "unsubscribed",
    ),
    hoursAgo: fc.nat(60),
  }),
  fc.record({ do: fc.constant("wait" as const), minutes: fc.nat(700) }),
  fc.record({ do: fc.constant("forget" as const), pick }),
  fc.record({ do: fc.constant("roll up" as const), batch: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ do: fc.constant("crash" as const) }),
  fc.record({ do: fc.constant("open" as const), commits: fc.boolean() }),
  fc.record({ do: fc.constant("close" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** One history. Transactions that it opens are closed at its end. */
function history() {
  const inApp: Made[] = [];
  const emails: Made[] = [];
  const open: (() => Promise<void>)[] = [];
  const one = (list: Made[], n: number) => list[n % Math.max(list.length, 1)];
  const person = (n: number) => PEOPLE[n] as string;

  async function openOne(commits: boolean) {
    if (open.length === 2) return;
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const done = db.transaction(async (tx) => {
      await insert(tx, inAppOf(0, "ada"));
      const email = await insert(tx, emailOf(1, "bob"));
      await end(tx, email, "sent");
      begun.resolve();
      await gate.promise;
      if (!commits) throw new Error("changed my mind");
    });
    const ended = done.catch((error: Error) => expect(error.message).toBe("changed my mind"));
    await Promise.race([begun.promise, done]);
    open.push(async () => {
      gate.resolve();
      await ended;
    });
  }

  async function act(s: Step): Promise<unknown> {
    switch (s.do) {
      case "queue":
        return void inApp.push(await insert(db, inAppOf(s.of, person(s.person), s.failed ? "failed" : "queued")));
      case "hand over":
        return void emails.push(
          await insert(db, emailOf(s.of, person(s.person), s.suppressed ? "suppressed" : "sending")),
        );
      case "wait":
        return clock.forward(s.minutes * 60_000);
      case "roll up":
        return rollUp(ground, s.batch);
      case "crash":
        return db
          .transaction(async (tx) => {
            if (await takeTurn(tx)) await addUp(tx, 1_000);
            throw new Error("crash");
          })
          .catch(() => {});
      case "open":
        return openOne(s.commits);
      case "close":
        return open.shift()?.();
      case "forget": {
        const made = one(emails, s.pick);
        return made && db.execute(sql`delete from deliveries where id = ${made.id}`);
      }
      case "sent":
      case "failed": {
        const made = one(emails, s.pick);
        return made && end(db, made, s.do);
      }
      case "suppressed": {
        const made = one(emails, s.pick);
        return made && endAsSuppressed(db, made);
      }
      case "tell": {
        const made = one(emails, s.pick);
        return made && db.transaction((tx) => tell(tx, made, s.kind, s.hoursAgo));
      }
      case "expire":
      case "recall": {
        const made = one(inApp, s.pick);
        const status = s.do === "expire" ? "expired" : "canceled";
        return (
          made &&
          db.execute(sql`update deliveries set status = ${status}, live = false where id = ${made.id} and recallable`)
        );
      }
      default: {
        const made = one(inApp, s.pick);
        return made && report(encodeId("dlv", made.id), s.do, { person_id: made.person });
      }
    }
  }
  return { act, closeAll: async () => void (await Promise.all(open.splice(0).map((close) => close()))) };
}

test("any history of deliveries: series, sums and the list agree to the unit, bucket by bucket", async () => {
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe");
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60 }),
      zone,
      fc.constantFrom("hour", "day"),
      async (steps, timezone, bucket) => {
        clock.set(START);
        const { act, closeAll } = history();
        await settings({ timezone });
        try {
          for (const [i, s] of steps.entries()) {
            await act(s);
            if (i === steps.length >> 1) await compare("day");
          }
          await compare(bucket);
        } finally {
          await closeAll();
        }
        await rollUp(ground);
        await compare(bucket);
        await db.execute(sql`truncate deliveries, activity`);
      },
    ),
    { numRuns: 8, maxSkipsPerRun: 0, endOnFailure: true },
  );
});

test("a delivery fails when it is given up, reported as failed or held back, and at its queueing if it never waited", async () => {
  await db.execute(sql`truncate deliveries, activity`);
  clock.set(START);
  const [given, told, held, born] = [
    await insert(db, emailOf(0, "ada")),
    await insert(db, emailOf(0, "ada")),
    await insert(db, emailOf(0, "ada")),
    await insert(db, emailOf(0, "ada", "suppressed")),
  ];
  await end(db, told, "sent");
  const later = (hours: number) => {
    clock.forward(hours * 3_600_000);
    return clock.now().toISOString();
  };
  const times = { [born.id]: START } as Record<string, string>;
  times[given.id] = later(1);
  await end(db, given, "failed");
  times[told.id] = later(1);
  await db.transaction((tx) => tell(tx, told, "failed", 0));
  times[held.id] = later(1);
  await endAsSuppressed(db, held);
  const found = (await listed("")).map((row) => [decodeId("dlv", row.id), row.failed_at]);
  expect(Object.fromEntries(found)).toEqual(times);

  // If the provider reports later that it arrived, it did not fail.
  await db.transaction((tx) => tell(tx, told, "delivered", 0));
  expect((await listed("")).filter((row) => row.failed_at !== null)).toHaveLength(3);
  const { data } = await get("/analytics?bucket=hour&from=2026-03-27T20:00:00Z&to=2026-03-28T00:00:00Z");
  expect(data.map(({ failed }: Metrics) => failed)).toEqual([1, 1, 0, 1]);
});
