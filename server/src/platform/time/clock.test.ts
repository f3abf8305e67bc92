import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseInstant } from "./clock.ts";

describe("instants", () => {
  test("every instant of the years 1 to 9999 is read as it was written", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
        (date) => {
          expect(parseInstant(date.toISOString())).toEqual(date);
        },
      ),
    );
  });

  test.each([
    "2024-02-29T00:00:00Z",
    "2026-03-01t00:00:00z",
    "2026-03-01T00:00:00.123456+05:30",
    "2026-03-01T23:59:59-11:00",
  ])("%s is an instant", (text) => {
    expect(parseInstant(text)).toBeInstanceOf(Date);
  });

  test.each([
    "",
    "1",
    "2026-03-01",
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-03-01T24:30:00Z",
    "2026-03-01T00:00:00",
    "+275760-09-13T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "2026-03-01T00:00:00+99:00",
  ])("%j is not an instant", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
