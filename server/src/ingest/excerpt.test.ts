import fc from "fast-check";
import { expect, test } from "vitest";
import { excerpt } from "./excerpt.ts";

test("shows the data without secrets", () => {
  expect(
    excerpt({
      person_id: "ada",
      seats: "three",
      token: "t-123",
      subscription: { endpoint: "https://push.example/abc", keys: { p256dh: "x", auth: "y" } },
      attributes: { password: "hunter2", apiKey: "k", note: "tid_sec_abc", jwt: "eyJhbGciOi.eyJzdWIi.x", empty: null },
    }),
  ).toEqual({
    person_id: "ada",
    seats: "three",
    token: "[redacted]",
    subscription: { endpoint: "[redacted]", keys: "[redacted]" },
    attributes: { password: "[redacted]", apiKey: "[redacted]", note: "[redacted]", jwt: "[redacted]", empty: null },
  });
});

test("says how much it left out", () => {
  expect(excerpt("x".repeat(33_000))).toBe(`${"x".repeat(120)}... (33000 characters)`);
  expect(excerpt(Array.from({ length: 1_000 }, () => 1))).toHaveLength(21);
  expect(excerpt(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`a${i}`, i])))).toHaveProperty("[more]", 10);
  expect(excerpt([[[[[[1]]]]]])).toEqual([[[[["[deeper]"]]]]]);
});

test("is small and can be stored, whatever came", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary", maxDepth: 8 }), (value) => {
      const text = JSON.stringify(excerpt(value));
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/\\ud[89a-f]/);
    }),
  );
  const wide = (depth: number): unknown =>
    depth === 0 ? "y".repeat(500) : Array.from({ length: 50 }, () => wide(depth - 1));
  expect(JSON.stringify(excerpt(wide(3))).length).toBeLessThan(4_000);
});
