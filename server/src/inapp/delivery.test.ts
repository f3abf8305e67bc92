import fc from "fast-check";
import { expect, test } from "vitest";
import { after, type State } from "./delivery.ts";

const fresh: State = { status: "queued", live: true, impressions: 0, clicked: false, dismissed: false };
const persistent = { cap: 3, oneTime: false };
const once = { cap: 1, oneTime: true };
const say = (type: "impression" | "click" | "dismiss", closes = false) => ({ type, closes });

test("an impression shows it; one-time is then over, persistent goes on to its cap", () => {
  expect(after(fresh, say("impression"), once)).toMatchObject({ status: "shown", live: false, impressions: 1 });
  let state: State | undefined = fresh;
  for (const live of [true, true, false]) {
    state = after(state as State, say("impression"), persistent);
    expect(state).toMatchObject({ status: "shown", live });
  }
  expect(after(state as State, say("impression"), persistent)).toBeUndefined();
});

test("a click or dismiss without an impression counts as one, once", () => {
  const clicked = after(fresh, say("click"), persistent) as State;
  expect(clicked).toMatchObject({ status: "shown", live: true, impressions: 1, clicked: true });
  expect(after(clicked, say("click"), persistent)).toMatchObject({ impressions: 1 });
  expect(after(fresh, say("dismiss"), persistent)).toMatchObject({ status: "dismissed", live: false, impressions: 1 });
});

test("a click on the button that closes is a dismissal; another click ends only one-time", () => {
  expect(after(fresh, say("click", true), persistent)).toMatchObject({ status: "dismissed", live: false });
  expect(after(fresh, say("click"), once)).toMatchObject({ status: "shown", live: false });
});

test("no end is ever left, what is seen only grows, and what is over stays over", () => {
  const status = fc.constantFrom("queued", "shown", "dismissed", "expired", "canceled", "failed");
  const state = fc.record({
    status: status as fc.Arbitrary<State["status"]>,
    live: fc.boolean(),
    impressions: fc.integer({ min: 0, max: 4 }),
    clicked: fc.boolean(),
    dismissed: fc.boolean(),
  });
  const interaction = fc.record({
    type: fc.constantFrom("impression" as const, "click" as const, "dismiss" as const),
    closes: fc.boolean(),
  });
  const limits = fc.constantFrom(persistent, once, { cap: Number.POSITIVE_INFINITY, oneTime: false });
  fc.assert(
    fc.property(state, interaction, limits, (before, what, within) => {
      const next = after(before, what, within);
      if (!next) return;
      if (!["queued", "shown"].includes(before.status)) expect(next.status).toBe(before.status);
      expect(next.status).not.toBe("queued");
      expect(next.impressions).toBeGreaterThanOrEqual(Math.max(before.impressions, 1));
      if (what.type === "impression") expect(next.impressions).toBeLessThanOrEqual(within.cap);
      if (!before.live) expect(next.live).toBe(false);
      if (next.dismissed) expect(next.live).toBe(false);
    }),
  );
});
