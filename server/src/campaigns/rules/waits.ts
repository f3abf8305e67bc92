import { type StepOf, type Weekday, weekdays } from "@tidings/contract/campaigns/steps";
import { instantOfWall, wallOf } from "../../platform/time/wall-clock.ts";
import { isZone } from "../../platform/time/zones.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import { durationMs } from "../../platform/time/duration.ts";

// Computes when a wait is over. A length of time stays the same in a night in which the clocks change. Days before or after a date are
// calendar days, so "3 days before" a date at 09:00 is also at 09:00.

const DAY_MS = 86_400_000;

/** Returns the first valid time zone of these, or UTC. */
export const zoneOf = (...zones: (string | null)[]): string =>
  zones.find((zone) => zone !== null && isZone(zone)) ?? "UTC";

/** The latest instant that a run can wait for. Both PostgreSQL and JavaScript can represent it. */
const LATEST = Date.parse("9999-12-31T00:00:00Z");

/**
 * Returns the instant of a date or time, moved by an offset; undefined where the value is neither. A date without a time means midnight in
 * the person's zone.
 */
export function dateOf(value: unknown, offset: StepOf<"wait">["offset"], zone: string): Date | undefined {
  if (typeof value !== "string") return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const read = parseInstant(isDay ? `${value}T00:00:00Z` : value);
  if (!read) return undefined;
  const at = isDay ? instantOfWall(read, zone) : read;
  const shifted = offset ? shiftedBy(at, offset, zone) : at.getTime();
  return new Date(Math.min(Math.max(shifted, 0), LATEST));
}

function shiftedBy(at: Date, offset: NonNullable<StepOf<"wait">["offset"]>, zone: string): number {
  const ms = durationMs(offset) * (offset.direction === "before" ? -1 : 1);
  if (offset.unit !== "days") return at.getTime() + ms;
  const wall = wallOf(at, zone).getTime() + ms;
  return wall < 0 || wall > LATEST ? wall : instantOfWall(new Date(wall), zone).getTime();
}

/** Returns the minutes after midnight. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns the day of the week of a wall time. The list of weekdays begins with Monday. */
const weekdayOf = (wall: number): Weekday => weekdays[(new Date(wall).getUTCDay() + 6) % 7] as Weekday;

/**
 * Returns `now` if a window is open in a zone, otherwise the time of its next opening. A window that ends before it begins ends on the next
 * day, and belongs to the day on which it begins. A window that ends when it begins is open all day.
 */
export function windowAt(window: Omit<StepOf<"wait_window">, "id" | "type">, now: Date, zone: string): Date {
  const from = minutesOf(window.from ?? "00:00");
  const to = window.to === undefined ? 24 * 60 : minutesOf(window.to);
  const length = to > from ? to - from : to - from + 24 * 60;
  const days = window.days ?? weekdays;
  const midnight = Math.floor(wallOf(now, zone).getTime() / DAY_MS) * DAY_MS;
  // Yesterday's window may still be open. One of the next eight days has a window that no clock change skips.
  for (let day = -1; day <= 8; day++) {
    const start = midnight + day * DAY_MS;
    if (!days.includes(weekdayOf(start))) continue;
    const opens = instantOfWall(new Date(start + from * 60_000), zone);
    const closes = instantOfWall(new Date(start + (from + length) * 60_000), zone);
    if (now < closes) return now < opens ? opens : now;
  }
  return now;
}
