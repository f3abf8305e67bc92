const HOUR_MS = 3_600_000;
/** The clocks that are furthest ahead, and furthest behind. */
const FIRST_HOURS = 14;
const LAST_HOURS = -12;

/** Returns when the first and the last clocks on earth show a time, as "2026-03-01T14:05". */
export function spanOf(local: string): { first: string; last: string } {
  const shown = Date.parse(`${local}Z`);
  const at = (hours: number) => new Date(shown - hours * HOUR_MS).toISOString();
  return { first: at(FIRST_HOURS), last: at(LAST_HOURS) };
}
