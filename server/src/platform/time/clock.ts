/** One of the two seams: rules take `now`, so that a test can choose the night it wants. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * An RFC 3339 instant within the years 0001 to 9999, or undefined. `Date.parse` alone takes "1" and year 275760,
 * which PostgreSQL or JSON then refuse.
 */
export function parseInstant(text: string): Date | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (!match || match[1] === "0000") return undefined;
  const date = new Date(text.toUpperCase());
  if (Number.isNaN(date.getTime())) return undefined;
  // Date.parse rolls 30 February over to March: the day must survive the round trip.
  const day = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
  return day.getUTCDate() === Number(match[3]) && date.getUTCFullYear() <= 9999 ? date : undefined;
}
