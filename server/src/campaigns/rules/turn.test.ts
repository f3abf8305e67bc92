import { journeyOf, type JourneyNode } from "@tidings/contract/campaigns/journey";
import { type Step, stepShapes } from "@tidings/contract/campaigns/steps";
import { weekdays } from "@tidings/contract/hours";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type StepFacts, type RunAtStep, SECOND_LOOK_MS, type Turn, turn } from "./turn.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);
const start: RunAtStep = { steppedAt: NOW, trigger: {}, person: {}, zone: "Europe/Zurich" };

/** Returns the node of a step that another step follows. */
function nodeOf(step: object): JourneyNode {
  const journey = journeyOf([{ id: "a", ...step } as Step, { id: "behind", type: "exit" }]);
  return journey.nodes.get("a") as JourneyNode;
}
const at = (step: object, facts: StepFacts = {}, ms = 0, run: Partial<RunAtStep> = {}): Turn =>
  turn(nodeOf(step), { ...start, ...run }, facts, { now: later(ms), clock: later(ms) });

const go = (to: string | null, way: string | null = null, failed: string | null = null) => ({
  kind: "go",
  to,
  way,
  failed,
});
const wait = (ms: number, fixed = false, event: string | null = null) => ({
  kind: "wait",
  until: later(ms),
  fixed,
  event,
});

describe("a run at a step", () => {
  test("leaves when exit_when holds, whatever the step is", () => {
    for (const type of Object.keys(stepShapes))
      expect(at({ type }, { exits: true })).toEqual({
        kind: "end",
        status: "exited",
        reason: "exit_when",
        failed: null,
      });
  });

  test("waits for a length of time", () => {
    const step = { type: "wait", for: { amount: 2, unit: "hours" } };
    expect(at(step)).toEqual(wait(7_200_000));
    expect(at(step, {}, 7_199_999)).toEqual(wait(7_200_000));
    expect(at(step, {}, 7_200_000)).toEqual(go("behind"));
  });

  test("waits for a date of the cause or of the person, and goes on with a reason where there is none", () => {
    const date = later(60_000).toISOString();
    const offset = { amount: 30, unit: "seconds", direction: "before" };
    expect(at({ type: "wait", until: "trigger.at", offset }, {}, 0, { trigger: { at: date } })).toEqual(
      wait(30_000, true),
    );
    const person = { "plan.renews_at": date, plan: { renews_at: "x", until: date } };
    expect(at({ type: "wait", until: "person.plan.renews_at" }, {}, 0, { person })).toEqual(wait(60_000, true));
    expect(at({ type: "wait", until: "person.plan.until" }, {}, 60_000, { person })).toEqual(go("behind"));
    expect(at({ type: "wait", until: "person.plan.none" }, {}, 0, { person })).toEqual(go("behind", null, "no_date"));
  });

  test("waits until an event with a second look, and takes one of two ways on", () => {
    const step = {
      type: "wait_until",
      event: "paid",
      timeout: { amount: 1, unit: "hours" },
      then: [{ id: "yes", type: "exit" }],
    };
    expect(at(step)).toEqual(wait(SECOND_LOOK_MS, false, "paid"));
    expect(at(step, {}, SECOND_LOOK_MS)).toEqual(wait(3_600_000, false, "paid"));
    expect(at(step, { event: {} }, 3_600_000)).toEqual(go("yes", "then"));
    expect(at(step, {}, 3_600_000)).toEqual(go("behind", "else"));
    expect(at({ ...step, timeout: { amount: 1, unit: "seconds" } })).toEqual(wait(1_000, false, "paid"));
  });

  test("takes the way that a branch or a split says", () => {
    const branch = { type: "branch", then: [], else: [{ id: "no", type: "exit" }] };
    expect(at(branch, { holds: true })).toEqual(go("behind", "then"));
    expect(at(branch, { holds: false })).toEqual(go("no", "else"));
    const split = { type: "split", arms: [{ name: "A", weight: 1, steps: [{ id: "arm", type: "exit" }] }] };
    expect(at(split, { arm: "A" })).toEqual(go("arm", "A"));
    expect(at(split, { arm: "gone" })).toEqual(go("behind", "gone"));
  });

  test("notes what failed, and goes on or exits as the step says", () => {
    const step = { type: "update", attributes: { plan: "pro" } };
    expect(at(step)).toEqual({ kind: "effect" });
    expect(at(step, { outcome: {} })).toEqual(go("behind"));
    expect(at(step, { outcome: { failed: "no_address" } })).toEqual(go("behind", null, "no_address"));
    expect(at({ ...step, on_failure: "exit" }, { outcome: { failed: "no_address" } })).toEqual({
      kind: "end",
      status: "exited",
      reason: "step_failed",
      failed: "no_address",
    });
  });

  test("gathers until the window is over or the batch is full, and ends where another run gathers", () => {
    const step = { type: "batch", window: { amount: 1, unit: "hours" }, max: 3 };
    const leads = (count: number) => ({ batch: { leader: null, count } });
    expect(at(step, leads(2))).toEqual(wait(3_600_000));
    expect(at(step, leads(3))).toEqual({ kind: "effect" });
    expect(at(step, leads(2), 3_600_000)).toEqual({ kind: "effect" });
    expect(at(step, { ...leads(3), outcome: {} })).toEqual(go("behind"));
    const end = { kind: "end", status: "completed", reason: "batched", failed: null, detail: { run_id: "run_1" } };
    expect(at(step, { batch: { leader: "run_1", count: 3 } })).toEqual(end);
  });

  test("waits for its call without a time, and continues or fails with what came of it", () => {
    const step = { type: "webhook" };
    const waits = { kind: "wait", until: null, fixed: false, event: null };
    expect(at(step)).toEqual({ kind: "effect" });
    expect(at(step, { outcome: { waits: true } })).toEqual(waits);
    expect(at(step, { calling: true })).toEqual(waits);
    expect(at(step, { outcome: {} })).toEqual(go("behind"));
    expect(at(step, { outcome: { failed: "webhook_failed" } })).toEqual(go("behind", null, "webhook_failed"));
    expect(at({ ...step, on_failure: "exit" }, { outcome: { failed: "webhook_failed" } })).toMatchObject({
      kind: "end",
    });
  });

  test("is held back by a throttle, or leaves", () => {
    const roomAt = later(5_000);
    expect(at({ type: "throttle" }, { roomAt: null })).toEqual(go("behind"));
    expect(at({ type: "throttle", otherwise: "wait" }, { roomAt })).toEqual(wait(5_000));
    expect(at({ type: "throttle" }, { roomAt })).toMatchObject({ kind: "end", reason: "throttled" });
  });
});

