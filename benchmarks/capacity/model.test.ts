import fc from "fast-check";
import { expect, test } from "vitest";
import { CORES_OF_A_PROCESS, capacityOf, loadOf, operationsOf } from "./model.ts";
import { planFrom } from "./plan.ts";
import { stepsFor } from "./steps.ts";

const planned = (...args: string[]) => capacityOf(planFrom(args));
/** Which of the four steps a plan needs. */
const needed = (...args: string[]) => stepsFor(planned(...args)).map((step) => step.needed);

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
      for (const key of ["rows", "bytes", "log", "installations"] as const)
        expect(more?.[key]).toBeGreaterThanOrEqual(less?.[key] ?? Number.NaN);
      for (const key of ["cores", "shards"] as const)
        expect(more?.cluster[key]).toBeGreaterThanOrEqual(less?.cluster[key] ?? Number.NaN);
    }),
  );
});

test("checkpoints that are further apart write fewer images of pages, down to none", () => {
  const log = (intervals: number) => loadOf({ impression: 1_000_000 }, 1e9, intervals).log;
  expect(log(10)).toBeGreaterThan(log(2));
  expect(loadOf({ impression: 1_000_000 }, 0, 1).log).toBeLessThan(log(1));
});

test("images of pages take CPU of PostgreSQL, too", () => {
  const database = (stored: number) => loadOf({ impression: 1_000_000 }, stored, 1).database;
  expect(database(1e9)).toBeGreaterThan(database(0));
});

test("the processes of all installations carry the busiest hour", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), fc.integer({ min: 1, max: 24 }), (deliveries, peak) => {
      const { installations, processes, serverCores } = planned(
        ...["--deliveries-per-day", String(deliveries), "--peak", String(peak)],
      );
      expect(installations * processes * CORES_OF_A_PROCESS).toBeGreaterThanOrEqual(serverCores.peak * 0.999);
    }),
  );
});

// The numbers of docs/capacity.md.
test.each([
  [["9e6"], [false, false, false, false]],
  [["1e7"], [true, false, false, false]],
  [["2e7"], [true, false, false, false]],
  [["2.1e7"], [true, true, false, false]],
  [
    ["2e7", "--channels", "email=1", "--peak", "6"],
    [true, false, false, false],
  ],
  [
    ["2e7", "--channels", "email=1", "--peak", "7"],
    [true, false, true, false],
  ],
  [
    ["2e7", "--channels", "email=1", "--peak", "24"],
    [true, false, true, false],
  ],
])("%j deliveries a day need the steps %j", ([deliveries = "", ...others], steps) => {
  expect(needed("--deliveries-per-day", deliveries, ...others)).toEqual(steps);
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
