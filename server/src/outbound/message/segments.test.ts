import fc from "fast-check";
import { expect, test } from "vitest";
import { segmentsOf } from "./segments.ts";

test.each([
  ["", 1, "gsm7"],
  ["a".repeat(160), 1, "gsm7"],
  ["a".repeat(161), 2, "gsm7"],
  ["a".repeat(306), 2, "gsm7"],
  ["a".repeat(307), 3, "gsm7"],
  ["€".repeat(80), 1, "gsm7"],
  ["€".repeat(81), 2, "gsm7"],
  [`${"a".repeat(152)}€${"a".repeat(152)}`, 3, "gsm7"],
  ["ж".repeat(70), 1, "ucs2"],
  ["ж".repeat(71), 2, "ucs2"],
  ["😀".repeat(35), 1, "ucs2"],
  ["😀".repeat(36), 2, "ucs2"],
  ["😀".repeat(67), 3, "ucs2"],
] as const)("%j weighs %i", (text, segments, encoding) => {
  expect(segmentsOf(text)).toEqual({ encoding, segments });
});

test("a longer text never has fewer segments", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, more) => {
      expect(segmentsOf(text + more).segments).toBeGreaterThanOrEqual(segmentsOf(text).segments);
    }),
  );
});
