import type { Within } from "@tidings/contract/audience/audiences";
import { durationMs } from "../../platform/time/duration.ts";

const SHAPE =
  /^(?!0000)(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/;

/**
 * Returns the instant of an ISO 8601 time with a zone, or midnight in UTC of a date; undefined for everything else. `instant_of` in
 * 0009-audiences.sql returns the same, to the millisecond.
 */
export function instantOf(value: unknown): Date | undefined {
  const match = typeof value === "string" ? SHAPE.exec(value) : null;
  if (!match) return undefined;
  const [text, year, month, day] = match;
  const last = new Date(0);
  last.setUTCFullYear(Number(year), Number(month), 0);
  if (Number(day) > last.getUTCDate()) return undefined;
  // V8 cuts fractions to milliseconds. The SQL function does the same.
  return new Date(text.length === 10 ? `${text}T00:00:00Z` : text);
}

/**
 * Returns the day two days before (or after) an instant, as text. No time after (or before) the instant sorts before (or after) this
 * text, whatever its offset: a time begins with its day.
 */
export function dayFrom(at: Date, days: 2 | -2): string {
  const day = new Date(at.getTime() + durationMs({ amount: days, unit: "days" }));
  return day.getUTCFullYear() > 9999 ? "9999-99" : day.toISOString().slice(0, 10);
}

/** Returns the instant a length of time earlier. */
export const before = (now: Date, length: Within): Date => new Date(now.getTime() - durationMs(length));
