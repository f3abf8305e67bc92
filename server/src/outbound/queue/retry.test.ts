import fc from "fast-check";
import { expect, test } from "vitest";
import { WAITS, waitAfter } from "./retry.ts";

test("the waits are 5 s, 30 s, 2 min, 10 min, 1 h, 4 h and 12 h, then it is over", () => {
  expect(WAITS.map((ms) => ms / 1_000)).toEqual([5, 30, 120, 600, 3_600, 14_400, 43_200]);
  for (let attempt = 1; attempt <= 7; attempt++) expect(waitAfter(attempt, 0.5)).toBe(WAITS[attempt - 1]);
  expect(waitAfter(8, 0.5)).toBeUndefined();
});

test("a wait is spread by 20 % at the most, and never shorter than the provider asked for", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.nat(10 ** 8),
      (attempt, random, afterMs) => {
        const plain = WAITS[attempt - 1] as number;
        const wait = waitAfter(attempt, random) as number;
        expect(wait).toBeGreaterThanOrEqual(plain * 0.8 - 1);
        expect(wait).toBeLessThanOrEqual(plain * 1.2 + 1);
        expect(waitAfter(attempt, random, afterMs)).toBe(Math.max(wait, afterMs));
      },
    ),
  );
});
