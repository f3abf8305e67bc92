import type { ComparisonVerdict } from "@tidings/contract/facts/comparison";

// Compares the rates of two groups that chance alone divided: people who got a message and people who were held out, or two variants. The
// functions are pure.

/** A group, and how many of its people did what is counted. */
export interface Group {
  people: number;
  reached: number;
}

export interface Comparison {
  /** Null where a group is empty. */
  difference: number | null;
  /** The bounds of its 95 % confidence interval. */
  interval: [number, number] | null;
  enough: boolean;
  verdict: ComparisonVerdict;
}

/** The quantile of the normal distribution for 95 %, two-sided. */
const Z = 1.959963984540054;
/** Below this, one person changes a rate by more than a percentage point. */
const LEAST_PEOPLE = 100;
/** Below this in both groups together, the difference of the rates is mostly chance. */
const LEAST_REACHED = 20;

export const rateOf = ({ people, reached }: Group): number | null => (people === 0 ? null : reached / people);

/** Returns the Wilson score interval of a group's rate. Unlike the normal approximation it is right for few people and rates near 0 or 1. */
export function wilson({ people: n, reached }: Group): [number, number] {
  const p = reached / n;
  const middle = p + (Z * Z) / (2 * n);
  const spread = Z * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n));
  const scale = 1 + (Z * Z) / n;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

/**
 * Returns the difference of two rates with its interval by Newcombe's hybrid score method (Statistics in Medicine 17, 1998, method 10). There is a
 * verdict only if both groups have enough people, and it names a direction only if the interval does not include 0.
 */
export function compare(group: Group, other: Group): Comparison {
  const [rate, otherRate] = [rateOf(group), rateOf(other)];
  if (rate === null || otherRate === null)
    return { difference: null, interval: null, enough: false, verdict: "not_enough_yet" };
  const difference = rate - otherRate;
  const [low, high] = wilson(group);
  const [otherLow, otherHigh] = wilson(other);
  const interval: [number, number] = [
    Math.max(-1, difference - Math.hypot(rate - low, otherHigh - otherRate)),
    Math.min(1, difference + Math.hypot(high - rate, otherRate - otherLow)),
  ];
  const enough = Math.min(group.people, other.people) >= LEAST_PEOPLE && group.reached + other.reached >= LEAST_REACHED;
  return { difference, interval, enough, verdict: enough ? direction(interval) : "not_enough_yet" };
}

function direction([low, high]: [number, number]): ComparisonVerdict {
  if (low > 0) return "higher";
  return high < 0 ? "lower" : "no_clear_difference";
}
