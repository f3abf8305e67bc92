import { type StepOf, type Weekday, weekdays } from "@tidings/contract/campaigns/steps";
import { instantOfWall, wallOf } from "../../platform/time/wall-clock.ts";
import { isZone } from "../../platform/time/zones.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import { spanMs } from "./span.ts";

// When a wait is over. A length of time is as long on the night on which the clocks change; days before or after a date are days of the
// calendar, so that "3 days before" a date at 09:00 is 09:00, too.

const DAY_MS = 86_400_000;

/** The first of these that is a time zone; UTC where none is. */
export const zoneOf = (...zones: (string | null)[]): string =>
  zones.find((zone) => zone !== null && isZone(zone)) ?? "UTC";

/** The latest instant that a run can wait for. PostgreSQL and JavaScript both know it. */
const LATEST = Date.parse("9999-12-31T00:00:00Z");

/**
 * The instant that a value names, moved by an offset; undefined for what is no date. A date without a time is its midnight in the
 * person's zone.
 */
export function dateOf(value: unknown, offset: StepOf<"wait">["offset"], zone: string): Date | undefined {
  if (typeof value !== "string") return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const read = parseInstant(isDay ? `${value}T00:00:00Z` : value);
  if (!read) return undefined;
  const at = isDay ? instantOfWall(read, zone) : read;
  const moved = offset ? movedBy(at, offset, zone) : at.getTime();
  return new Date(Math.min(Math.max(moved, 0), LATEST));
}

function movedBy(at: Date, offset: NonNullable<StepOf<"wait">["offset"]>, zone: string): number {
  const ms = spanMs(offset) * (offset.direction === "before" ? -1 : 1);
  if (offset.unit !== "days") return at.getTime() + ms;
  const wall = wallOf(at, zone).getTime() + ms;
  return wall < 0 || wall > LATEST ? wall : instantOfWall(new Date(wall), zone).getTime();
}

/** Minutes after midnight. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The day of the week of a wall time; the list begins with Monday. */
const weekdayOf = (wall: number): Weekday => weekdays[(new Date(wall).getUTCDay() + 6) % 7] as Weekday;

/**
 * When a window in a zone is open: `now` if it is open now, otherwise when it opens next. A window that ends before it begins ends on the
 * next day, and belongs to the day on which it begins; one that ends when it begins is open all day.
 */
export function windowAt(window: Omit<StepOf<"wait_window">, "id" | "type">, now: Date, zone: string): Date {
  const from = minutesOf(window.from ?? "00:00");
  const to = window.to === undefined ? 24 * 60 : minutesOf(window.to);
  const length = to > from ? to - from : to - from + 24 * 60;
  const days = window.days ?? weekdays;
  const midnight = Math.floor(wallOf(now, zone).getTime() / DAY_MS) * DAY_MS;
  // The window of yesterday may be open still. Some day of the next eight has one that the clocks do not skip.
  for (let day = -1; day <= 8; day++) {
    const start = midnight + day * DAY_MS;
    if (!days.includes(weekdayOf(start))) continue;
    const opens = instantOfWall(new Date(start + from * 60_000), zone);
    const closes = instantOfWall(new Date(start + (from + length) * 60_000), zone);
    if (now < closes) return now < opens ? opens : now;
  }
  return now;
}
