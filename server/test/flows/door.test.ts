import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { testService } from "../support/service.ts";

// Tries bad input on every route of the OpenAPI document.

const it = await testService();

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}
interface Operation {
  security?: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

const document = (await it.call("GET", "/openapi.json", { key: null })).body as {
  paths: Record<string, Record<string, Operation>>;
};
/** Whether only a session opens it, or nothing is needed. */
const isPersonal = ({ security }: Operation): boolean =>
  security !== undefined && !security.some((way) => "bearer" in way);
const routes = Object.entries(document.paths)
  // The pages for recipients take a signed link instead of an id; they have their own tests.
  .filter(([path]) => /^\/(?:api|data-gateway|callbacks)\//.test(path))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase() as Method,
      path,
      operation,
    })),
  )
  // The routes of a person who uses the dashboard take a session instead of a key; server/src/members has their tests.
  .filter(({ path, operation }) => path.startsWith("/callbacks/") || !isPersonal(operation));
const bodies = routes.filter(({ operation }) => operation.requestBody?.content["application/json"]);
const files = routes.filter(({ operation }) => operation.requestBody?.content["text/csv"]);
const filled = (path: string, value = "x") => path.replaceAll(/\{[^}]+\}/g, encodeURIComponent(value));
const named = (list: typeof routes) => list.map((route) => [`${route.method} ${route.path}`, route] as const);

/** Pointers of all string fields of a body's schema, each with a body in which only that field is set. */
function stringFields(schema: Schema, depth = 0): { pointer: string; body: (text: string) => unknown }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const kinds = [field, ...(field.anyOf ?? [])];
    const own = kinds.some((kind) => kind.type === "string")
      ? [{ pointer: `/${name}`, body: (text: string) => ({ [name]: text }) }]
      : [];
    const below = depth > 3 ? [] : kinds.flatMap((kind) => stringFields(kind, depth + 1));
    return [
      ...own,
      ...below.map((inner) => ({
        pointer: `/${name}${inner.pointer}`,
        body: (text: string) => ({ [name]: inner.body(text) }),
      })),
    ];
  });
}

describe("every route", () => {
  test("there are routes to try", () => {
    expect(routes.length).toBeGreaterThan(15);
    expect(bodies.length).toBeGreaterThan(8);
    expect(files.length).toBe(2);
  });

  // Providers call back without a key: their signatures are checked instead.
  const keyed = routes.filter(({ path }) => !path.startsWith("/callbacks/"));
  test.each(named(keyed))("%s without a key, and with a wrong one, is 401", async (_name, { method, path }) => {
    for (const key of [null, "tid_sec_wrong", "tid_pub_wrong"]) {
      expect(await it.call(method, filled(path), { key })).toMatchObject({
        status: 401,
        body: { code: "unauthenticated" },
      });
    }
  });

  test.each(named(routes.filter(({ path }) => path.startsWith("/api/v1") || path.includes("/transactionals/"))))(
    "%s with a public key is 403",
    async (_name, { method, path }) => {
      expect(await it.call(method, filled(path), { key: it.publicKey })).toMatchObject({
        status: 403,
        body: { code: "key_not_permitted" },
      });
    },
  );

  test.each(named(routes.filter(({ path }) => path.includes("{"))))(
    "%s with impossible ids answers 4xx and never 500",
    async (_name, { method, path, operation }) => {
      const with_ = operation.requestBody ? { body: {} } : {};
      for (const id of [
        "x".repeat(300),
        "dlv_00000000000000000000000000",
        "msg_00000000000000000000000000",
        "\u0000",
        "../..",
        "%",
        "ünïcödé",
        "1e999",
      ]) {
        const answer = await it.call(method, filled(path, id), with_);
        expect(answer.status, `${id.slice(0, 30)}: ${JSON.stringify(answer.body)}`).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expect(answer.body.code).toEqual(expect.any(String));
      }
      const malformed = await it.call(method, path.replaceAll(/\{[^}]+\}/g, "%ff"), with_);
      expect(malformed.status).toBeGreaterThanOrEqual(400);
      expect(malformed.status).toBeLessThan(500);
    },
  );
});

