import { expect, test } from "vitest";
import { PARKED, SLOW_MS, STUCK_MS, UnderWay } from "./under-way.ts";

/** A provider of two places. Returns the hand-offs that have given up their place so far. */
function two() {
  const underWay = new UnderWay(2);
  const gone: string[] = [];
  return { underWay, gone, begin: (name: string, now: number) => underWay.begin(now, () => gone.push(name)) };
}

test("a hand-off that ends in time is not slow and does not give up its place", () => {
  const { underWay, gone, begin } = two();
  const one = begin("a", 0);
  underWay.look(SLOW_MS - 1);
  expect(underWay.slowFor(SLOW_MS - 1)).toBeUndefined();
  underWay.end(one, 100, true);
  expect([underWay.slowFor(1e9), gone]).toEqual([undefined, []]);
});

test("stuck hand-offs give up their places one after the other, so that another is tried", () => {
  const { underWay, gone, begin } = two();
  begin("a", 0);
  begin("b", 1_000);
  expect(underWay.slowFor(SLOW_MS)).toBe(SLOW_MS);
  underWay.look(STUCK_MS);
  underWay.look(STUCK_MS + 5_000);
  expect(gone).toEqual(["a"]);
  begin("c", STUCK_MS);
  underWay.look(2 * STUCK_MS);
  expect(gone).toEqual(["a", "b"]);
  for (let i = 3; i < 20; i++) {
    begin("more", i * STUCK_MS);
    underWay.look((i + 2) * STUCK_MS);
  }
  expect(gone).toHaveLength(2 * PARKED);
});

test("as soon as one hand-off succeeds, all stuck ones let the others pass", async () => {
  const { underWay, gone, begin } = two();
  const stuck = [begin("a", 0), begin("b", 0)];
  const refused = begin("c", STUCK_MS);
  underWay.end(refused, STUCK_MS + 1, false);
  expect(gone).toEqual([]);
  underWay.end(begin("d", STUCK_MS), STUCK_MS + 2, true);
  expect(gone).toEqual(["a", "b"]);
  expect(underWay.slowFor(STUCK_MS + 3)).toBe(STUCK_MS + 3);
  for (const one of stuck) underWay.end(one, 3 * STUCK_MS, false);
  expect(underWay.slowFor(4 * STUCK_MS)).toBeUndefined();
  await underWay.drained();
});
