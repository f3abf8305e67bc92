import { keyScopes } from "@tidings/contract/workspaces";
import { describe, expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";
import { tidings } from "../../test/support/tidings.ts";
import { until } from "../../test/support/wait.ts";

const clock = testClock();
const it = await testService({ clock });

const make = async (body: object) => {
  const made = await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret", ...body } });
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
  return made.body as { id: string; key: string; expires_at: string | null };
};
const listed = async (id: string) =>
  (await it.call("GET", "/api/v1/api-keys?limit=200")).body.data.find((row: { id: string }) => row.id === id);
const status = async (key: string) => (await it.call("GET", "/api/v1/workspace", { key })).status;
const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();

describe("scopes", async () => {
  const keys = Object.fromEntries(
    await Promise.all(keyScopes.map(async (scope) => [scope, (await make({ scopes: [scope] })).key] as const)),
  ) as Record<(typeof keyScopes)[number], string>;
  const { body: own } = await it.call("GET", "/openapi.json", { key: null });
  const { body: compat } = await it.call("GET", "/compat/openapi.json", { key: null });
  type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  type Documented = Record<string, { security?: object[]; responses: Record<string, { content?: object }> }>;
  const routes = Object.entries<Documented>({ ...own.paths, ...compat.paths })
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security, responses }]) => ({
        method: method.toUpperCase() as Method,
        url: path.replaceAll(/\{[^}]+\}/g, "x"),
        keyed: security === undefined || security.some((way) => "bearer" in way),
        stream: "text/event-stream" in (responses["200"]?.content ?? {}),
      })),
    )
    .filter(({ stream, keyed }) => keyed && !stream);

  const opens = async (method: Method, url: string) => {
    const open: string[] = [];
    for (const scope of keyScopes) {
      const { status, body } = await it.call(method, url, { key: keys[scope] });
      const refused = body?.code === "key_not_permitted" || /needs a secret key/.test(JSON.stringify(body));
      expect(status === 403, `${method} ${url}`).toBe(refused);
      if (!refused) open.push(scope);
    }
    return open;
  };

  test("each route is opened by one scope and no other", async () => {
    expect(routes.length).toBeGreaterThan(120);
    for (const { method, url } of routes) expect(await opens(method, url), `${method} ${url}`).toHaveLength(1);
  });

  test.each([
    ["GET", "/api/v1/people", "read"],
    ["POST", "/api/v1/audiences/preview", "read"],
    ["POST", "/data-gateway/transactionals/email", "send"],
    ["POST", "/api/v1/broadcasts/x/send", "send"],
    ["POST", "/data-gateway/v1/identify", "ingest"],
    ["DELETE", "/api/v1/people/x", "ingest"],
    ["POST", "/api/v1/email-templates", "author"],
    ["POST", "/api/v1/broadcasts", "author"],
    ["POST", "/api/v1/providers", "admin"],
    ["POST", "/api/v1/api-keys", "admin"],
  ] as const)("%s %s is opened by %s", async (method, url, scope) => {
    expect(await opens(method, url)).toEqual([scope]);
  });

  test("the refusal names the scope that is needed", async () => {
    const answer = await it.call("POST", "/data-gateway/v1/identify", { key: keys.read });
    expect(answer).toMatchObject({ status: 403, body: { code: "key_not_permitted" } });
    expect(answer.body.detail).toMatch(/with the scope ingest.*has read/);
  });

  test("several scopes open what each of them opens, and none opens everything", async () => {
    const { key } = await make({ scopes: ["read", "ingest"] });
    expect(await status(key)).toBe(200);
    expect((await it.call("POST", "/data-gateway/v1/identify", { key, body: { person_id: "a" } })).status).toBe(200);
    expect(await listed((await make({})).id)).toMatchObject({ scopes: null, expires_at: null });
  });

  test("a public key takes none", async () => {
    const answer = await it.call("POST", "/api/v1/api-keys", { body: { kind: "public", scopes: ["read"] } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: "/scopes" }] } });
  });
});

