import { shapes } from "@tidings/contract/shapes";
import { Broadcast } from "@tidings/contract/messages/broadcasts";
import { Campaign } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inOrder, namesShape } from "./ordered.ts";

/** Reorders keys as PostgreSQL's jsonb does: the shorter first, then by the alphabet. */
function asStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asStored);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
      .map(([name, one]) => [name, asStored(one)]),
  );
}
const text = (value: unknown) => JSON.stringify(value);
const step = { "x-shape": "Step" };

describe("the order of fields in an answer", () => {
  test.each([
    [
      "a step that contains steps",
      step,
      {
        id: "a",
        type: "split",
        arms: [
          { name: "one", weight: 1, steps: [{ id: "b", type: "wait", for: { amount: 2, unit: "days" } }] },
          { name: "two", weight: 1, steps: [{ id: "c", type: "list", add: "aud_1", on_failure: "exit" }] },
        ],
      },
    ],
    [
      "a message with variants and languages",
      step,
      {
        id: "a",
        type: "message",
        channel: "email",
        content: { subject: "Hello", body: "..." },
        locales: { "pt-BR": { content: { subject: "Olá", body: "..." } } },
        escalate: [{ after: { amount: 2, unit: "hours" }, channel: "push", content: { title: "Hi", message: "..." } }],
      },
    ],
    [
      "an event with conditions",
      { "x-shape": "Filter" },
      {
        event: "paid",
        op: "performed",
        count: { min: 2 },
        within: { amount: 2, unit: "days" },
        where: [{ property: "total", op: "in", value: [1, 2] }],
      },
    ],
    ["a trigger", { "x-shape": "Trigger" }, { type: "date", attribute: "born", at: "09:00", yearly: true }],
  ])("%s is shown as the contract names its fields", (_name, schema, value) => {
    expect(text(asStored(value))).not.toBe(text(value));
    expect(text(inOrder(schema, asStored(value)))).toBe(text(value));
  });

  test("fields that the shape does not name follow, and their values stay as they are", () => {
    const content = { template_version: 3, subject: "Hello", body: "...", z: { b: 1, a: 2 } };
    expect(text(inOrder({ "x-order": "Content" }, content))).toBe(
      text({ subject: "Hello", body: "...", template_version: 3, z: { b: 1, a: 2 } }),
    );
  });

  test("a field that is named as one of every object stays a field", () => {
    const body = JSON.parse('{ "constructor": 1, "__proto__": { "type": "x" }, "id": "a", "type": "exit" }');
    const ordered = inOrder(step, body) as object;
    expect(text(ordered)).toBe('{"id":"a","type":"exit","constructor":1,"__proto__":{"type":"x"}}');
    expect(Object.getPrototypeOf(ordered)).toBe(Object.prototype);
  });

  test("any JSON keeps its values, whatever its shape", () =>
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(shapes)), fc.jsonValue(), (name, value) => {
        expect(inOrder({ "x-shape": name }, value)).toEqual(value);
      }),
    ));

  test("an answer without such fields is written as it is", () => {
    expect(namesShape(Campaign)).toBe(true);
    expect(namesShape(Broadcast)).toBe(true);
    expect(namesShape(Broadcast.properties.status)).toBe(false);
  });
});
