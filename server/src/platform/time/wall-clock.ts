import { Temporal } from "temporal-polyfill";

// Wall clocks. A wall time is a Date whose UTC fields are the local ones. Zones come from Node's ICU alone, which the polyfill asks, see
// zones.ts.

const inZone = (date: Date, zone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone).toPlainDateTime();
const shownIn = (wall: Temporal.PlainDateTime, zone: string): Date =>
  new Date(wall.toZonedDateTime(zone).epochMilliseconds);

/** What the clocks of a zone that isZone() accepted show at an instant of the years 1 to 9999, to the millisecond. */
export const wallOf = (instant: Date, zone: string): Date => shownIn(inZone(instant, zone), "UTC");

/**
 * The instant at which the clocks of a zone show this wall time. Where they show it twice (they are set back), the first;
 * where they skip it (they are set forward), as much later as they skip. RFC 5545 3.3.5 (iCalendar) says so.
 */
export const instantOfWall = (wall: Date, zone: string): Date => shownIn(inZone(wall, "UTC"), zone);
