import fc from "fast-check";
import { expect, test } from "vitest";
import { admission, FAULTS_IN_A_ROW, type Fault, type Health, healthAfter, LONGEST_REST, WELL } from "./breaker.ts";

const provider: Fault = { cause: "provider" };
const credentials: Fault = { cause: "credentials" };
const after = (faults: (Fault | undefined)[], health = WELL, now = 0) =>
  faults.reduce((state, fault) => healthAfter(state, fault, false, now), health);

test("a provider rests after consecutive faults, and any answer about a message resets their count", () => {
  const four = Array.from({ length: FAULTS_IN_A_ROW - 1 }, () => provider);
  expect(admission(after(four), 0)).toBe("go");
  expect(admission(after([...four, undefined, ...four]), 0)).toBe("go");
  expect(admission(after([...four, provider]), 0)).toBe(5_000);
});

test("after wrong credentials or a Retry-After a provider rests at once", () => {
  expect(admission(after([credentials]), 0)).toBe(60_000);
  expect(admission(after([{ ...provider, afterMs: 700 }]), 0)).toBe(700);
  expect(admission(after([{ ...provider, afterMs: 10 ** 9 }]), 0)).toBe(LONGEST_REST);
});

test("after the rest one probe begins; its answer makes the provider well, its fault makes the next rest longer", () => {
  let state = after([credentials]);
  expect(admission(state, 59_999)).toBe(1);
  expect(admission(state, 60_000)).toBe("probe");
  expect(admission({ ...state, probing: true }, 60_000)).toBeTypeOf("number");
  expect(healthAfter({ ...state, probing: true }, undefined, true, 60_000)).toEqual(WELL);
  const rests: number[] = [];
  for (let now = 60_000; rests.length < 4; ) {
    state = healthAfter({ ...state, probing: true }, credentials, true, now);
    rests.push((state.until as number) - now);
    now = state.until as number;
  }
  expect(rests).toEqual([300_000, 900_000, 900_000, 900_000]);
});

test("an answer to a hand-off from before the rest decides nothing", () => {
  const resting = after([credentials]);
  expect(after([undefined, provider, credentials], resting)).toBe(resting);
});

const step = fc.record({
  wait: fc.integer({ min: 0, max: 400_000 }),
  fault: fc.option(
    fc.record(
      {
        cause: fc.constantFrom("provider" as const, "credentials" as const),
        afterMs: fc.integer({ min: 1, max: 10 ** 8 }),
      },
      { requiredKeys: ["cause"] },
    ),
    { nil: undefined },
  ),
  late: fc.boolean(),
});

test("whatever happens, there is at most one probe, no rest longer than the longest, and a try after it", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = 0;
      let state: Health = WELL;
      for (const { wait, fault, late } of steps) {
        now += wait;
        const admitted = admission(state, now);
        const probe = admitted === "probe";
        if (probe) {
          state = { ...state, probing: true };
          expect(admission(state, now)).toBeTypeOf("number");
        }
        if (typeof admitted === "number" && !late) {
          expect(admitted).toBeGreaterThan(0);
          expect(admission(state, (state.until as number) + 1)).not.toBe("go");
          continue;
        }
        const before = state;
        state = healthAfter(state, fault, probe, now);
        if (typeof admitted === "number") expect(state).toBe(before);
        else if (!fault) expect(state).toEqual(WELL);
        if (state.until === undefined) continue;
        expect(state.until - now).toBeLessThanOrEqual(LONGEST_REST);
        expect(state.probing).toBe(false);
        expect(admission(state, state.until)).toBe("probe");
      }
    }),
  );
});
