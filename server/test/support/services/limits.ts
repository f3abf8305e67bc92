import { afterEach, expect } from "vitest";
import type { TestService } from "../service.ts";

/** Calls of the product API that must succeed, and a workspace whose `marketing_limits` end with each test. */
export function limitedService(it: TestService) {
  async function call(method: "GET" | "POST" | "PATCH", path: string, body?: object) {
    const answer = await it.call(method, `/api/v1${path}`, body ? { body } : {});
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  }
  const limit = (marketing_limits: object) => call("PATCH", "/workspace", { marketing_limits });
  afterEach(async () => void (await limit({})));
  return { call, limit };
}
