import fc from "fast-check";
import { expect, test } from "vitest";
import { parts, withEventId } from "./batch.ts";
import type { BatchItem } from "./shapes.ts";

test("parts keep every item in order, and no request is over 1,000 items or 1 MiB", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 40 });
  const property = fc.property(sizes, fc.integer({ min: 0, max: 2_500 }), (large, small) => {
    const items: BatchItem[] = [...large, ...Array<number>(small).fill(1)].map((length, i) => ({
      type: "identify",
      person_id: String(i),
      attributes: { note: "é".repeat(length) },
    }));
    const made = [...parts(items)];
    expect(made.flat()).toEqual(items);
    for (const part of made) {
      expect(part.length).toBeGreaterThan(0);
      expect(part.length).toBeLessThanOrEqual(1_000);
      expect(Buffer.byteLength(JSON.stringify({ items: part }))).toBeLessThanOrEqual(1024 * 1024);
    }
  });
  fc.assert(property, { numRuns: 20 });
});

test("an event keeps its own id, and gets one where it has none", () => {
  expect(withEventId({ person_id: "a", eventName: "b", event_id: "mine" }).event_id).toBe("mine");
  const [first, second] = [
    withEventId({ person_id: "a", eventName: "b" }),
    withEventId({ person_id: "a", eventName: "b" }),
  ];
  expect(first.event_id).toBeTruthy();
  expect(first.event_id).not.toBe(second.event_id);
});
