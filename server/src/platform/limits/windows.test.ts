import { expect, onTestFinished, test, vi } from "vitest";
import { windows } from "./windows.ts";

const HOUR_MS = 3_600_000;

test("counts up to the limit, and a count that does not fit is not counted at all", () => {
  const { take } = windows(HOUR_MS, 10);
  expect(take("a", 3, 5)).toEqual({ taken: true, left: 2, resetsInS: 3_600 });
  expect(take("a", 3, 5)).toMatchObject({ taken: false, left: 2 });
  expect(take("a", 2, 5)).toMatchObject({ taken: true, left: 0 });
  expect(take("a", 1, 5).taken).toBe(false);
  expect(take("b", 1, 5).taken).toBe(true);
});

test("a window ends after its length, whatever fraction of a millisecond it begins at", () => {
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  const { take } = windows(HOUR_MS, 1_000);
  for (let i = 0; i < 1_000; i++) {
    clock.mockReturnValue(i * 1_234.567);
    expect(take(`${i}`, 1, 1).resetsInS).toBe(3_600);
  }
});

test("a window that has ended begins anew", () => {
  const { take } = windows(0, 10);
  for (let i = 0; i < 3; i++) expect(take("a", 1, 1).taken).toBe(true);
});

test("a flood of names forgets the oldest, and keeps the rest", () => {
  const { take } = windows(HOUR_MS, 3);
  for (const name of ["a", "b", "c", "d"]) take(name, 1, 1);
  expect(["b", "c", "d"].map((name) => take(name, 1, 1).taken)).toEqual([false, false, false]);
  expect(take("a", 1, 1).taken).toBe(true);
});
