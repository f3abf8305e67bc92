import { type Day, dayOf, daysFrom, noonOf, plusDays, startOf } from "./dates.ts";
import type { AnalyticsSearch } from "../search.ts";

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const LENGTHS = { "7d": 7, "30d": 30, "90d": 90, "12m": 365 } as const;
/** A custom period of so many days is shown by the hour. */
const DAYS_BY_HOUR = 2;

/** What the service is asked for. */
export interface Range {
  from: string;
  to: string;
}

/** The period that is shown and the one of the same length before it. */
export interface Period {
  bucket: "hour" | "day";
  now: Range;
  before: Range;
  /** The first and last day, for a period of days. */
  days: { first: Day; last: Day; firstBefore: Day; lastBefore: Day } | undefined;
}

const iso = (at: number) => new Date(at).toISOString();

/** Returns the period that the address names, in the workspace's zone. `at` is rounded, so that drawing the page again asks the same. */
export function periodOf({ period = "30d", from, to }: AnalyticsSearch, zone: string, at: number): Period {
  if (period === "24h") {
    const end = (Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS;
    const begin = end - 23 * HOUR_MS;
    return {
      bucket: "hour",
      now: { from: iso(begin), to: iso(end) },
      before: { from: iso(begin - 24 * HOUR_MS), to: iso(end - 24 * HOUR_MS) },
      days: undefined,
    };
  }
  const today = dayOf(at, zone);
  const last = period === "custom" ? (to ?? today) : today;
  const first =
    period === "custom" ? (from ?? plusDays(last, 1 - LENGTHS["30d"])) : plusDays(last, 1 - LENGTHS[period]);
  return daysOf(first, last, zone);
}

function daysOf(first: Day, last: Day, zone: string): Period {
  const count = daysFrom(first, last);
  const [firstBefore, lastBefore] = [plusDays(first, -count), plusDays(first, -1)];
  const byHour = count <= DAYS_BY_HOUR;
  const range = (one: Day, other: Day): Range =>
    byHour
      ? { from: iso(startOf(one, zone)), to: iso(startOf(plusDays(other, 1), zone)) }
      : { from: noonOf(one, zone), to: noonOf(other, zone) };
  return {
    bucket: byHour ? "hour" : "day",
    now: range(first, last),
    before: range(firstBefore, lastBefore),
    days: { first, last, firstBefore, lastBefore },
  };
}

/**
 * Returns the range to compare with: of the period before, as much as has passed of this one. Otherwise each morning would look worse than
 * the day before. `shown` and `before` are the ranges that the service answered.
 */
export function sameLength(shown: Range, before: Range, at: number): Range {
  const left = Date.parse(shown.to) - at;
  if (left <= 0) return before;
  const end = Math.ceil((Date.parse(before.to) - left) / QUARTER_MS) * QUARTER_MS;
  return { from: before.from, to: iso(Math.max(end, Date.parse(before.from) + QUARTER_MS)) };
}
