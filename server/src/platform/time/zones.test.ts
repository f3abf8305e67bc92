import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isZone, minuteOfDay } from "./zones.ts";

describe("time zones", () => {
  test.each(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kathmandu"])(
    "%s is a time zone",
    (zone) => {
      expect(isZone(zone)).toBe(true);
    },
  );
  test.each(["", "Mars/Olympus", "+02:00", "../etc/passwd", "x".repeat(100)])("%j is not a time zone", (zone) => {
    expect(isZone(zone)).toBe(false);
  });

  test("the wall clock follows summer time in the night in which it begins", () => {
    expect(minuteOfDay(new Date("2026-03-29T00:59:00Z"), "Europe/Berlin")).toBe(1 * 60 + 59);
    expect(minuteOfDay(new Date("2026-03-29T01:00:00Z"), "Europe/Berlin")).toBe(3 * 60);
  });

  test("a zone has one formatter, however its name is written", () => {
    const made = vi.spyOn(Intl, "DateTimeFormat");
    onTestFinished(() => made.mockRestore());
    for (const zone of ["Pacific/Auckland", "pacific/auckland", "PACIFIC/Auckland"]) {
      expect(isZone(zone)).toBe(true);
      expect(minuteOfDay(new Date("2026-01-01T00:00:00Z"), zone)).toBe(13 * 60);
    }
    // None, where an earlier test file of this process has asked for the zone.
    expect(made.mock.calls.length).toBeLessThanOrEqual(1);
  });

  test("midnight is minute 0, also in a zone with an offset of 45 minutes", () => {
    expect(minuteOfDay(new Date("2026-01-01T18:15:00Z"), "Asia/Kathmandu")).toBe(0);
    expect(minuteOfDay(new Date("2026-01-01T00:00:00Z"), "UTC")).toBe(0);
  });
});