test("a wait is always for a time to come, and is over then", () => {
  const spans = fc.record({
    amount: fc.integer({ min: 1, max: 1_000 }),
    unit: fc.constantFrom("seconds", "minutes", "days"),
  });
  const time = fc.constantFrom("00:00", "02:30", "09:00", "23:59");
  const steps = fc.oneof(
    fc.record({ type: fc.constant("wait"), for: spans }),
    fc.record({ type: fc.constant("wait"), until: fc.constant("trigger.at"), offset: spans }),
    fc.record({ type: fc.constant("wait_until"), event: fc.constant("e"), timeout: spans }),
    fc.record({
      type: fc.constant("wait_window"),
      from: time,
      to: time,
      days: fc.constantFrom([...weekdays], ["sun"]),
    }),
  );
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 0, max: 400 * 86_400_000 }),
      fc.integer({ min: 0, max: 400 }),
      (step, ms, day) => {
        const run = { trigger: { at: later(day * 86_400_000).toISOString() } };
        let next = at(step, {}, ms, run);
        // An event has two looks, and each of the others one.
        for (let looks = 0; next.kind === "wait"; looks++) {
          expect(looks).toBeLessThan(3);
          const reached = (next.until?.getTime() ?? 0) - NOW.getTime();
          expect(reached).toBeGreaterThan(ms);
          next = at(step, {}, reached, run);
          ms = reached;
        }
        expect(next).toMatchObject({ kind: "go", failed: null });
      },
    ),
  );
});