describe("every body", () => {
  test.each(named(bodies))(
    "%s refuses a body that is no JSON object, with a 400 that says why",
    async (_name, { method, path }) => {
      const deep = "[".repeat(10_000) + "]".repeat(10_000);
      // If the body is optional, these count as no body, and the id is checked next. A secret needs neither.
      const without = /\/(signing-secrets|webhook-secret)$/.test(path) ? [201] : [400, 404];
      for (const raw of ["", "null"]) expect(without).toContain((await it.call(method, filled(path), { raw })).status);
      for (const raw of ["{", "[]", '"text"', "5", '{"a":1,"a":2}', '{"__proto__":{}}', '{"a":1e999}', deep]) {
        const answer = await it.call(method, filled(path), { raw, headers: { "content-type": "application/json" } });
        expect(answer, raw.slice(0, 40)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      }
    },
  );

  test.each(named(bodies))(
    "%s refuses NUL and half surrogate pairs in each string field",
    async (_name, { method, path, operation }) => {
      const schema = operation.requestBody?.content["application/json"]?.schema ?? {};
      for (const { pointer, body } of stringFields(schema)) {
        for (const bad of ["a\\u0000b", "a\\ud800b"]) {
          const raw = JSON.stringify(body("BAD")).replace("BAD", bad);
          const answer = await it.call(method, filled(path), { raw });
          expect(answer, `${pointer} ${bad}`).toMatchObject({ status: 400, body: { code: "invalid_request" } });
        }
      }
    },
  );

  test.each(named(bodies.filter(({ path }) => !/\/transactionals\/(email|batch)$/.test(path))))(
    "%s over 1 MiB is 413",
    async (_name, { method, path }) => {
      const answer = await it.call(method, filled(path), {
        raw: JSON.stringify({ text: "x".repeat(2 * 1024 * 1024) }),
      });
      expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    },
  );

  test.each(named(bodies))("%s that is not sent as JSON is 415", async (_name, { method, path }) => {
    const answer = await it.call(method, filled(path), {
      raw: "a=1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  });
});

describe("every parameter of a query", () => {
  const queries = routes.filter(({ operation }) => operation.parameters?.some((parameter) => parameter.in === "query"));
  // The applications' routes leave out what can't be stored, because those who call them can't mend it.
  test.each(named(queries))(
    "of %s may have a NUL character without a 500",
    async (_name, { method, path, operation }) => {
      for (const { name, in: place } of operation.parameters ?? [])
        if (place === "query")
          expect((await it.call(method, `${filled(path)}?${name}=a%00b`)).status, name).toBeLessThan(500);
    },
  );

  test.each(["audit?resource", "audit?actor", "audit?action", "audit?person_id", "outbox?recipient", "imports?target"])(
    "GET /api/v1/%s is refused with a NUL character, which no row can have",
    async (query) => {
      const answer = await it.call("GET", `/api/v1/${query}=a%00b`);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: query.split("?")[1] }] } });
    },
  );
});

describe("every file", () => {
  test.each(named(files))("%s sent as JSON, or without a body, is refused", async (_name, { method, path }) => {
    for (const raw of ["{}", "[1]", ""]) {
      const answer = await it.call(method, filled(path), { raw, headers: { "content-type": "application/json" } });
      // If the path names a list, the route looks it up before it reads the file.
      expect([404, 415], raw).toContain(answer.status);
    }
  });
});

describe("every list", () => {
  const lists = routes.filter(({ operation }) =>
    operation.parameters?.some((parameter) => parameter.name === "cursor"),
  );
  test.each(named(lists))("%s refuses a forged cursor and a limit out of range", async (_name, { method, path }) => {
    const forged = Buffer.from('["a","b"]').toString("base64url");
    for (const query of ["limit=0", "limit=201", "limit=x", "limit=1&limit=2", "cursor=nonsense", `cursor=${forged}`]) {
      const answer = await it.call(method, `${filled(path)}?${query}`);
      expect(answer.status, query).toBe(400);
    }
  });
});

describe("the server", () => {
  test("the caller's request id is returned, and a strange one is replaced", async () => {
    expect((await it.call("GET", "/healthz", { headers: { "x-request-id": "abc-1" } })).headers["x-request-id"]).toBe(
      "abc-1",
    );
    expect(
      (await it.call("GET", "/healthz", { headers: { "x-request-id": 'a"b c' } })).headers["x-request-id"],
    ).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("an unknown route is a problem too", async () => {
    expect(await it.call("GET", "/data-gateway/v2/nothing")).toMatchObject({
      status: 404,
      body: { code: "not_found", request_id: expect.any(String) },
    });
  });

  test("bytes that are not HTTP get 400 and a close, and the server continues", async () => {
    await it.service.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = it.service.app.server.address() as { port: number };
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write("NONSENSE\r\n\r\n"));
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    const said = JSON.parse(body) as { request_id: string };
    expect(said).toMatchObject({ status: 400, code: "invalid_request" });
    expect(head).toContain(`X-Request-Id: ${said.request_id}`);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  test("a connection without any request does not delay the stop", async () => {
    const other = await testService();
    const { port } = new URL(await other.service.listen());
    // Node itself would end it when its headers are late: here they never arrive.
    Object.assign(other.service.app.server, { headersTimeout: 0, requestTimeout: 0 });
    const socket = connect(Number(port), "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    await fetch(`http://127.0.0.1:${port}/healthz`).then((response) => response.text());
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await Promise.all([other.service.stop(), closed]);
  });
});
