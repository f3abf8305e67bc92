import { Temporal } from "temporal-polyfill";

// A wall time is a Date whose UTC fields are the local ones. The polyfill takes the zones from Node's ICU, the only source of zones: see
// zones.ts.

const inZone = (date: Date, zone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone).toPlainDateTime();
const shownIn = (wall: Temporal.PlainDateTime, zone: string): Date =>
  new Date(wall.toZonedDateTime(zone).epochMilliseconds);

/** Returns the wall time, to the millisecond, of an instant of the years 1 to 9999 in a zone that isZone() accepted. */
export const wallOf = (instant: Date, zone: string): Date => shownIn(inZone(instant, zone), "UTC");

/**
 * Returns the instant at which the clocks of a zone show this wall time. If they show it twice (they are set back), it is the first
 * instant. If they skip it (they are set forward), it is later by the skipped time. Both follow RFC 5545 3.3.5 (iCalendar).
 */
export const instantOfWall = (wall: Date, zone: string): Date => shownIn(inZone(wall, "UTC"), zone);
