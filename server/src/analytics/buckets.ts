import { instantOfWall, wallOf } from "../platform/time/wall-clock.ts";

// Computes the hours and days of a time zone. The offsets of this century are full quarters of an hour, so every bound is between
// two of the quarters that are counted. For that reason no query may begin before EARLIEST.

export type Bucket = "hour" | "day";

/** The most buckets of one answer: 40 days by the hour, or almost three years by the day. */
export const MOST_BUCKETS = 1_000;
/** Before this instant, the offsets of some zones had seconds. */
export const EARLIEST = new Date("2000-01-01T00:00:00.000Z");

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Returns the bounds of all buckets that overlap [from, to). Each bound is the end of one bucket and the start of the next. A day is
 * from midnight to midnight, so it has 23 or 25 hours when the clocks change; an hour that the clocks show twice is two buckets.
 * Returns undefined for more than MOST_BUCKETS.
 */
export function boundsOf(from: Date, to: Date, bucket: Bucket, zone: string): Date[] | undefined {
  // A longer range certainly has too many buckets, so it is not computed: a day has at most 25 hours.
  if (to.getTime() - from.getTime() > (MOST_BUCKETS + 1) * (bucket === "day" ? DAY + HOUR : HOUR)) return undefined;
  const following = bucket === "day" ? nextDay : nextHour;
  const bounds = [bucket === "day" ? startOfDay(from, zone) : startOfHour(from, zone)];
  for (let last = bounds[0] as Date; last < to; bounds.push(last)) {
    if (bounds.length > MOST_BUCKETS) return undefined;
    last = following(last, zone);
  }
  // If clocks were set back across the start, the start may have come twice, and `from` may be after the second time.
  while (bounds[1] && bounds[1] <= from) bounds.shift();
  return bounds;
}

const midnight = (wall: Date): Date => new Date(Math.floor(wall.getTime() / DAY) * DAY);

const startOfDay = (instant: Date, zone: string): Date => instantOfWall(midnight(wallOf(instant, zone)), zone);

function nextDay(start: Date, zone: string): Date {
  const usual = new Date(start.getTime() + DAY);
  // On most days this one conversion is enough; the general way below takes two more.
  if (wallOf(usual, zone).getTime() % DAY === 0) return usual;
  // Where clocks skip midnight the day starts later. 36 hours later it is always the next day.
  const next = instantOfWall(midnight(wallOf(new Date(start.getTime() + 36 * HOUR), zone)), zone);
  return next > start ? next : usual;
}

const pastHour = (instant: Date, zone: string): number => wallOf(instant, zone).getTime() % HOUR;

const startOfHour = (instant: Date, zone: string): Date => new Date(instant.getTime() - pastHour(instant, zone));

/** Returns the next full hour of the wall clock. Where clocks change by half an hour (Lord Howe), one bucket is shorter. */
const nextHour = (start: Date, zone: string): Date => new Date(start.getTime() + HOUR - pastHour(start, zone));
