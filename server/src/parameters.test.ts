import { describe, expect, test } from "vitest";
import { testService } from "../test/support/service.ts";

const it = await testService();
const { body: document } = await it.call("GET", "/openapi.json", { key: null });
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
const routes = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({
    method: method.toUpperCase() as Method,
    url: path.replaceAll(/\{\w+\}/g, "x"),
  })),
);
// A browser comes to the routes of OIDC from the provider, with parameters that the provider chooses.
const strict = routes.filter(({ url }) =>
  /^\/(?:api\/v1\/(?!oidc\/(?:start|callback))|data-gateway\/transactionals\/)/.test(url),
);
const lenient = routes.filter(
  ({ url }) =>
    url.startsWith("/data-gateway/v1/") && !url.endsWith("/stream") && !strict.some((one) => one.url === url),
);

describe("a query parameter that a route does not know", () => {
  test.each(strict)("is refused by $method $url", async ({ method, url }) => {
    const answer = await it.call(method, `${url}?emial=ada@example.com`);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: "invalid_request",
        errors: [{ parameter: "emial", message: expect.stringMatching(/^is no param/) }],
      },
    });
  });

  test.each(lenient)("is ignored by $method $url", async ({ method, url }) => {
    const answer = await it.call(method, `${url}?utm_source=mail`, { body: method === "GET" ? undefined : {} });
    expect(JSON.stringify(answer.body)).not.toContain("utm_source");
  });

  test("is reported only to a caller with a valid key, with the parameters that the route knows", async () => {
    expect((await it.call("GET", "/api/v1/people?emial=x", { key: null })).status).toBe(401);
    const { body } = await it.call("GET", "/api/v1/people?emial=x");
    expect(body.detail).toMatch(/^emial is no parameter of this route: there are .*limit/);
  });

  test("is refused, while a known parameter is accepted", async () => {
    expect((await it.call("GET", "/api/v1/people?limit=1")).status).toBe(200);
  });
});
