import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Interaction, type Limits, nextState, type State } from "./delivery.ts";

const INFINITE = Number.POSITIVE_INFINITY;
const NOW = 1_000;
const fresh: State = {
  status: "queued",
  live: true,
  impressions: 0,
  clicked: false,
  dismissed: false,
  seenAt: INFINITE,
  actedAt: INFINITE,
};
const persistent = { cap: 3, oneTime: false };
const once = { cap: 1, oneTime: true };
const say = (type: "impression" | "click" | "dismiss", closes = false, at?: number) => ({ type, closes, at, now: NOW });
const next = (state: State, what: Interaction, within: Limits) => nextState(state, what, within)?.state;

test("an impression shows it; one-time is then over, persistent goes on to its cap", () => {
  expect(next(fresh, say("impression"), once)).toMatchObject({ status: "shown", live: false, impressions: 1 });
  let state: State | undefined = fresh;
  for (const live of [true, true, false]) {
    state = next(state as State, say("impression"), persistent);
    expect(state).toMatchObject({ status: "shown", live });
  }
  expect(next(state as State, say("impression"), persistent)).toBeUndefined();
});

test("a click or dismiss without an impression counts as one, once", () => {
  const clicked = next(fresh, say("click"), persistent) as State;
  expect(clicked).toMatchObject({ status: "shown", live: true, impressions: 1, clicked: true });
  expect(next(clicked, say("click"), persistent)).toMatchObject({ impressions: 1 });
  expect(next(fresh, say("dismiss"), persistent)).toMatchObject({ status: "dismissed", live: false, impressions: 1 });
});

test("a click on the closing button is a dismissal; any other click ends only one-time messages", () => {
  expect(next(fresh, say("click", true), persistent)).toMatchObject({ status: "dismissed", live: false });
  expect(next(fresh, say("click"), once)).toMatchObject({ status: "shown", live: false });
});

test("no final state is ever left, impressions only grow, and an ended delivery stays ended", () => {
  const status = fc.constantFrom("queued", "shown", "dismissed", "expired", "canceled", "failed");
  const state = fc.record({
    status: status as fc.Arbitrary<State["status"]>,
    live: fc.boolean(),
    impressions: fc.integer({ min: 0, max: 4 }),
    clicked: fc.boolean(),
    dismissed: fc.boolean(),
    seenAt: fc.constantFrom(Number.NEGATIVE_INFINITY, 3, INFINITE),
    actedAt: fc.constantFrom(3, INFINITE),
  });
  const interaction = fc.record({
    type: fc.constantFrom("impression" as const, "click" as const, "dismiss" as const),
    closes: fc.boolean(),
    at: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    now: fc.constant(NOW),
  });
  const limits = fc.constantFrom(persistent, once, { cap: Number.POSITIVE_INFINITY, oneTime: false });
  fc.assert(
    fc.property(state, interaction, limits, (before, what, within) => {
      const told = next(before, what, within);
      if (!told) return;
      if (!["queued", "shown"].includes(before.status)) expect(told.status).toBe(before.status);
      expect(told.status).not.toBe("queued");
      expect(told.impressions).toBeGreaterThanOrEqual(before.impressions);
      if (what.type === "impression") expect(told.impressions).toBeLessThanOrEqual(within.cap);
      if (!before.live) expect(told.live).toBe(false);
      if (told.dismissed) expect(told.live).toBe(false);
    }),
  );
});

describe("a click implies its impression", () => {
  test("which counts nothing when it comes behind its click; one that was later counts", () => {
    for (const type of ["click", "dismiss"] as const) {
      for (const at of [undefined, 4, 5]) {
        const acted = next(fresh, say(type, false, 5), persistent) as State;
        const shown = nextState(acted, say("impression", false, at), persistent);
        expect(shown).toMatchObject({ recorded: false, state: { impressions: 1 } });
        expect(next(shown?.state as State, say("impression", false, 6), persistent)).toMatchObject({ impressions: 2 });
      }
      const acted = next(fresh, say(type, false, 5), persistent) as State;
      expect(nextState(acted, say("impression", false, 6), persistent)).toMatchObject({
        recorded: true,
        state: { impressions: 2 },
      });
    }
  });

  test("a click without a time is behind the impression that is known, whatever the client's clock says", () => {
    const shown = next(fresh, say("impression", false, NOW + 60), persistent) as State;
    expect(next(shown, say("click"), persistent)).toMatchObject({ impressions: 1, clicked: true });
  });

  test("the same reports in any order lead to the same state, under any cap", () => {
    const report = fc.oneof(
      fc.record({
        type: fc.constant("impression" as const),
        at: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      }),
      fc.record({ type: fc.constantFrom("click" as const, "dismiss" as const), at: fc.integer({ min: 1, max: 6 }) }),
    );
    const orders = fc
      .array(report, { maxLength: 7 })
      .chain((set) => fc.tuple(fc.constant(set), fc.shuffledSubarray(set, { minLength: set.length })));
    fc.assert(
      fc.property(orders, fc.constantFrom(1, 2, 3, INFINITE), ([one, other], cap) => {
        const all = (set: typeof one): State =>
          set.reduce(
            (state, what) => next(state, say(what.type, false, what.at), { cap, oneTime: false }) ?? state,
            fresh,
          );
        const [a, b] = [all(one), all(other)];
        expect([b.impressions, b.clicked, b.dismissed, b.status]).toEqual([
          a.impressions,
          a.clicked,
          a.dismissed,
          a.status,
        ]);
        const acts = one.flatMap(({ type, at }) => (type === "impression" ? [] : [at as number]));
        const seen = one.flatMap(({ type, at = 0 }) => (type === "impression" ? [at] : []));
        const alone = acts.length > 0 && seen.every((at) => at > Math.min(...acts));
        expect(a.impressions).toBe(Math.min(cap, seen.length + Number(alone)));
      }),
      { numRuns: 2_000 },
    );
  });
});
