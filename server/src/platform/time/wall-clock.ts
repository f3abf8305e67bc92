import { LRUCache } from "lru-cache";

// Wall clocks. Zones come from Node's ICU alone, see zones.ts. A wall time is a Date whose UTC fields are the local ones.

const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 600 });
const DAY = 86_400_000;

function formatter(zone: string): Intl.DateTimeFormat {
  let made = formatters.get(zone);
  if (!made) {
    const two = "2-digit";
    const date = { era: "short", year: "numeric", month: two, day: two } as const;
    made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      ...date,
      hour: two,
      minute: two,
      second: two,
      hourCycle: "h23",
    });
    formatters.set(zone, made);
  }
  return made;
}

/** What the clocks of a zone that isZone() accepted show at an instant of the years 1 to 9999, to the millisecond. */
export function wallOf(instant: Date, zone: string): Date {
  const part = Object.fromEntries(
    formatter(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const wall = new Date(0);
  const year = part.era === "BC" ? 1 - Number(part.year) : Number(part.year);
  wall.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
  wall.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second));
  return new Date(wall.getTime() + (((instant.getTime() % 1_000) + 1_000) % 1_000));
}

/**
 * The instant at which the clocks of a zone show this wall time. Where they show it twice (they are set back), the first;
 * where they skip it (they are set forward), as much later as they skip: what iCalendar (RFC 5545 3.3.5) and Temporal do.
 */
export function instantOfWall(wall: Date, zone: string): Date {
  const offset = (around: number) => wallOf(new Date(around), zone).getTime() - around;
  const time = wall.getTime();
  const [before, behind] = [time - offset(time - DAY), time - offset(time + DAY)];
  const shown = [before, behind].filter((instant) => instant + offset(instant) === time);
  return new Date(shown.length === 0 ? before : Math.min(...shown));
}
