import { instantOfWall, wallOf } from "../platform/time/wall-clock.ts";

// Hours and days as the clocks of a zone show them. Offsets of this century are whole quarters of an hour, so every bound stands
// between two of the quarters that are counted; that is why nothing before it can be asked for.

export type Bucket = "hour" | "day";

/** Buckets of one answer: a day of 25 hours in 40 lines of a table, or almost three years of days. */
export const MOST_BUCKETS = 1_000;
/** Before it, offsets of some zones had seconds. */
export const EARLIEST = new Date("2000-01-01T00:00:00.000Z");

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The bounds of all buckets that hold something of [from, to): one more than there are buckets, each the end of one and the start of
 * the next. A day is from midnight to midnight, so one of 23 or 25 hours where the clocks are set; an hour that they show twice is
 * two. Undefined where there are more than MOST_BUCKETS.
 */
export function boundsOf(from: Date, to: Date, bucket: Bucket, zone: string): Date[] | undefined {
  // A day has at least 23 hours, and no range is looked at further than it may be answered.
  if (to.getTime() - from.getTime() > (MOST_BUCKETS + 1) * (bucket === "day" ? DAY + HOUR : HOUR)) return undefined;
  const following = bucket === "day" ? nextDay : nextHour;
  const bounds = [bucket === "day" ? startOfDay(from, zone) : startOfHour(from, zone)];
  for (let last = bounds[0] as Date; last < to; bounds.push(last)) {
    if (bounds.length > MOST_BUCKETS) return undefined;
    last = following(last, zone);
  }
  // Where clocks were set back across the start, it may have come twice, and `from` lies behind the second.
  while (bounds[1] && bounds[1] <= from) bounds.shift();
  return bounds;
}

const midnight = (wall: Date): Date => new Date(Math.floor(wall.getTime() / DAY) * DAY);

const startOfDay = (instant: Date, zone: string): Date => instantOfWall(midnight(wallOf(instant, zone)), zone);

function nextDay(start: Date, zone: string): Date {
  const usual = new Date(start.getTime() + DAY);
  // On most days this one look at the clocks is enough, and what stands below takes two more.
  if (wallOf(usual, zone).getTime() % DAY === 0) return usual;
  // Where clocks skip midnight the day starts later, and 36 hours later it is the next one in any case.
  const next = instantOfWall(midnight(wallOf(new Date(start.getTime() + 36 * HOUR), zone)), zone);
  return next > start ? next : usual;
}

const pastHour = (instant: Date, zone: string): number => wallOf(instant, zone).getTime() % HOUR;

const startOfHour = (instant: Date, zone: string): Date => new Date(instant.getTime() - pastHour(instant, zone));

/** To the next full hour of the wall clock: where the clocks are set by half an hour (Lord Howe), one bucket is shorter. */
const nextHour = (start: Date, zone: string): Date => new Date(start.getTime() + HOUR - pastHour(start, zone));
