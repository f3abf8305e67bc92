import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { testService } from "../../../test/support/service.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const it = await testService();
const WORKSPACES = 300;
/** They left 18. What other tests of the process leave is in it, up to 3. */
const MOST_KB = 8;

/** Bytes of buffers, which are outside of the heap. */
const held = (): number => {
  collect();
  return process.memoryUsage().arrayBuffers;
};

test("a workspace that calls leaves no buffers in the cache of keys: a few bytes of one would keep 64 KB", async () => {
  const before = held();
  for (let i = 0; i < WORKSPACES; i++) {
    const { secretKey: key } = await it.another();
    const body = { person_id: "ada", attributes: { plan: "x".repeat(2_000) } };
    expect((await it.call("POST", "/data-gateway/v1/identify", { key, body })).status).toBe(200);
  }
  expect((held() - before) / WORKSPACES / 1_000).toBeLessThan(MOST_KB);
});
