import { expect, test } from "vitest";
import { smsParts } from "./sms-parts.ts";

test.each([
  ["", 0, 1, 160],
  ["a".repeat(160), 160, 1, 0],
  ["a".repeat(161), 161, 2, 145],
  ["a".repeat(307), 307, 3, 152],
  ["€".repeat(80), 160, 1, 0],
  ["Grüße", 5, 1, 155],
  ["ç".repeat(70), 70, 1, 0],
  ["ç".repeat(71), 71, 2, 63],
  ["😀", 2, 1, 68],
])("%j has %i characters in %i parts, and %i more fit", (text, characters, parts, left) => {
  expect(smsParts(text)).toMatchObject({ characters, parts, left });
});

test("the character that halves a part is named", () => {
  expect(smsParts("Dzień dobry").wide).toBe("ń");
  expect(smsParts("Good day {}").wide).toBeUndefined();
});
