import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { Problem } from "./problem.ts";
import { checkShape } from "./validation.ts";

const check = checkShape(
  Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
      code: Type.Optional(Type.String({ minLength: 2, pattern: "^[a-z]*$" })),
      items: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1, maxItems: 2 })),
      map: Type.Optional(Type.Record(Type.String(), Type.Boolean(), { minProperties: 1 })),
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
    [{ items: [] }, "/items must have at least 1 item."],
    [{ items: [1, 2, 3] }, "/items must have at most 2 items."],
    [{ items: [1.5] }, "/items/0 must be a whole number."],
    [{ items: [-1] }, "/items/0 must be >= 0."],
    [{ items: "x" }, "/items must be a list."],
    [{ map: {} }, "/map must have at least 1 field."],
    [{ map: { a: 1 } }, "/map/a must be true or false."],
    [{ word: 1 }, "/word must be a string or null."],
    [{ colour: 1 }, "/colour is not a known field."],
    ["x", "The body must be an object."],
  ])("%j: %s", (value, sentence) => expect(said(value)).toBe(sentence));

  test("is nothing where it has the right shape", () => expect(said({ name: "abc", items: [1], word: null })).toBe(""));
});
