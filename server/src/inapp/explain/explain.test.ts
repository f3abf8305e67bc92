import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { newId } from "../../platform/ids.ts";

const clock = testClock("2026-03-10T12:00:00.000Z");
const it = await testService({ clock });
const MESSAGES = "/data-gateway/v1/in-app/messages";

interface Explanation {
  delivery_id: string;
  message_id: string;
  eligible: boolean;
  reason: string | null;
  gates: { gate: string; pass: boolean; detail: string }[];
  next_eligible_at: string | null;
}

async function person(personId = newId()): Promise<string> {
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: personId } });
  return personId;
}

async function send(personId: string, definition: object = {}): Promise<string> {
  const body = { name: "n", render_type: "modal", body: "b", ...definition };
  const made = await it.call("POST", "/api/v1/in-app-messages", { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return sendAgain(personId, made.body.id);
}

async function sendAgain(personId: string, messageId: string): Promise<string> {
  const url = `/api/v1/in-app-messages/${messageId}/test-sends`;
  const sent = (await it.call("POST", url, { body: { person_id: personId } })).body.delivery_id;
  clock.forward(1_000);
  return sent;
}

async function explain(personId: string, query: Record<string, string> = {}): Promise<Explanation[]> {
  const answer = await it.call("GET", `/api/v1/people/${personId}/in-app?${new URLSearchParams(query)}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

async function sync(personId: string, query: Record<string, string> = {}): Promise<string[]> {
  const url = `${MESSAGES}/sync?${new URLSearchParams({ ...query, person_id: personId, limit: "50" })}`;
  return (await it.call("GET", url)).body.map((one: { delivery_id: string }) => one.delivery_id);
}

const report = (personId: string, deliveryId: string, type: string) =>
  it.call("POST", `${MESSAGES}/${deliveryId}/${type}`, { body: { person_id: personId } });
const setCap = (cap: object | null) => it.call("PATCH", "/api/v1/workspace", { body: { in_app_cap: cap } });

const duration = fc.record({
  amount: fc.integer({ min: 1, max: 5 }),
  unit: fc.constantFrom("minutes", "hours", "days"),
});
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom("00", "30", "59"))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${minute}`);
const definition = fc.record({
  render_type: fc.constantFrom("modal", "inbox_card"),
  body: fc.constantFrom("plain", "for {{person.person_id}}"),
  priority: fc.constantFrom(10, 50, 100),
  expiry: fc.option(duration),
  screens: fc.record({
    include: fc.array(fc.constantFrom("home", "shop/*", "*"), { maxLength: 2 }),
    exclude: fc.array(fc.constantFrom("home", "shop/pay"), { maxLength: 1 }),
  }),
  quiet_hours: fc.option(
    fc
      .record({ timezone_mode: fc.constantFrom("workspace", "device"), start: time, end: time })
      .filter(({ start, end }) => start !== end),
  ),
  persistence: fc.record({
    mode: fc.constantFrom("one_time", "persistent_until_dismissed"),
    per: fc.constantFrom("person", "delivery"),
    max_impressions: fc.option(fc.integer({ min: 1, max: 3 })),
    min_interval: fc.option(duration),
  }),
});
const scenario = fc.record({
  start: fc.constantFrom("2026-03-28T20:00Z", "2026-10-24T20:00Z", "2026-07-01T09:30Z"),
  cap: fc.option(fc.constantFrom({ max_per_day: 1 }, { max_per_day: 2, min_interval: { amount: 2, unit: "hours" } })),
  definitions: fc.array(definition, { minLength: 1, maxLength: 5 }),
  steps: fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: 1_500 }),
      which: fc.nat(20),
      type: fc.constantFrom("impression", "impression", "click", "dismiss", "none"),
      screen: fc.option(fc.constantFrom("home", "shop/pay", "shop/cart"), { nil: undefined }),
      timezone: fc.option(fc.constantFrom("Europe/Berlin", "Asia/Kolkata", "nowhere"), { nil: undefined }),
      tz_offset_minutes: fc.option(fc.constantFrom("-300", "330"), { nil: undefined }),
    }),
    { minLength: 2, maxLength: 6 },
  ),
});

