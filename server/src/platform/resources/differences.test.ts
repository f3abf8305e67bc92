import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { differences, Secret } from "./differences.ts";

describe("the differences of two states", () => {
  test("name the fields that differ, and list those of a resource that was created or removed", () => {
    const before = { name: "A", content: { subject: "Hi", body: "x" }, types: ["a", "b"] };
    const after = { name: "A", content: { subject: "Hello", body: "x" }, types: ["b"], topic: null };
    expect(differences(before, after).changes).toEqual([
      { field: "/content/subject", from: "Hi", to: "Hello" },
      { field: "/types", from: ["a", "b"], to: ["b"] },
      { field: "/topic", to: null },
    ]);
    expect(differences(undefined, { a: 1, "b/c~": {} }).changes).toEqual([
      { field: "/a", to: 1 },
      { field: "/b~1c~0", to: {} },
    ]);
    expect(differences({ a: 1 }, undefined).changes).toEqual([{ field: "/a", from: 1 }]);
  });

  test("find steps again by their ids", () => {
    const [wait, mail] = [
      { id: "wait", days: 1 },
      { id: "mail", subject: "Hi" },
    ];
    const changed = { steps: [{ id: "new", days: 2 }, wait, { ...mail, subject: "Hello" }] };
    expect(differences({ steps: [wait, mail] }, changed).changes).toEqual([
      { field: "/steps/mail/subject", from: "Hi", to: "Hello" },
      { field: "/steps/new/id", to: "new" },
      { field: "/steps/new/days", to: 2 },
    ]);
  });

  test("show of secrets only that they changed, and of long texts how they begin", () => {
    const [old, fresh] = [new Secret("sealed 1"), new Secret("sealed 2")];
    expect(differences({ key: old }, { key: fresh }).changes).toEqual([
      { field: "/key", from: "changed", to: "changed" },
    ]);
    expect(differences({ key: old }, { key: new Secret("sealed 1") }).changes).toEqual([]);
    const headers = (token: string) => ({ settings: { headers: { authorization: token } } });
    expect(differences(headers("a"), headers("b")).changes).toEqual([
      { field: "/settings/headers/authorization", from: "changed", to: "changed" },
    ]);
    const { changes } = differences({ body: "short" }, { body: `${"x".repeat(255)}\u{1f600}${"y".repeat(2_000)}` });
    expect(changes).toEqual([
      {
        field: "/body",
        from: "short",
        to: { excerpt: "x".repeat(255), characters: 2_257, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
  });

  test("end after 200 fields and count the others", () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`f${i}`, i]));
    const { changes, leftOut } = differences({}, many);
    expect([changes.length, leftOut]).toEqual([200, 50]);
  });

  test("are none of a state and itself, and some of two that are not the same JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
        expect(differences(a, structuredClone(a)).changes).toEqual([]);
        const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        expect(differences(a, b).changes.length === 0).toBe(same);
      }),
    );
  });
});

const sorted = (value: unknown): unknown =>
  typeof value !== "object" || value === null
    ? value
    : Array.isArray(value)
      ? value.map(sorted)
      : Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, one]) => [name, sorted(one)]);
