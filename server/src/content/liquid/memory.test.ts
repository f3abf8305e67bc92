import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { compile } from "./compile.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const MOST_MB = 48;
const held = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
};

test.each([
  ["short", 30_000, (i: number) => `Order ${i}, {{ person.first_name }}`],
  ["of names alone", 300, (i: number) => `${i}${"{{a}}".repeat(300)}`],
])("texts that no two messages have in common take a limited amount of memory: %s", (_, count, of) => {
  const before = held();
  for (let i = 0; i < count; i++) compile({ name: "subject", source: of(i), html: false });
  expect(held() - before).toBeLessThan(MOST_MB);
});
