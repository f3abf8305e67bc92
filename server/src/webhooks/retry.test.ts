import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newSecret, signed } from "../platform/standard-webhooks.ts";
import { mustDisable, outcomeOf, WAITS } from "./retry.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const HOUR = 3_600_000;

test("the waits last over a day, and each is spread by at most a fifth", () => {
  expect(WAITS.reduce((sum, wait) => sum + wait)).toBeGreaterThan(24 * HOUR);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: WAITS.length }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (n, random) => {
        const outcome = outcomeOf({ status: 500 }, n, random, NOW);
        const wait = WAITS[n - 1] as number;
        if (outcome.kind !== "retry" || outcome.waitMs === undefined) throw new Error("no wait");
        expect(outcome.waitMs / wait).toBeGreaterThanOrEqual(0.799);
        expect(outcome.waitMs / wait).toBeLessThanOrEqual(1.201);
      },
    ),
  );
  expect(outcomeOf({ status: 500 }, WAITS.length + 1, 0, NOW)).toEqual({ kind: "retry", waitMs: undefined, restMs: 0 });
});

test("2xx is delivered, 410 is gone, and all other statuses are tried again", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
      const kind = status >= 200 && status < 300 ? "delivered" : status === 410 ? "gone" : "retry";
      expect(outcomeOf({ status }, 1, 0.5, NOW).kind).toBe(kind);
    }),
  );
  expect(outcomeOf({}, 1, 0.5, NOW).kind).toBe("retry");
});

test.each([
  ["120", 120_000],
  [" 120 ", 120_000],
  ["Sun, 01 Mar 2026 12:10:00 GMT", 600_000],
  ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
  ["99999999", HOUR],
  ["Fri, 01 Jan 2100 00:00:00 GMT", HOUR],
  ["-5", 0],
  ["soon", 0],
  ["", 0],
])("Retry-After: %j is a rest of %i ms, after 429 and 503 only", (retryAfter, restMs) => {
  for (const status of [429, 503]) expect(outcomeOf({ status, retryAfter }, 1, 0, NOW)).toMatchObject({ restMs });
  expect(outcomeOf({ status: 500, retryAfter }, 1, 0, NOW)).toMatchObject({ restMs: 0 });
});

test("no Retry-After makes a wait shorter than the documented one or longer than an hour more", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: WAITS.length }), (retryAfter, n) => {
      const outcome = outcomeOf({ status: 503, retryAfter }, n, 0, NOW);
      if (outcome.kind !== "retry" || outcome.waitMs === undefined) throw new Error("no wait");
      expect(outcome.waitMs).toBeGreaterThanOrEqual(0.79 * (WAITS[n - 1] as number));
      expect(outcome.restMs).toBeLessThanOrEqual(HOUR);
    }),
  );
});

test("an endpoint is disabled after five days of failures", () => {
  const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR);
  expect([null, ago(119.9), ago(120)].map((since) => mustDisable(since, NOW))).toEqual([false, false, true]);
});

test("for any body, the receivers' library accepts each secret that signs and no other", () => {
  fc.assert(
    fc.property(fc.string(), (body) => {
      const [one, two, other] = [newSecret(), newSecret(), newSecret()];
      const headers = signed("act_1", body, [one, two], new Date());
      const check = (secret: string, text = body) => {
        try {
          new Webhook(secret).verify(text, headers, { jsonParse: false });
          return true;
        } catch {
          return false;
        }
      };
      expect([check(one), check(two), check(other), check(one, `${body} `)]).toEqual([true, true, false, false]);
    }),
    { numRuns: 30 },
  );
});
