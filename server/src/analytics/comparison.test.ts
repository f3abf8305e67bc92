import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, type Group, wilson } from "./comparison.ts";

const group = (reached: number, people: number): Group => ({ people, reached });
const rounded = (interval: number[] | null) => interval?.map((bound) => Number(bound.toFixed(4)));

describe("the comparison of two rates", () => {
  // R. G. Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17 (1998), table II, method 10.
  test.each([
    [group(56, 70), group(48, 80), [0.0524, 0.3339]],
    [group(9, 10), group(3, 10), [0.1705, 0.809]],
    [group(6, 7), group(2, 7), [0.0582, 0.8062]],
    [group(5, 56), group(0, 29), [-0.0381, 0.1926]],
    [group(0, 10), group(0, 20), [-0.1611, 0.2775]],
    [group(0, 10), group(0, 10), [-0.2775, 0.2775]],
    [group(10, 10), group(0, 20), [0.6791, 1]],
    [group(10, 10), group(0, 10), [0.6075, 1]],
  ])("of %j and %j has the published interval", (one, other, interval) => {
    expect(rounded(compare(one, other).interval)).toEqual(interval);
  });

  // The same author, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("rests on the published interval of one rate, %i of %i", (reached, people, low, high) => {
    expect(rounded(wilson(group(reached, people)))).toEqual([low, high]);
  });

  test("has a verdict only with enough people and conversions, and a direction only if the interval leaves 0 out", () => {
    const verdict = (a: Group, b: Group) => {
      const { enough, verdict: said } = compare(a, b);
      expect(enough).toBe(said !== "not_enough_yet");
      return said;
    };
    expect(verdict(group(50, 99), group(5, 1_000))).toBe("not_enough_yet");
    expect(verdict(group(50, 1_000), group(5, 99))).toBe("not_enough_yet");
    expect(verdict(group(15, 1_000), group(4, 1_000))).toBe("not_enough_yet");
    expect(verdict(group(100, 1_000), group(60, 1_000))).toBe("higher");
    expect(verdict(group(60, 1_000), group(100, 1_000))).toBe("lower");
    expect(verdict(group(100, 1_000), group(95, 1_000))).toBe("no_clear_difference");
    expect(compare(group(0, 0), group(1, 10))).toEqual({
      difference: null,
      interval: null,
      enough: false,
      verdict: "not_enough_yet",
    });
  });

  const groups = fc
    .tuple(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([people, rate]) => group(Math.round(people * rate), people));

  test("is the same from both sides, holds the difference, and gets narrower with more people", () => {
    fc.assert(
      fc.property(groups, groups, (a, b) => {
        const [one, other] = [compare(a, b), compare(b, a)];
        const [low, high] = one.interval as [number, number];
        expect(low).toBeLessThanOrEqual((one.difference ?? 0) + 1e-12);
        expect(high).toBeGreaterThanOrEqual((one.difference ?? 0) - 1e-12);
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
        expect(other.interval?.[0]).toBeCloseTo(-high, 10);
        expect(other.interval?.[1]).toBeCloseTo(-low, 10);
        const more = ({ people, reached }: Group) => group(4 * reached, 4 * people);
        const [narrowLow, narrowHigh] = compare(more(a), more(b)).interval as [number, number];
        expect(narrowHigh - narrowLow).toBeLessThan(high - low);
      }),
    );
  });
});
