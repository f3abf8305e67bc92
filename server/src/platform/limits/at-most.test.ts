import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { atMost } from "./at-most.ts";

test("no more than the limit run at once, and the results are in order", async () => {
  let running = 0;
  let peak = 0;
  const results = await atMost(
    3,
    Array.from({ length: 20 }, (_, i) => i),
    async (n) => {
      peak = Math.max(peak, ++running);
      for (let i = 0; i < n % 4; i++) await turn();
      running--;
      return n * 2;
    },
  );
  expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i * 2));
  expect(peak).toBe(3);
  expect(await atMost(3, [], async () => 1)).toEqual([]);
});

test("after an error nothing more is begun", async () => {
  const begun: number[] = [];
  const work = atMost(2, [0, 1, 2, 3, 4, 5], async (n) => {
    begun.push(n);
    await turn();
    if (n === 1) throw new Error("one");
  });
  await expect(work).rejects.toThrow("one");
  expect(begun.length).toBeLessThan(5);
});

test("work that never waits lets other work have its turn in between", async () => {
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  const seen = await atMost(2, [1, 2, 3, 4, 5, 6], async () => {
    for (const end = performance.now() + 6; performance.now() < end; );
    return turned;
  });
  expect(seen.at(-1)).toBe(true);
});
