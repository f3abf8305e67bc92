import { expect, test } from "vitest";
import { heldHere } from "../../../test/support/memory/held.ts";
import { compile } from "./compile.ts";

const MOST_MB = 48;

test.each([
  ["short", 30_000, (i: number) => `Order ${i}, {{ person.first_name }}`],
  ["of names alone", 300, (i: number) => `${i}${"{{a}}".repeat(300)}`],
])("texts that no two messages have in common take a limited amount of memory: %s", (_, count, of) => {
  const before = heldHere();
  for (let i = 0; i < count; i++) compile({ name: "subject", source: of(i), html: false });
  expect((heldHere() - before) / 1e6).toBeLessThan(MOST_MB);
});
