import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor.ts";

test("a cursor gives back the key that it was made of", () => {
  const instants = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(instants, fc.uuid(), fc.maxSafeNat(), (instant, uuid, number) => {
      const key = [instant.toISOString(), uuid, String(number)];
      expect(decodeCursor(encodeCursor(key), "instant", "uuid", "whole")).toEqual(key);
    }),
  );
});

test.each([
  ["integer", "2147483647", "2147483648"],
  ["whole", "9223372036854775807", "9223372036854775808"],
] as const)("of kind %s the largest number is %s", (kind, largest, more) => {
  expect(decodeCursor(encodeCursor([largest]), kind)).toEqual([largest]);
  expect(() => decodeCursor(encodeCursor([more]), kind)).toThrow("is not a cursor of this list");
});
