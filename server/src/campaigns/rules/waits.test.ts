import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wallOf } from "../../platform/time/wall-clock.ts";
import { dateOf } from "./waits.ts";

const zones = fc.constantFrom("UTC", "Europe/Zurich", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe");
const instants = fc.date({
  min: new Date("2020-01-01T00:00:00Z"),
  max: new Date("2030-01-01T00:00:00Z"),
  noInvalidDate: true,
});

describe("a date", () => {
  test.each([
    ["2026-03-29", undefined, "2026-03-28T23:00:00.000Z"],
    ["2026-03-29T12:00:00+02:00", undefined, "2026-03-29T10:00:00.000Z"],
    ["2026-03-30T09:00:00+02:00", { amount: 2, unit: "days", direction: "before" }, "2026-03-28T08:00:00.000Z"],
    ["2026-03-30T09:00:00+02:00", { amount: 48, unit: "hours", direction: "before" }, "2026-03-28T07:00:00.000Z"],
    ["2026-03-28T09:00:00+01:00", { amount: 1, unit: "days" }, "2026-03-29T07:00:00.000Z"],
    ["9999-12-31T00:00:00Z", { amount: 100_000, unit: "days" }, "9999-12-31T00:00:00.000Z"],
    ["0001-01-01", { amount: 100_000, unit: "days", direction: "before" }, "1970-01-01T00:00:00.000Z"],
  ] as const)("%s with %j is %s", (value, offset, at) => {
    expect(dateOf(value, offset, "Europe/Zurich")?.toISOString()).toBe(at);
  });

  test.each([undefined, null, 7, "", "tomorrow", "2026-02-30", {}])("%j is none", (value) => {
    expect(dateOf(value, undefined, "UTC")).toBeUndefined();
  });

  test("moved by days shows the same time of day, and by hours is that many hours later", () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 1, max: 500 }), zones, (at, amount, zone) => {
        const hours = dateOf(at.toISOString(), { amount, unit: "hours" }, zone);
        expect(hours?.getTime()).toBe(at.getTime() + amount * 3_600_000);
        const moved = dateOf(at.toISOString(), { amount, unit: "days", direction: "after" }, zone);
        const expected = wallOf(at, zone).getTime() + amount * 86_400_000;
        const skipped = wallOf(moved as Date, zone).getTime() - expected;
        expect([0, 1_800_000, 3_600_000]).toContain(skipped);
      }),
    );
  });
});
