import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantOfWall, wallOf } from "./wall-clock.ts";

const at = (zone: string, wall: string) => instantOfWall(new Date(`${wall}Z`), zone).toISOString();
const zones = fc.constantFrom(
  "UTC",
  "Europe/Zurich",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Africa/Casablanca",
);
const minutes = fc.integer({ min: 0, max: 60 * 24 * 365 * 60 }).map((minute) => new Date(minute * 60_000));

describe("wall clocks", () => {
  test("a wall time becomes the right instant in winter and in summer", () => {
    expect(at("Europe/Zurich", "2026-01-10T09:00:00.000")).toBe("2026-01-10T08:00:00.000Z");
    expect(at("Europe/Zurich", "2026-07-10T09:00:00.000")).toBe("2026-07-10T07:00:00.000Z");
    expect(at("Pacific/Kiritimati", "2026-07-10T09:00:00.250")).toBe("2026-07-09T19:00:00.250Z");
  });

  test("a wall time that the clocks skip becomes later by the skipped time", () => {
    expect(at("Europe/Zurich", "2026-03-29T02:30:00.000")).toBe("2026-03-29T01:30:00.000Z");
    expect(at("America/New_York", "2026-03-08T02:30:00.000")).toBe("2026-03-08T07:30:00.000Z");
  });

  test("a wall time that the clocks show twice becomes the first of the two instants", () => {
    expect(at("Europe/Zurich", "2026-10-25T02:30:00.000")).toBe("2026-10-25T00:30:00.000Z");
  });

  test("the wall time of an instant leads back to the instant, or to the first of the two that show it", () => {
    fc.assert(
      fc.property(minutes, zones, (instant, zone) => {
        const wall = wallOf(instant, zone);
        const back = instantOfWall(wall, zone);
        expect(back.getTime()).toBeLessThanOrEqual(instant.getTime());
        expect(wallOf(back, zone)).toEqual(wall);
      }),
      { numRuns: 300 },
    );
  });
});
