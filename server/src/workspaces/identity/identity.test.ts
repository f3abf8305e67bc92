import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";

const clock = testClock("2026-06-01T12:00:00Z");
const it = await testService({ clock });
const inApp = "/data-gateway/v1/in-app/messages";
const sync = (person: string, token?: string, key = it.publicKey) =>
  it.call("GET", `${inApp}/sync?person_id=${person}`, {
    key,
    headers: token === undefined ? {} : { "x-person-token": token },
  });
const mode = (identity_verification: string) =>
  it.call("PATCH", "/api/v1/workspace", { body: { identity_verification } });
const makeSecret = async () =>
  (await it.call("POST", "/api/v1/signing-secrets")).body as { kid: string; secret: string };

interface Claims {
  sub?: string;
  minutes?: number;
  kid?: string | null;
  alg?: string;
}
const sign = ({ kid, secret }: { kid: string; secret: string }, claims: Claims = {}) => {
  const { sub = "ada", minutes = 60, alg = "HS256" } = claims;
  const named = claims.kid === undefined ? kid : claims.kid;
  return new SignJWT({})
    .setProtectedHeader({ alg, ...(named !== null && { kid: named }) })
    .setSubject(sub)
    .setExpirationTime(Math.floor(clock.now().getTime() / 1000) + minutes * 60)
    .sign(Buffer.from(secret));
};

const first = await makeSecret();
const second = await makeSecret();

