import { expect, test } from "vitest";
import { testService } from "../test/support/service.ts";

const { service } = await testService();
const origin = "https://shop.example";
const SYNC = "/data-gateway/v1/in-app/messages/sync?person_id=ada";

test("after a preflight request a browser may call the data gateway with the headers of an application", async () => {
  const answer = await service.app.inject({
    method: "OPTIONS",
    url: SYNC,
    headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "x-person-token" },
  });
  expect(answer.statusCode).toBe(204);
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  for (const name of ["authorization", "content-type", "if-none-match", "x-person-token"])
    expect(answer.headers["access-control-allow-headers"]).toContain(name);
  for (const method of ["GET", "POST", "PUT", "DELETE"])
    expect(answer.headers["access-control-allow-methods"]).toContain(method);
});

test("a page of another origin can read refusals too", async () => {
  const answer = await service.app.inject({ method: "GET", url: SYNC, headers: { origin } });
  expect(answer.statusCode).toBe(401);
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  expect(answer.headers["access-control-expose-headers"]).toContain("retry-after");
});

test("the product API stays closed to pages of other origins", async () => {
  for (const method of ["OPTIONS", "GET"] as const) {
    const answer = await service.app.inject({ method, url: "/api/v1/workspace", headers: { origin } });
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  }
});
