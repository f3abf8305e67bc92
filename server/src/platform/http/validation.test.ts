import { Instant } from "@tidings/contract/primitives";
import { TimeOfDay } from "@tidings/contract/hours";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { Problem } from "./problem.ts";
import { checkShape, emptyIsNone } from "./validation.ts";

const check = checkShape(
  Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
      code: Type.Optional(Type.String({ minLength: 2, pattern: "^[a-z]*$" })),
      items: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 9 }), { minItems: 1, maxItems: 2 })),
      map: Type.Optional(Type.Record(Type.String(), Type.Boolean(), { minProperties: 1 })),
      time: Type.Optional(Instant),
      at: Type.Optional(TimeOfDay),
      some: Type.Optional(Type.Union([Type.Null(), Type.Object({ a: Type.Integer() }), Type.Array(Type.String())])),
      one: Type.Optional(Type.Union([Type.Literal("x"), Type.Literal("y"), Type.Null()])),
      shape: Type.Optional(
        Type.Union([
          Type.Object({ all: Type.Array(Type.Integer()) }, { additionalProperties: false }),
          Type.Object({ not: Type.Integer() }, { additionalProperties: false }),
        ]),
      ),
      word: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"] })),
    },
    { additionalProperties: false },
  ),
);
const said = (value: unknown): string => {
  try {
    check(value);
  } catch (error) {
    return (error as Problem).message;
  }
  return "";
};

describe("what is wrong with a body", () => {
  test.each([
    [{ name: "" }, "/name must not be empty."],
    [{ name: "abcd" }, "/name must have at most 3 characters."],
    [{ name: 5 }, "/name must be a string."],
    [{ code: "a" }, "/code must have at least 2 characters."],
    [{ code: "A1" }, "/code has characters that are not allowed here."],
    [{ time: "" }, "/time must not be empty."],
    [{ time: "2026-02-30T00:00:00Z" }, "/time must be an ISO 8601 time such as 2026-01-31T12:00:00Z."],
    [{ time: "2026".repeat(11) }, "/time must have at most 40 characters."],
    [{ at: "" }, "/at must not be empty."],
    [{ at: "25:00" }, "/at must be a time of day from 00:00 to 23:59, such as 22:00."],
    [{ some: 5 }, "/some must be null or an object or a list."],
    [{ some: { a: "x" } }, "/some/a must be a whole number."],
    [{ some: ["x", 1] }, "/some/1 must be a string."],
    [{ one: "z" }, "/one must be one of x, y."],
    [{ shape: {} }, "/shape needs one of all, not."],
    [{ shape: { all: ["x"] } }, "/shape/all/0 must be a whole number."],
    [{ shape: 1 }, "/shape must be an object."],
    [{ items: [] }, "/items must have at least 1 item."],
    [{ items: [1, 2, 3] }, "/items must have at most 2 items."],
    [{ items: [1.5] }, "/items/0 must be a whole number."],
    [{ items: [-1] }, "/items/0 must be at least 0."],
    [{ items: [10] }, "/items/0 must be at most 9."],
    [{ items: "x" }, "/items must be a list."],
    [{ map: {} }, "/map must have at least 1 field."],
    [{ map: { a: 1 } }, "/map/a must be true or false."],
    [{ word: 1 }, "/word must be a string or null."],
    [{ colour: 1 }, "/colour is not a known field."],
    ["x", "The body must be an object."],
  ])("%j: %s", (value, sentence) => expect(said(value)).toBe(sentence));

  test("is nothing where it has the right shape", () => expect(said({ name: "abc", items: [1], word: null })).toBe(""));
});

test("an empty parameter that may be left out is none", () => {
  const query = { tz_offset_minutes: "", screen: "" };
  let went = 0;
  const hook = emptyIsNone("tz_offset_minutes") as unknown as (
    request: object,
    reply: object,
    done: () => void,
  ) => void;
  hook({ query }, {}, () => went++);
  expect([query, went]).toEqual([{ screen: "" }, 1]);
});
