import { expect, test } from "vitest";
import { countOf, offeredFor } from "./many.ts";

const zero = { entered: 0, waiting: 0, passed: 0, failed: 0, exited: 0 };
const counts = {
  runs: { entered: 20, active: 9, completed: 8, exited: 0, failed: 3, canceled: 0 },
  steps: { hello: { ...zero, entered: 9, waiting: 7, failed: 2 } },
};

test("all runs at a step can be moved, skipped and ended, and the number is that of those who wait there", () => {
  expect(offeredFor({ step: "hello" })).toEqual(["move", "skip", "end"]);
  expect(countOf({ step: "hello" }, counts)).toBe(7);
  expect(countOf({ step: "gone" }, counts)).toBe(0);
});

test("without a step all active runs can be moved or ended, and failed ones tried again", () => {
  expect([offeredFor({ status: "active" }), countOf({ status: "active" }, counts)]).toEqual([["move", "end"], 9]);
  expect([offeredFor({ status: "failed" }), countOf({ status: "failed" }, counts)]).toEqual([["retry"], 3]);
});

test("where no number says how many runs there are, or nothing can be done, nothing is offered", () => {
  for (const filters of [
    {},
    { status: "completed" },
    { step: "hello", state: "failed" },
    { step: "hello", person: "ada" },
  ] as const)
    expect(offeredFor(filters)).toEqual([]);
  expect(offeredFor({ step: "hello", status: "failed" })).toEqual([]);
});
