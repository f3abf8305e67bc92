import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceOf, intervalOf, rateOf, verdictOf } from "./rates.ts";

// The published examples of Newcombe (1998): single proportions, and their difference.
test.each([
  [{ count: 81, of: 263 }, [0.2553, 0.3662]],
  [{ count: 15, of: 148 }, [0.0624, 0.1605]],
  [{ count: 0, of: 20 }, [0, 0.1611]],
  [{ count: 1, of: 29 }, [0.0061, 0.1718]],
])("of %o the interval is %j", (part, expected) => {
  expect(intervalOf(part).map((end) => Number(end.toFixed(4)))).toEqual(expected);
});

test.each([
  [{ count: 56, of: 70 }, { count: 48, of: 80 }, [0.0524, 0.3339]],
  [{ count: 9, of: 10 }, { count: 3, of: 10 }, [0.1705, 0.809]],
  [{ count: 10, of: 10 }, { count: 0, of: 20 }, [0.6791, 1]],
])("between %o and %o the difference is within %j", (one, other, expected) => {
  expect(differenceOf(one, other).map((end) => Number(end.toFixed(4)))).toEqual(expected);
});

const part = fc
  .integer({ min: 1, max: 100_000 })
  .chain((of) => fc.record({ of: fc.constant(of), count: fc.integer({ min: 0, max: of }) }));

test("an interval contains its rate, lies between 0 and 1, and narrows with more people", () => {
  fc.assert(
    fc.property(part, (one) => {
      const [low, high] = intervalOf(one);
      const [finer, finerHigh] = intervalOf({ of: one.of * 4, count: one.count * 4 });
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(rateOf(one));
      expect(high).toBeGreaterThanOrEqual(rateOf(one));
      expect(finerHigh - finer).toBeLessThan(high - low);
    }),
  );
});

test("two groups are called higher and lower, or neither, whichever is named first", () => {
  const opposite = { higher: "lower", lower: "higher", noDifference: "noDifference", notEnough: "notEnough" };
  fc.assert(fc.property(part, part, (one, other) => verdictOf(other, one) === opposite[verdictOf(one, other)]));
});

test.each([
  [{ of: 99, count: 90 }, { of: 5_000, count: 10 }, "notEnough"],
  [{ of: 1_000, count: 10 }, { of: 1_000, count: 9 }, "notEnough"],
  [{ of: 1_000, count: 60 }, { of: 1_000, count: 55 }, "noDifference"],
  [{ of: 1_000, count: 90 }, { of: 1_000, count: 55 }, "higher"],
  [{ of: 0, count: 0 }, { of: 0, count: 0 }, "notEnough"],
])("%o against %o is %s", (one, other, verdict) => {
  expect(verdictOf(one, other)).toBe(verdict);
});
