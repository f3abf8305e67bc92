import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wallOf } from "../platform/time/wall-clock.ts";
import { type Bucket, boundsOf, MOST_BUCKETS } from "./buckets.ts";

const bounds = (from: string, to: string, bucket: Bucket, zone: string) =>
  boundsOf(new Date(from), new Date(to), bucket, zone)?.map((bound) => bound.toISOString());
const hours = (list: string[] | undefined) =>
  list?.slice(1).map((end, i) => (Date.parse(end) - Date.parse(list[i] as string)) / 3_600_000);

describe("days", () => {
  test("go from midnight to midnight of the zone, and the first and the last are full days", () => {
    expect(bounds("2026-01-10T12:00:00Z", "2026-01-11T06:00:00Z", "day", "Asia/Kathmandu")).toEqual([
      "2026-01-09T18:15:00.000Z",
      "2026-01-10T18:15:00.000Z",
      "2026-01-11T18:15:00.000Z",
    ]);
  });

  test("end before a range that ends at midnight", () => {
    expect(bounds("2026-01-10T00:00:00Z", "2026-01-12T00:00:00Z", "day", "UTC")).toHaveLength(3);
    expect(bounds("2026-01-10T00:00:00Z", "2026-01-12T00:00:00.001Z", "day", "UTC")).toHaveLength(4);
  });

  test.each([
    ["Europe/Berlin", "2026-03-28T12:00:00Z", [24, 23, 24]],
    ["Europe/Berlin", "2026-10-24T12:00:00Z", [24, 25, 24]],
    ["America/New_York", "2026-11-01T02:00:00Z", [24, 25, 24]],
    ["Australia/Lord_Howe", "2026-04-04T00:00:00Z", [24, 24.5, 24]],
    // Clocks there skip midnight, or go back from it to 23:00.
    ["Africa/Cairo", "2026-04-23T00:00:00Z", [24, 23, 24]],
    ["America/Santiago", "2026-04-04T12:00:00Z", [25, 24, 24]],
    // All of the 30th of December was skipped.
    ["Pacific/Apia", "2011-12-29T01:00:00Z", [24, 24, 24]],
  ])("are as long as the clocks of %s make them around %s", (zone, from, lengths) => {
    const to = new Date(Date.parse(from) + 50 * 3_600_000).toISOString();
    expect(hours(bounds(from, to, "day", zone))?.slice(0, 3)).toEqual(lengths);
  });
});

describe("hours", () => {
  test("are those of the wall clock, also with an offset of half an hour", () => {
    expect(bounds("2026-01-10T12:00:00Z", "2026-01-10T13:00:00Z", "hour", "Asia/Kolkata")).toEqual([
      "2026-01-10T11:30:00.000Z",
      "2026-01-10T12:30:00.000Z",
      "2026-01-10T13:30:00.000Z",
    ]);
  });

  test("are 25 on a day of 25 hours", () => {
    expect(bounds("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", "hour", "Europe/Berlin")).toHaveLength(26);
  });

  test("one is shorter where the clocks change by half an hour", () => {
    expect(hours(bounds("2026-10-03T14:30:00Z", "2026-10-03T17:00:00Z", "hour", "Australia/Lord_Howe"))).toEqual([
      1, 0.5, 1,
    ]);
  });
});

test("a range has at most MOST_BUCKETS", () => {
  const end = (n: number) => new Date(Date.parse("2026-01-01T00:00:00Z") + n * 3_600_000).toISOString();
  expect(bounds("2026-01-01T00:00:00Z", end(MOST_BUCKETS), "hour", "UTC")).toHaveLength(MOST_BUCKETS + 1);
  expect(bounds("2026-01-01T00:00:00Z", end(MOST_BUCKETS + 1), "hour", "UTC")).toBeUndefined();
  expect(bounds("2000-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "day", "UTC")).toBeUndefined();
});

const zones = fc.constantFrom(
  "UTC",
  "Europe/Berlin",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "America/Havana",
  "Africa/Casablanca",
  "Asia/Pyongyang",
);
const instants = fc.integer({ min: 946_684_800, max: 2_000_000_000 }).map((second) => new Date(second * 1_000));

test("the buckets of any range are contiguous, contain all of it, and start at midnight or at a change of the clocks", () => {
  fc.assert(
    fc.property(
      instants,
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom("hour", "day"),
      zones,
      (from, n, bucket, zone) => {
        const to = new Date(from.getTime() + n * (bucket === "day" ? 86_400_000 : 3_600_000));
        const list = boundsOf(from, to, bucket, zone) as Date[];
        expect(list[0]?.getTime()).toBeLessThanOrEqual(from.getTime());
        expect(list[1]?.getTime()).toBeGreaterThan(from.getTime());
        expect(list.at(-1)?.getTime()).toBeGreaterThanOrEqual(to.getTime());
        expect(list.at(-2)?.getTime()).toBeLessThan(to.getTime());
        list.forEach((bound, i) => {
          expect(bound.getTime() % 900_000).toBe(0);
          const before = list[i - 1];
          if (before === undefined) return;
          expect(bound.getTime()).toBeGreaterThan(before.getTime());
          if (bucket === "hour") return;
          // The first minute of its day: a minute before, the clocks show another date.
          const date = (at: number) => wallOf(new Date(at), zone).toISOString().slice(0, 10);
          expect(date(bound.getTime() - 60_000)).not.toBe(date(bound.getTime()));
        });
      },
    ),
    { numRuns: 200 },
  );
});
