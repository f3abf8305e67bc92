/** A part of some people: so many of so many. */
export interface Part {
  of: number;
  count: number;
}
export type Interval = readonly [low: number, high: number];

/** The normal distribution's 97.5 % quantile: intervals of 95 %. */
const Z = 1.959_963_985;

export const rateOf = ({ of, count }: Part): number => (of > 0 ? count / of : 0);

/** Returns the rate's 95 % interval by Wilson's score method, which also holds for few people and for rates near 0. */
export function intervalOf({ of, count }: Part): Interval {
  if (of <= 0) return [0, 1];
  const rate = count / of;
  const scale = 1 + Z ** 2 / of;
  const middle = (rate + Z ** 2 / (2 * of)) / scale;
  const half = (Z / scale) * Math.sqrt((rate * (1 - rate)) / of + Z ** 2 / (4 * of ** 2));
  // At the ends the sum is 0 or 1 but for the last digits.
  return [count === 0 ? 0 : Math.max(0, middle - half), count === of ? 1 : Math.min(1, middle + half)];
}

/** Returns the 95 % interval of a rate less another one, by Newcombe's hybrid score method, as for the goals of campaigns. */
export function differenceOf(one: Part, other: Part): Interval {
  const [a, b] = [rateOf(one), rateOf(other)];
  const [low, high] = intervalOf(one);
  const [otherLow, otherHigh] = intervalOf(other);
  const difference = a - b;
  return [difference - Math.hypot(a - low, otherHigh - b), difference + Math.hypot(high - a, b - otherLow)];
}

export type RateVerdict = "notEnough" | "noDifference" | "higher" | "lower";

/** With fewer people, one more or less changes the verdict. The service has these limits for the goals of campaigns, too. */
const LEAST_PEOPLE = 100;
const LEAST_COUNTED = 20;

/** Says whether a rate differs from another one; nothing where it is too early to say. */
export function verdictOf(one: Part, other: Part): RateVerdict {
  if (Math.min(one.of, other.of) < LEAST_PEOPLE || one.count + other.count < LEAST_COUNTED) return "notEnough";
  const [low, high] = differenceOf(one, other);
  if (low > 0) return "higher";
  return high < 0 ? "lower" : "noDifference";
}
