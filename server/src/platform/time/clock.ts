/** The source of the time. Rules take `now` as an argument, so a test can choose any time of day. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * Reads an RFC 3339 instant in the years 0001 to 9999. Returns undefined for other text. `Date.parse` alone would accept "1" and the
 * year 275760, which PostgreSQL or JSON then refuse.
 */
export function parseInstant(text: string): Date | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (!match || match[1] === "0000") return undefined;
  const date = new Date(text.toUpperCase());
  if (Number.isNaN(date.getTime())) return undefined;
  // Date.parse turns 30 February into a day of March, so the day is compared with the text.
  const day = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
  return day.getUTCDate() === Number(match[3]) && date.getUTCFullYear() <= 9999 ? date : undefined;
}
