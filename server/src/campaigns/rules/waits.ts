import type { StepOf } from "@tidings/contract/campaigns/steps";
import { instantOfWall, wallOf } from "../../platform/time/wall-clock.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import { durationMs } from "../../platform/time/duration.ts";

// Computes when a wait is over. A length of time stays the same in a night in which the clocks change. Days before or after a date are
// calendar days, so "3 days before" a date at 09:00 is also at 09:00.

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
