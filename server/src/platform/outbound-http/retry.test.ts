import fc from "fast-check";
import { expect, test } from "vitest";
import { restOf, retryAfterMs, waitAfter } from "./retry.ts";

const WAITS = [5_000, 60_000, 43_200_000];
const NOW = new Date("2026-03-01T12:00:00Z");

test("a wait is spread by 20 % at the most, and never shorter than the receiver asked for", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.nat(10 ** 8),
      (attempt, random, afterMs) => {
        const plain = WAITS[attempt - 1] as number;
        const wait = waitAfter(WAITS, attempt, random) as number;
        expect(wait).toBeGreaterThanOrEqual(plain * 0.8 - 1);
        expect(wait).toBeLessThanOrEqual(plain * 1.2 + 1);
        expect(waitAfter(WAITS, attempt, random, afterMs)).toBe(Math.max(wait, afterMs));
      },
    ),
  );
});

test("Retry-After is read as seconds or as a date, and only a 429 or 503 asks for a rest, of an hour at most", () => {
  expect(
    ["120", " 120 ", "Sun, 01 Mar 2026 12:10:00 GMT", "Sun, 01 Mar 2026 11:00:00 GMT"].map((text) =>
      retryAfterMs(text, NOW),
    ),
  ).toEqual([120_000, 120_000, 600_000, 0]);
  for (const text of [undefined, "", "soon"]) expect(retryAfterMs(text, NOW)).toBeUndefined();
  expect([429, 503, 500, 200, null, undefined].map((status) => restOf(status, "60", NOW))).toEqual([
    60_000, 60_000, 0, 0, 0, 0,
  ]);
  expect(restOf(429, "86400", NOW)).toBe(3_600_000);
});
