import fc from "fast-check";
import { expect, test } from "vitest";
import { assign, fitting, lastBatch, MOST_ITEMS, type OpenBatch } from "./batches.ts";

const open = (key: string, count: number): OpenBatch => ({
  key,
  leader: `${key} leads`,
  count,
  runIds: [],
  open: true,
});

test("runs join the open batch of their key, and the first one without a batch leads", () => {
  const { batches, changed } = assign(
    [
      { id: "a", key: "x" },
      { id: "b", key: "y" },
      { id: "c", key: "y" },
    ],
    new Map([["x", open("x", 4)]]),
  );
  expect(batches.map(({ leader, count }) => [leader, count])).toEqual([
    ["x leads", 5],
    ["b", 2],
    ["b", 2],
  ]);
  expect(changed.size).toBe(2);
});

test("a batch that is full already, because an edit lowered its limit, is closed before the next one opens", () => {
  const { batches, changed } = assign([{ id: "a", key: "x" }], new Map([["x", open("x", 4)]]), 3);
  expect([...changed].map(({ leader, open }) => [leader, open])).toEqual([
    ["x leads", false],
    ["a", true],
  ]);
  expect(batches[0]?.leader).toBe("a");
});

test("each run is in one batch, no batch has more than its limit, and at most one of a key is open", () => {
  const keys = fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 400 });
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 150 }), (arriving, max) => {
      const arrivals = arriving.map((key, i) => ({ id: String(i), key }));
      const { changed } = assign(arrivals, new Map(), max);
      const all = [...changed];
      expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(arriving.length);
      for (const { count, runIds, leader, open } of all) {
        expect([runIds[0], runIds.length, open]).toEqual([leader, Math.min(count, MOST_ITEMS), count < max]);
        expect(count).toBeLessThanOrEqual(max);
      }
      for (const key of ["x", "y", "z"])
        expect(all.filter((one) => one.key === key && one.open).length).toBeLessThanOrEqual(1);
    }),
  );
});

test("items are the first ones that fit, and the last batch is the one that was left last", () => {
  const long = { text: "x".repeat(70_000) };
  expect(fitting([{ a: 1 }, long, long, { b: 1 }])).toEqual([{ a: 1 }, long]);
  expect(lastBatch({ a: {} })).toBeUndefined();
  const [one, two] = [1, 2].map((count) => ({ count, items: [] }));
  const outputs = { a: { batch: two, gathered_at: "2026-02" }, b: { batch: one, gathered_at: "2026-01" } };
  expect(lastBatch(outputs as Parameters<typeof lastBatch>[0])).toEqual(two);
});
