import fc from "fast-check";
import { expect, test } from "vitest";
import { lengthOf, minuteOf, partsOf, timeOf } from "./hours.ts";

const minute = fc.integer({ min: 0, max: 1_439 });

test("a time of day is read as it is written", () => {
  fc.assert(
    fc.property(minute, (at) => {
      expect(minuteOf(timeOf(at))).toBe(at);
    }),
  );
  expect([minuteOf("24:00"), minuteOf(""), timeOf(-15), timeOf(1_440)]).toEqual([
    undefined,
    undefined,
    "23:45",
    "00:00",
  ]);
});

test("a window over midnight has two parts, and the parts have its length", () => {
  expect(partsOf(1_320, 480)).toEqual([
    [0, 480],
    [1_320, 1_440],
  ]);
  expect(partsOf(1_320, 0)).toEqual([[1_320, 1_440]]);
  fc.assert(
    fc.property(minute, minute, (start, end) => {
      const sum = partsOf(start, end).reduce((all, [from, to]) => all + to - from, 0);
      expect(sum).toBe(lengthOf(start, end));
    }),
  );
});
