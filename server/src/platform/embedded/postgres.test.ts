import { expect, test } from "vitest";
import { cacheMb } from "./postgres.ts";

const GB = 1024 ** 3;

test.each([
  [0.5 * GB, 128],
  [1 * GB, 128],
  [4 * GB, 512],
  [8 * GB, 1024],
  [256 * GB, 1024],
])("with %d bytes of memory, the cache of PostgreSQL takes %d MB", (memory, mb) => {
  expect(cacheMb(memory)).toBe(mb);
});
