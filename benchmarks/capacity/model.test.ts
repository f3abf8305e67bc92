import fc from "fast-check";
import { expect, test } from "vitest";
import { capacityOf, loadOf, operationsOf } from "./model.ts";
import { planFrom } from "./plan.ts";
import { stepsFor } from "./steps.ts";

const neededSteps = (...args: string[]) => {
  return stepsFor(capacityOf(planFrom(args))).filter(({ needed }) => needed).length;
};

test("the deliveries of the channels are all deliveries of a day", () => {
  const day = operationsOf(
    planFrom(["--deliveries-per-day", "1000000", "--channels", "in_app=0.5,email=0.3,push=0.1,sms=0.1"]),
  );
  expect((day.queued ?? 0) + (day.email ?? 0) + (day.text ?? 0)).toBeCloseTo(1_000_000);
});

test("each in-app delivery ends once: dismissed, or expired", () => {
  const day = operationsOf(planFrom(["--channels", "in_app=1", "--dismissed", "0.2"]));
  expect((day.dismissal ?? 0) + (day.expiry ?? 0)).toBeCloseTo(day.queued ?? Number.NaN);
});

test("more deliveries never need less of anything", () => {
  const amount = fc.integer({ min: 1, max: 1_000_000_000 });
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((n) =>
        capacityOf(planFrom(["--deliveries-per-day", String(n)])),
      );
      for (const key of ["rows", "bytes", "log", "processes", "shards"] as const)
        expect(more?.[key]).toBeGreaterThanOrEqual(less?.[key] ?? Number.NaN);
    }),
  );
});

test("checkpoints that are further apart write fewer images of pages, down to none", () => {
  const log = (intervals: number) => loadOf({ impression: 1_000_000 }, 1e9, intervals).log;
  expect(log(10)).toBeGreaterThan(log(2));
  expect(loadOf({ impression: 1_000_000 }, 0, 1).log).toBeLessThan(log(1));
});

test("a small installation needs one process on one machine, and a large one needs each step", () => {
  expect(neededSteps("--deliveries-per-day", "100000")).toBe(0);
  expect(neededSteps("--deliveries-per-day", "1e9")).toBe(4);
});

test.each([
  [["--deliveries-per-day", "many"], "--deliveries-per-day must be a number"],
  [["--channels", "in_app=0.5"], "must be 1 together"],
  [["--channels", "fax=1"], "must be shares of in_app, email, push, sms"],
  [["--seen", "1.5"], "--seen must be a number from 0 to 1"],
  [["--what", "1"], "--what"],
])("%j is refused, and the error says what to write", (args, said) => {
  expect(() => planFrom(args)).toThrow(said);
});
