import { expect, test } from "vitest";
import { callersOf, lastCall } from "./callers.ts";

test("somebody is here for a second after a request", () => {
  let time = 5;
  const callers = callersOf(lastCall(), () => time);
  expect(callers.areHere()).toBe(false);
  callers.arrived();
  time += 999;
  expect(callers.areHere()).toBe(true);
  time += 1;
  expect(callers.areHere()).toBe(false);
});
