/** A day of the calendar, such as `2026-03-01`. */
export type Day = string;

const DAY_MS = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns what clocks show in a zone, as if it were UTC. */
function wallOf(at: number, zone: string): number {
  let clock = clocks.get(zone);
  if (!clock) {
    const numbers = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
    clock = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", ...numbers, second: "2-digit" });
    clocks.set(zone, clock);
  }
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns the day that it is in a zone. */
export const dayOf = (at: number, zone: string): Day => new Date(wallOf(at, zone)).toISOString().slice(0, 10);

export const plusDays = (day: Day, n: number): Day => new Date(Date.parse(day) + n * DAY_MS).toISOString().slice(0, 10);

/** Returns how many days there are from one to another, with both. */
export const daysFrom = (first: Day, last: Day): number => (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(Date.parse(text)).toJSON()?.startsWith(text) === true;

/** Returns the instant at which clocks of a zone show this hour of a day. */
function instantOf(day: Day, hour: number, zone: string): number {
  const wall = Date.parse(day) + hour * 3_600_000;
  const about = wall - (wallOf(wall, zone) - wall);
  return wall - (wallOf(about, zone) - about);
}

/** Returns the beginning of a day. Where clocks skip midnight it may be an hour before it. */
export const startOf = (day: Day, zone: string): number => instantOf(day, 0, zone);

/** Returns the middle of a day, which no change of the clocks moves to another one: the service finds the day that it is in. */
export const noonOf = (day: Day, zone: string): string => new Date(instantOf(day, 12, zone)).toISOString();
