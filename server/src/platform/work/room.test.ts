import { expect, test } from "vitest";
import { Room, type Sharer } from "./room.ts";

const room = () => new Room({ most: 160, each: 8, least: 1 });
const sharer = (): Sharer => ({ held: 0 });

/** Enters as long as one may. */
function fill(room: Room, one: Sharer): number {
  while (room.takes(one)) room.enter(one);
  return one.held;
}

test("a sharer that stalls fills only its own share, and another has room", () => {
  const all = room();
  expect([fill(all, sharer()), fill(all, sharer())]).toEqual([8, 8]);
  expect(all.free()).toBe(144);
});

test("with many stalled sharers each new one gets less, but never less than the minimum, and there is room for many more", () => {
  const all = room();
  const shares = Array.from({ length: 30 }, () => fill(all, sharer()));
  expect(shares[0]).toBe(8);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(shares.at(-1)).toBeLessThanOrEqual(2);
  expect(all.free()).toBeGreaterThan(0);
});

test("more is claimed for a sharer whose share is half empty, and not for each item that leaves", () => {
  const all = room();
  const one = sharer();
  fill(all, one);
  const asked = Array.from({ length: 8 }, () => {
    all.leave(one);
    return !all.hasEnough(one);
  });
  expect(asked).toEqual([false, false, false, true, true, true, true, true]);
});
