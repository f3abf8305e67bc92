import { expect, test } from "vitest";
import { waitAfter } from "../../platform/outbound-http/index.ts";
import { WAITS } from "./retry.ts";

test("the waits are 5 s, 30 s, 2 min, 10 min, 1 h, 4 h and 12 h, then it is over", () => {
  expect(WAITS.map((ms) => ms / 1_000)).toEqual([5, 30, 120, 600, 3_600, 14_400, 43_200]);
  for (let attempt = 1; attempt <= 7; attempt++) expect(waitAfter(WAITS, attempt, 0.5)).toBe(WAITS[attempt - 1]);
  expect(waitAfter(WAITS, 8, 0.5)).toBeUndefined();
});
