import { expect, test } from "vitest";
import { until } from "../../../test/support/wait.ts";
import { boundedCache } from "./cache.ts";

test("a cache keeps at most so many entries, and forgets the one that was used least recently", () => {
  const cache = boundedCache<number>(2);
  for (const [i, name] of ["a", "b"].entries()) cache.set(name, i);
  cache.get("a");
  cache.set("c", 2);
  expect([...cache.keys()].sort()).toEqual(["a", "c"]);
});

test("entries that have expired leave the memory though nobody asks for them", async () => {
  const cache = boundedCache<number>(1_000, { ttl: 20 });
  const expired = performance.now() + 25;
  for (let i = 0; i < 100; i++) cache.set(`old ${i}`, i);
  await until(() => performance.now() > expired, "the end of the entries");
  cache.set("new", 0);
  expect(cache.size).toBe(1);
});
