import { describe, expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";

const it = await testService();

describe("keys", () => {
  test("a request without a key is 401 with a problem that says what to do", async () => {
    const answer = await it.call("GET", "/api/v1/workspace", { key: null });
    expect(answer.status).toBe(401);
    expect(answer.headers["content-type"]).toMatch("application/problem+json");
    expect(answer.body).toMatchObject({
      code: "unauthenticated",
      status: 401,
      request_id: answer.headers["x-request-id"],
    });
  });

  test.each(["tid_sec_wrong", "tid_pub_wrong", "nonsense", ""])("the wrong key %j is 401", async (key) => {
    expect((await it.call("GET", "/api/v1/workspace", { key })).status).toBe(401);
  });

  test("a public key on a secret route is 403", async () => {
    const answer = await it.call("GET", "/api/v1/workspace", { key: it.publicKey });
    expect(answer).toMatchObject({ status: 403, body: { code: "key_not_permitted" } });
  });

  test("a key is taken as Bearer, as Basic user, as Basic password and as X-API-Key", async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
    for (const headers of [{ "x-api-key": it.secretKey }, basic(`${it.secretKey}:`), basic(`site:${it.secretKey}`)]) {
      expect((await it.call("GET", "/api/v1/workspace", { key: null, headers })).status).toBe(200);
    }
  });

  test("a key is shown once, works, and ends when it is revoked", async () => {
    const made = await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret", name: "ci" } });
    expect(made.status).toBe(201);
    expect(made.body.key).toMatch(/^tid_sec_/);
    const list = await it.call("GET", "/api/v1/api-keys");
    expect(JSON.stringify(list.body)).not.toContain(made.body.key);
    expect((await it.call("GET", "/api/v1/workspace", { key: made.body.key })).status).toBe(200);
    expect((await it.call("DELETE", `/api/v1/api-keys/${made.body.id}`)).status).toBe(204);
    await until(
      async () => (await it.call("GET", "/api/v1/workspace", { key: made.body.key })).status === 401,
      "the end of the key",
    );
  });

  test("making a key twice with one Idempotency-Key shows the same key, and keeps no readable copy", async () => {
    const headers = { "idempotency-key": "make-key" };
    const first = await it.call("POST", "/api/v1/api-keys", { body: { kind: "public" }, headers });
    const second = await it.call("POST", "/api/v1/api-keys", { body: { kind: "public" }, headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    const other = await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret" }, headers });
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    const kept = await it.service.ground.db.query({ text: "select answer::text from idempotency_keys", values: [] });
    expect(JSON.stringify(kept)).not.toContain(first.body.key);
  });

  test("another workspace's key id is 404, like a random one", async () => {
    const other = await it.another();
    const theirs = await it.call("POST", "/api/v1/api-keys", { key: other.secretKey, body: { kind: "public" } });
    const mine = await it.call("DELETE", `/api/v1/api-keys/${theirs.body.id}`);
    const random = await it.call("DELETE", "/api/v1/api-keys/key_00000000000000000000000000");
    expect([mine.status, random.status]).toEqual([404, 404]);
    expect(mine.body.detail).toBe(random.body.detail);
  });
});

describe("settings", () => {
  test("PATCH changes what it names and nothing else", async () => {
    const before = (await it.call("GET", "/api/v1/workspace")).body;
    const after = await it.call("PATCH", "/api/v1/workspace", { body: { name: "Acme", timezone: "Europe/Berlin" } });
    expect(after.body).toMatchObject({
      ...before,
      name: "Acme",
      timezone: "Europe/Berlin",
      updated_at: expect.any(String),
    });
  });

  test("limits of marketing are replaced as a whole, and null removes them", async () => {
    const set = async (marketing_limits: object | null) =>
      (await it.call("PATCH", "/api/v1/workspace", { body: { marketing_limits } })).body.marketing_limits;
    const limits = {
      per_day: 2,
      channels: { sms: { per_week: 1, window: null } },
      window: { from: "09:00", to: "20:00" },
    };
    expect(await set(limits)).toEqual(limits);
    expect(await set({ per_week: 5 })).toEqual({ per_week: 5 });
    expect((await it.call("GET", "/api/v1/workspace")).body.marketing_limits).toEqual({ per_week: 5 });
    expect(await set(null)).toEqual({});
  });

  test.each([
    [{ timezone: "Mars/Olympus" }, "/timezone"],
    [{ quiet_defaults: { timezone_mode: "device", start: "22:00", end: "22:00" } }, "/quiet_defaults/end"],
    [{ quiet_defaults: { timezone_mode: "device", start: "24:00", end: "22:00" } }, "/quiet_defaults/start"],
    [{ sender_defaults: { email_from: "nope" } }, "/sender_defaults/email_from"],
    [{ sender_defaults: { email_reply_to: "Acme <nope>" } }, "/sender_defaults/email_reply_to"],
    [{ marketing_limits: { per_day: 0 } }, "/marketing_limits/per_day"],
    [{ marketing_limits: { channels: { fax: { per_day: 1 } } } }, "/marketing_limits/channels/fax"],
    [{ marketing_limits: { window: { from: "09:00", to: "09:00" } } }, "/marketing_limits/window/to"],
    [{ marketing_limits: { window: { days: ["mo"] } } }, "/marketing_limits/window/days/0"],
    [{ marketing_limits: { window: {} } }, "/marketing_limits/window"],
    [
      { marketing_limits: { channels: { sms: { window: { to: "00:00" } } } } },
      "/marketing_limits/channels/sms/window/to",
    ],
    [{ colour: "red" }, "/colour"],
    [{ retention_days: 0 }, "/retention_days"],
  ])("PATCH %j is 400 and names the field", async (body, pointer) => {
    const answer = await it.call("PATCH", "/api/v1/workspace", { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });
});

describe("rate limits", () => {
  test("there is none until the workspace sets one, and then it holds for its group of routes only", async () => {
    const other = await it.another();
    const call = () => it.call("POST", "/data-gateway/v1/identify", { key: other.secretKey, body: { person_id: "p" } });
    for (let i = 0; i < 5; i++) expect((await call()).status).toBe(200);
    await it.call("PATCH", "/api/v1/workspace", { key: other.secretKey, body: { rate_limits: { ingestion: 3 } } });
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await call());
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[2]?.headers).toMatchObject({ "ratelimit-limit": "3", "ratelimit-remaining": "0" });
    expect(answers[3]?.body.code).toBe("rate_limited");
    expect(Number(answers[3]?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await it.call("GET", "/api/v1/workspace", { key: other.secretKey })).status).toBe(200);
    expect((await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "p" } })).status).toBe(200);
  });

  test("a stream beyond the limit is told when to reconnect, because EventSource gives up for ever at a 429", async () => {
    const other = await it.another();
    await it.call("PATCH", "/api/v1/workspace", { key: other.secretKey, body: { rate_limits: { in_app: 1 } } });
    const get = (name: string) =>
      it.call("GET", `/data-gateway/v1/in-app/messages/${name}?person_id=p`, { key: other.publicKey });
    expect((await get("sync")).status).toBe(200);
    const stream = await get("stream");
    expect(stream).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
    expect(stream.body).toMatch(/^retry: \d+000\n\n$/);
    expect((await get("sync")).status).toBe(429);
  });
});