describe("signing secrets", () => {
  test("a secret is shown once, and only sealed in the database", async () => {
    expect(first).toMatchObject({ kid: expect.stringMatching(/^sig_/), secret: expect.stringMatching(/^[\w-]{43}$/) });
    const list = await it.call("GET", "/api/v1/signing-secrets");
    expect(list.body.data.map((row: { kid: string }) => row.kid).toSorted()).toEqual(
      [first.kid, second.kid].toSorted(),
    );
    const rows = await it.service.ground.db.query({ text: "select * from signing_secrets", values: [] });
    expect(JSON.stringify([list.body, rows])).not.toContain(first.secret);
  });

  test("two live at once and a third is 409, until one is revoked", async () => {
    expect(await it.call("POST", "/api/v1/signing-secrets", { body: {} })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
  });

  test("the list is paged", async () => {
    const one = (await it.call("GET", "/api/v1/signing-secrets?limit=1")).body;
    const two = (await it.call("GET", `/api/v1/signing-secrets?limit=1&cursor=${one.next_cursor}`)).body;
    expect([one.data[0].kid, two.data[0].kid].toSorted()).toEqual([first.kid, second.kid].toSorted());
    expect(two.next_cursor).toBeNull();
  });
});

describe("monitor, the default", () => {
  test("unsigned and wrongly signed calls work and are counted", async () => {
    for (const token of [undefined, undefined, "nonsense", await sign(first, { sub: "grace" })])
      expect((await sync("ada", token)).status).toBe(200);
    expect((await sync("ada", await sign(first))).status).toBe(200);
    await until(async () => {
      const { unverified_calls: calls } = (await it.call("GET", "/api/v1/workspace")).body;
      return calls.unsigned === 2 && calls.invalid === 2;
    }, "the counts");
  });

  test("a secret key is not counted", async () => {
    const before = (await it.call("GET", "/api/v1/workspace")).body.unverified_calls;
    await sync("ada", undefined, it.secretKey);
    expect((await it.call("GET", "/api/v1/workspace")).body.unverified_calls).toEqual(before);
  });
});

describe("required", () => {
  test("a call without a token, with a wrong, an expired or another person's one is 401 and says which", async () => {
    await mode("required");
    const cases: [string | undefined, string][] = [
      [undefined, "person_token_missing"],
      ["nonsense", "person_token_invalid"],
      [await sign(first, { sub: "grace" }), "person_token_invalid"],
      [await sign({ kid: first.kid, secret: "x".repeat(43) }), "person_token_invalid"],
      [await sign({ kid: "sig_none", secret: first.secret }), "person_token_invalid"],
      [await sign(first, { minutes: 25 * 60 }), "person_token_invalid"],
      [await sign(first, { alg: "HS512" }), "person_token_invalid"],
      [await sign(first, { minutes: -5 }), "person_token_expired"],
      [await sign(first, { minutes: 0 }), "person_token_expired"],
      [
        `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"ada","exp":9999999999}').toString("base64url")}.`,
        "person_token_invalid",
      ],
    ];
    for (const [token, code] of cases)
      expect(await sync("ada", token), code).toMatchObject({ status: 401, body: { code } });
  });

  test("either secret signs, with its kid or without one, and a secret key speaks for any person", async () => {
    for (const secret of [first, second]) {
      for (const kid of [undefined, null])
        expect((await sync("ada", await sign(secret, kid === null ? { kid } : {}))).status).toBe(200);
    }
    expect((await sync("grace", undefined, it.secretKey)).status).toBe(200);
  });

  test("a token that was good expires", async () => {
    const token = await sign(first, { minutes: 10 });
    expect((await sync("ada", token)).status).toBe(200);
    clock.forward(12 * 60_000);
    expect(await sync("ada", token)).toMatchObject({ status: 401, body: { code: "person_token_expired" } });
  });

  test("a token for one person does nothing for another, on every route that a public key may call", async () => {
    const message = await it.call("POST", "/api/v1/in-app-messages", {
      body: { name: "m", render_type: "modal", body: "b" },
    });
    await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "grace" } });
    const { delivery_id } = (
      await it.call("POST", `/api/v1/in-app-messages/${message.body.id}/test-sends`, { body: { person_id: "grace" } })
    ).body;
    const token = await sign(second);
    const document = (await it.call("GET", "/openapi.json", { key: null })).body as {
      paths: Record<string, Record<string, { requestBody?: object }>>;
    };
    const routes = Object.entries(document.paths)
      .filter(([path]) => path.startsWith("/data-gateway/v1"))
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, { requestBody }]) => ({
          path,
          method: method.toUpperCase() as "GET",
          body: requestBody,
        })),
      );
    expect(routes.length).toBeGreaterThan(8);
    for (const { path, method, body } of routes.filter(({ path }) => !path.endsWith("/batch"))) {
      const full = {
        person_id: "grace",
        eventName: "x",
        platform: "ios",
        token: "t",
        items: [{ delivery_id, type: "dismiss", event_id: "e" }],
      };
      const answer = await it.call(
        method,
        `${path.replace(/\{[^}]+\}/, delivery_id)}${body ? "" : "?person_id=grace"}`,
        {
          key: it.publicKey,
          headers: { "x-person-token": token },
          ...(body && { body: full }),
        },
      );
      expect(answer, `${method} ${path}`).toMatchObject({ status: 401, body: { code: "person_token_invalid" } });
    }
    const items = [
      { type: "identify", person_id: "grace", attributes: { hacked: true } },
      { type: "identify", person_id: "ada", attributes: { plan: "pro" } },
    ];
    const batch = await it.call("POST", "/data-gateway/v1/batch", {
      key: it.publicKey,
      headers: { "x-person-token": token },
      body: { items },
    });
    expect(batch.body.results).toEqual([{ status: 401, code: "person_token_invalid" }, { status: 200 }]);
    expect((await it.call("GET", "/api/v1/people/grace")).body.attributes).toEqual({});
    expect((await sync("grace", await sign(first, { sub: "grace" }))).body).toHaveLength(1);
  });

  test("the token may stand in the address on the stream only", async () => {
    const token = await sign(first);
    expect(
      (await it.call("GET", `${inApp}/sync?person_id=ada&person_token=${token}`, { key: it.publicKey })).status,
    ).toBe(401);
    const address = await it.service.listen();
    const open = (query: string) => fetch(`${address}${inApp}/stream?person_id=ada&api_key=${it.publicKey}${query}`);
    expect((await open("")).status).toBe(401);
    const stream = await open(`&person_token=${token}`);
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    await stream.body?.cancel();
  });

  test("a revoked secret proves nothing any more, and its place is free", async () => {
    const token = await sign(first);
    expect((await sync("ada", token)).status).toBe(200);
    expect((await it.call("DELETE", `/api/v1/signing-secrets/${first.kid}`)).status).toBe(204);
    await until(async () => (await sync("ada", token)).status === 401, "the end of the secret");
    expect((await sync("ada", await sign(second))).status).toBe(200);
    expect((await it.call("POST", "/api/v1/signing-secrets", { body: {} })).status).toBe(201);
    expect((await it.call("DELETE", "/api/v1/signing-secrets/sig_unknown")).status).toBe(404);
  });
});

test("off: nothing is asked and nothing counted", async () => {
  await mode("off");
  const before = (await it.call("GET", "/api/v1/workspace")).body.unverified_calls;
  expect((await sync("ada", "nonsense")).status).toBe(200);
  expect((await it.call("GET", "/api/v1/workspace")).body.unverified_calls).toEqual(before);
});