describe("a key that expires", () => {
  test("works until then, also where it is known, and says then that it expired", async () => {
    const { id, key } = await make({ expires_at: inMs(60_000) });
    expect(await status(key)).toBe(200);
    clock.forward(60_000);
    const answer = await it.call("GET", "/api/v1/workspace", { key });
    expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(answer.body.detail).toContain((await listed(id)).expires_at);
  });

  test("is not made in the past", async () => {
    const answer = await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret", expires_at: inMs(-1) } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: "/expires_at" }] } });
  });
});

describe("rolling", () => {
  const roll = (id: string, body?: object) => it.call("POST", `/api/v1/api-keys/${id}/roll`, { body });

  test("makes a key that may do the same, and the old one works for a day", async () => {
    const old = await make({ name: "billing", scopes: ["read"] });
    const { status: code, body } = await roll(old.id);
    expect(code).toBe(201);
    expect(body).toMatchObject({ kind: "secret", name: "billing", scopes: ["read"], expires_at: null });
    expect(body.replaces).toMatchObject({ id: old.id, expires_at: inMs(86_400_000) });
    expect([await status(old.key), await status(body.key)]).toEqual([200, 200]);
    clock.forward(86_400_000);
    expect([await status(old.key), await status(body.key)]).toEqual([401, 200]);
  });

  test("with an overlap of one's own, or none", async () => {
    const [one, two] = [await make({}), await make({})];
    const kept = await roll(one.id, { overlap: { amount: 2, unit: "hours" } });
    expect(kept.body.replaces.expires_at).toBe(inMs(7_200_000));
    expect((await roll(two.id, { overlap: null })).status).toBe(201);
    expect(await status(two.key)).toBe(401);
  });

  test("never lets a key live longer than it would have, and gives the new one as long a life", async () => {
    const old = await make({ expires_at: inMs(3_600_000) });
    const { body } = await roll(old.id);
    expect(body.replaces.expires_at).toBe(old.expires_at);
    expect(Date.parse(body.expires_at)).toBeGreaterThan(clock.now().getTime());
  });

  test("a key that has ended is not rolled, and another workspace's is not found", async () => {
    const { id } = await make({});
    await it.call("DELETE", `/api/v1/api-keys/${id}`);
    expect(await roll(id)).toMatchObject({ status: 409, body: { code: "conflict" } });
    const other = await it.another();
    const theirs = await it.call("POST", "/api/v1/api-keys", { key: other.secretKey, body: { kind: "secret" } });
    expect((await roll(theirs.body.id)).status).toBe(404);
  });
});

test("the list says when a key was last used, to the minute", async () => {
  const { id, key } = await make({});
  expect((await listed(id)).last_used_at).toBeNull();
  await status(key);
  const first = await until(async () => (await listed(id)).last_used_at, "the first use");
  expect(first).toBe(clock.now().toISOString());
});

test("the command line makes narrowed keys that end, and rolls them", async () => {
  const env = { DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };
  const run = async (...args: string[]) => {
    const command = tidings(["keys", ...args, "--json"], { env });
    expect(await command.exit).toBe(0);
    return JSON.parse(command.output());
  };
  const at = ["--workspace", (await it.call("GET", "/api/v1/workspace")).body.id];
  const made = await run("create", "--kind", "secret", "--scopes", "read,send", "--expires", "90d", ...at);
  expect(made).toMatchObject({ scopes: ["read", "send"], expires_at: expect.any(String) });
  const rolled = await run("roll", made.id, "--overlap", "1h");
  expect(rolled).toMatchObject({ scopes: ["read", "send"], key: expect.stringMatching(/^tid_sec_/) });
  const wrong = tidings(["keys", "create", "--kind", "secret", "--scopes", "root"], { env });
  expect(await wrong.exit).toBe(1);
});
