import { weekdays } from "@tidings/contract/hours";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wallOf } from "./wall-clock.ts";
import { windowAt, zoneOf } from "./window.ts";

const zones = fc.constantFrom("UTC", "Europe/Zurich", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe");
const instants = fc.date({
  min: new Date("2020-01-01T00:00:00Z"),
  max: new Date("2030-01-01T00:00:00Z"),
  noInvalidDate: true,
});
const two = (value: number) => String(value).padStart(2, "0");
const times = fc.integer({ min: 0, max: 1439 }).map((minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`);
const days = fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 });
const windows = fc.record({ from: times, to: times, days });

describe("a window", () => {
  test("opens now or later, within nine days, and is open when it opens", () => {
    fc.assert(
      fc.property(windows, instants, zones, (window, now, zone) => {
        const opens = windowAt(window, now, zone);
        expect(opens.getTime()).toBeGreaterThanOrEqual(now.getTime());
        expect(opens.getTime() - now.getTime()).toBeLessThan(9 * 86_400_000);
        expect(windowAt(window, opens, zone)).toEqual(opens);
      }),
    );
  });

  test("that is open on the clocks of the zone makes nobody wait, and one that is closed does", () => {
    const steady = fc.constantFrom("UTC", "Asia/Kathmandu", "Asia/Tokyo");
    fc.assert(
      fc.property(windows, instants, steady, (window, now, zone) => {
        const { from, to, days: on } = window;
        fc.pre(from < to);
        const wall = wallOf(now, zone);
        const time = wall.toISOString().slice(11, 16);
        const today = weekdays[(wall.getUTCDay() + 6) % 7] as (typeof weekdays)[number];
        const isOpen = time >= from && time < to && on.includes(today);
        expect(windowAt(window, now, zone).getTime() === now.getTime()).toBe(isOpen);
      }),
    );
  });

  test.each([
    // A Friday evening waits for Monday at nine, over the night on which the clocks go forward.
    ["2026-03-27T18:00:00Z", { from: "09:00", to: "17:00", days: ["mon"] as const }, "2026-03-30T07:00:00.000Z"],
    // The night that began on Friday is open on Saturday at one.
    ["2026-03-28T00:30:00Z", { from: "22:00", to: "06:00", days: ["fri"] as const }, "2026-03-28T00:30:00.000Z"],
    ["2026-03-28T05:30:00Z", { from: "22:00", to: "06:00", days: ["fri"] as const }, "2026-04-03T20:00:00.000Z"],
    ["2026-03-28T05:30:00Z", { from: "08:00", to: "08:00", days: ["sat"] as const }, "2026-03-28T07:00:00.000Z"],
    ["2026-03-28T05:30:00Z", { days: ["sun"] as const }, "2026-03-28T23:00:00.000Z"],
  ])("at %s in Zurich, %j opens at %s", (now, { days: on, ...window }, opens) => {
    expect(windowAt({ ...window, days: [...on] }, new Date(now), "Europe/Zurich").toISOString()).toBe(opens);
  });
});

test("a zone that is none is passed over", () => {
  expect(zoneOf("Mars/Olympus", null, "Asia/Tokyo")).toBe("Asia/Tokyo");
  expect(zoneOf(null, "x")).toBe("UTC");
});
