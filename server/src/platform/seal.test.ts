import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSeal } from "./seal.ts";

const seal = createSeal(randomBytes(32));

test("a sealed secret opens with its context, and differs each time", () => {
  const sealed = seal.seal("pässword", "row-1");
  expect(sealed).not.toContain("pässword");
  expect(seal.open(sealed, "row-1")).toBe("pässword");
  expect(seal.seal("pässword", "row-1")).not.toBe(sealed);
});

test("a sealed value that was copied to another row, altered, or made with another key does not open", () => {
  const sealed = seal.seal("secret", "row-1");
  expect(() => seal.open(sealed, "row-2")).toThrow();
  const altered = sealed.replace(/.(?=.$)/, (letter) => (letter === "A" ? "B" : "A"));
  expect(() => seal.open(altered, "row-1")).toThrow();
  expect(() => createSeal(randomBytes(32)).open(sealed, "row-1")).toThrow(/another ENCRYPTION_KEY/);
  expect(() => seal.open("plain", "row-1")).toThrow();
});
