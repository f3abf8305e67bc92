import { expect, test } from "vitest";
import { measured } from "../../../test/support/memory/held.ts";
import { testService } from "../../../test/support/service.ts";

const it = await testService();
const ENCRYPTION_KEY = Buffer.alloc(32).toString("base64");
const WORKSPACES = 300;
/** They left 9.6, and leave 0.2. */
const MOST_KB = 1;

test("a workspace that calls leaves no buffers in the cache of keys: a few bytes of one would keep 64 KB", async () => {
  const service = await measured({ DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY, ROLES: "api" });
  const identify = async (key: string) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ person_id: "ada", attributes: { plan: "x".repeat(2_000) } });
    const { status } = await fetch(`${service.address}/data-gateway/v1/identify`, { method: "POST", headers, body });
    expect(status).toBe(200);
  };
  const keys: string[] = [];
  for (let i = 0; i < WORKSPACES; i++) keys.push((await it.another()).secretKey);
  await identify(it.secretKey);
  const before = (await service.held()).arrayBuffers;
  for (const key of keys) await identify(key);
  expect(((await service.held()).arrayBuffers - before) / WORKSPACES / 1_000).toBeLessThan(MOST_KB);
});
