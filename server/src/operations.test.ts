import { describe, expect, test } from "vitest";
import { testService } from "../test/support/service.ts";
import type { App } from "./platform/http/index.ts";

const it = await testService();
const apart = await testService({ env: { OPERATIONS_PORT: "0" } });
await apart.service.listen();
const { port } = (apart.service.operations as App).server.address() as { port: number };
const inside = `http://127.0.0.1:${port}`;

/** A call to the main port from another machine, or through a proxy. */
const from = (who: { address?: string; headers?: Record<string, string> }, url: string) =>
  it.service.app.inject({ url, remoteAddress: who.address ?? "127.0.0.1", headers: who.headers ?? {} });

const STRANGERS = [
  { address: "10.0.0.7" },
  { address: "::ffff:203.0.113.9" },
  { headers: { "x-forwarded-for": "203.0.113.9" } },
  { headers: { forwarded: "for=203.0.113.9" } },
  { headers: { host: "tidings.example.com" } },
];

describe("without an operations port", () => {
  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("%s sees metrics, details and the reference", async (address) => {
    expect((await from({ address }, "/metrics")).body).toMatch(/^# HELP/);
    expect((await from({ address }, "/readyz")).json()).toMatchObject({ status: "ready", parts: { database: "ok" } });
    expect((await from({ address }, "/docs")).body).toContain("swagger-ui");
    expect((await from({ address }, "/docs/static/swagger-ui.css")).statusCode).toBe(200);
  });

  test.each(STRANGERS)("%j sees only the plain readiness", async (who) => {
    expect((await from(who, "/readyz")).json()).toEqual({ status: "ready" });
    expect((await from(who, "/healthz")).statusCode).toBe(200);
    expect((await from(who, "/openapi.json")).statusCode).toBe(200);
    for (const url of ["/metrics", "/docs", "/docs/", "/docs/json", "/docs/static/swagger-ui-bundle.js"]) {
      const answer = await from(who, url);
      expect(answer.json(), url).toMatchObject({ status: 404, code: "not_found" });
      expect(answer.json().detail).toContain("OPERATIONS_PORT");
    }
  });
});

describe("with an operations port", () => {
  const get = async (path: string) => fetch(inside + path);

  test("it has all routes of the operator, and the reference is read-only", async () => {
    expect(await (await get("/metrics")).text()).toMatch(/^# HELP/);
    expect(await (await get("/readyz")).json()).toMatchObject({ parts: { database: "ok", providers: "ok" } });
    expect((await get("/docs")).status).toBe(200);
    expect(await (await get("/docs/json")).json()).toEqual((await apart.call("GET", "/openapi.json")).body);
    expect(await (await get("/docs/static/swagger-initializer.js")).text()).toContain('"supportedSubmitMethods":[]');
  });

  test("it has no other route", async () => {
    expect((await get("/api/v1/workspace")).status).toBe(404);
  });

  test("the main port has none of these routes, not even for this machine", async () => {
    expect((await apart.call("GET", "/readyz")).body).toEqual({ status: "ready" });
    expect((await apart.call("GET", "/metrics")).body).toMatchObject({ code: "not_found" });
    expect((await apart.call("GET", "/docs")).body).toMatchObject({ code: "not_found" });
  });
});

describe("the reference", () => {
  test("runs only its own scripts, and never in a frame", async () => {
    for (const url of ["/docs", "/docs/static/swagger-ui-bundle.js", "/docs/json"]) {
      const { headers } = await from({}, url);
      const csp = String(headers["content-security-policy"]);
      expect(csp).toContain("default-src 'none'");
      expect(csp).toContain("script-src 'self';");
      expect(csp).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
    }
    expect((await from({}, "/docs")).body).not.toMatch(/<script(?![^>]+src=)|\son\w+=/);
  });

  test("stores no key in the browser", async () => {
    const { body } = await from({}, "/docs/static/swagger-initializer.js");
    expect(body).toContain('"persistAuthorization":false');
  });
});

describe("answers of the API", () => {
  test("are stored by no cache and have the media type that they declare, errors too", async () => {
    const answers = await Promise.all([
      it.call("GET", "/api/v1/workspace"),
      it.call("GET", "/api/v1/workspace", { key: null }),
      it.call("GET", "/api/v1/nowhere"),
      it.call("GET", "/%zz"),
      it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "ada", attributes: {} } }),
      it.call("POST", "/compat/segment/v1/batch", { body: { batch: [] } }),
    ]);
    for (const { headers } of answers)
      expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  });

  test("a sync has its own cache rule, so that clients can use its ETag", async () => {
    const sync = await it.call("GET", "/data-gateway/v1/in-app/messages/sync?person_id=ada");
    expect(sync.headers).toMatchObject({
      "cache-control": "private, no-cache",
      etag: expect.any(String),
      "x-content-type-options": "nosniff",
    });
  });
});

test("health checks take no room from background work, and a request does", async () => {
  const asked = await testService();
  const { callers } = asked.service.ground;
  await asked.call("GET", "/readyz", { key: null });
  await asked.call("GET", "/metrics", { key: null });
  expect(callers.areHere()).toBe(false);
  await asked.call("GET", "/api/v1/workspace");
  expect(callers.areHere()).toBe(true);
});