describe("the sync explainer", () => {
  test("calls exactly those deliveries eligible that sync returns, in the same order, for any definitions, clocks, zones and caps", {
    timeout: 120_000,
  }, async () => {
    const met = { eligible: 0, foretold: 0, gates: new Set<string>() };
    await fc.assert(
      fc.asyncProperty(scenario, async ({ start, cap, definitions, steps }) => {
        clock.set(start);
        await setCap(cap);
        const personId = await person();
        const sent: string[] = [];
        for (const one of definitions) {
          const id = await send(personId, one);
          const { message_id } = (await it.call("GET", `/api/v1/deliveries/${id}`)).body;
          sent.push(id, await sendAgain(personId, message_id));
        }
        for (const { wait, which, type, ...context } of steps) {
          clock.forward(wait * 60_000);
          if (type !== "none") await report(personId, sent[which % sent.length] as string, type);
          const query = Object.fromEntries(
            Object.entries(context).filter(([, value]) => value !== undefined),
          ) as Record<string, string>;
          const told = await explain(personId, query);
          const eligible = told.filter((one) => one.eligible).map((one) => one.delivery_id);
          expect(eligible).toEqual(await sync(personId, query));
          met.eligible += eligible.length;
          for (const one of told) {
            const failing = one.gates.find((gate) => !gate.pass);
            expect([one.eligible, one.reason === null]).toEqual([failing === undefined, failing === undefined]);
            if (failing) met.gates.add(failing.gate);
            if (one.next_eligible_at === null) continue;
            // What it foretells comes true, and not a millisecond earlier.
            met.foretold++;
            const then = Date.parse(one.next_eligible_at);
            for (const [at, pass] of [
              [then, true],
              [then - 1, false],
            ] as const) {
              const [later] = (await explain(personId, { ...query, at: new Date(at).toISOString() })).filter(
                (other) => other.delivery_id === one.delivery_id,
              );
              expect(later?.eligible).toBe(pass);
            }
          }
        }
      }),
      { numRuns: 100 },
    );
    // A test that never met a gate proves nothing about it. Their impressions are of all that the person has of the message.
    expect([...met.gates].sort()).toEqual(["cap", "expiry", "impressions", "interval", "quiet_hours", "screen"]);
    expect(Math.min(met.eligible, met.foretold)).toBeGreaterThan(50);
    await setCap(null);
  });

  test("says in one sentence which gate fails first, and when time opens it", async () => {
    clock.set("2026-03-10T23:15:00.000Z");
    const personId = await person();
    const elsewhere = await send(personId, { priority: 90, screens: { include: ["shop/*"], exclude: ["shop/pay"] } });
    const asleep = await send(personId, {
      priority: 80,
      quiet_hours: { enabled: true, timezone_mode: "workspace", start: "22:00", end: "08:00" },
    });
    const resting = await send(personId, {
      priority: 70,
      persistence: {
        mode: "persistent_until_dismissed",
        max_impressions: 5,
        min_interval: { amount: 6, unit: "hours" },
      },
    });
    const fine = await send(personId, { priority: 60 });
    await report(personId, resting, "impression");
    const told = await explain(personId, { screen: "home" });
    expect(told.map(({ delivery_id, reason, next_eligible_at }) => [delivery_id, reason, next_eligible_at])).toEqual([
      [elsewhere, 'It is not for this screen: on "home"; shown on shop/*, except shop/pay.', null],
      [
        asleep,
        "It is quiet time: quiet from 22:00 to 08:00; the workspace's clock shows 23:15.",
        "2026-03-11T08:00:00.000Z",
      ],
      [resting, "It was shown not long enough ago: rests until 2026-03-11T05:15:04.000Z.", "2026-03-11T05:15:04.000Z"],
      [fine, null, null],
    ]);
    expect(told[2]?.gates.map(({ gate, pass }) => `${gate} ${pass}`)).toEqual([
      "screen true",
      "quiet_hours true",
      "expiry true",
      "impressions true",
      "interval false",
      "cap true",
      "status true",
    ]);
    expect(told[2]?.gates.find(({ gate }) => gate === "impressions")?.detail).toBe("shown 1 of 5 times");
    expect(told[2]?.gates.at(-1)?.detail).toBe("shown");
    expect(
      (await explain(personId, { screen: "shop/cart", at: "2026-03-11T12:00:00Z" })).every((one) => one.eligible),
    ).toBe(true);
  });

  test("pages follow each other in sync's order", async () => {
    const personId = await person();
    for (const priority of [10, 90, 50, 50, 70]) await send(personId, { priority });
    const all = (await explain(personId)).map((one) => one.delivery_id);
    expect(all).toEqual(await sync(personId));
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await it.call("GET", `/api/v1/people/${personId}/in-app?limit=2${query}`);
      expect(body.data.length).toBeLessThanOrEqual(2);
      found.push(...body.data.map((one: Explanation) => one.delivery_id));
      cursor = body.next_cursor;
    }
    expect(found).toEqual(all);
  });

  test("any time, zone and wrong parameter is answered, never with a 500", async () => {
    const personId = await person();
    await send(personId, { quiet_hours: { timezone_mode: "device", start: "00:00", end: "23:59" } });
    for (const at of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z"]) {
      for (const timezone of ["America/New_York", "Pacific/Apia", "x"]) {
        expect(await explain(personId, { at, timezone })).toHaveLength(1);
      }
    }
    const path = `/api/v1/people/${personId}/in-app`;
    const [empty, none] = [await it.call("GET", `${path}?tz_offset_minutes=`), await it.call("GET", path)];
    expect([empty.status, empty.body.data]).toEqual([200, none.body.data]);
    const sync = `/data-gateway/v1/in-app/messages/sync?person_id=${personId}&tz_offset_minutes=`;
    expect((await it.call("GET", sync, { key: it.publicKey })).status).toBe(200);
    for (const query of [
      "at=yesterday",
      "at=%2B275760-09-13T00:00:00Z",
      "limit=0",
      "cursor=x",
      "tz_offset_minutes=9999",
    ]) {
      const answer = await it.call("GET", `/api/v1/people/${personId}/in-app?${query}`);
      expect(answer, query).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    }
  });
});
