import { readFileSync } from "node:fs";
import { eventTypes } from "@tidings/contract/webhooks";
import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";

// Without ALLOW_PRIVATE_NETWORK, as in production.
const it = await testService();
const HOOKS = "/api/v1/webhooks";
const make = (body: object, headers: Record<string, string> = {}) => it.call("POST", HOOKS, { body, headers });

test("an endpoint is created, listed, changed and removed, and its secret is shown once", async () => {
  const made = await make({ url: "https://hooks.example.com/in", types: ["email.*"], description: "Billing" });
  expect(made.status).toBe(201);
  const { secret, ...shown } = made.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toMatchObject({
    id: expect.stringMatching(/^whk_/),
    url: "https://hooks.example.com/in",
    types: ["email.*"],
    description: "Billing",
    enabled: true,
    disabled_at: null,
    disabled_reason: null,
  });
  const path = `${HOOKS}/${shown.id}`;
  expect((await it.call("GET", path)).body).toEqual(shown);
  expect((await it.call("GET", HOOKS)).body.data).toContainEqual(shown);
  const changed = await it.call("PATCH", path, { body: { types: [], url: "https://hooks.example.com/two" } });
  expect(changed.body).toMatchObject({ types: [], url: "https://hooks.example.com/two", description: "Billing" });
  expect((await it.call("DELETE", path)).status).toBe(204);
  expect((await it.call("GET", path)).status).toBe(404);
  expect((await it.call("DELETE", path)).status).toBe(404);
});

test("a repeat with the same Idempotency-Key returns the same endpoint and secret", async () => {
  const body = { url: "https://hooks.example.com/once" };
  const [first, second] = [
    await make(body, { "idempotency-key": "w1" }),
    await make(body, { "idempotency-key": "w1" }),
  ];
  expect(second.body).toEqual(first.body);
  expect(second.headers["idempotent-replayed"]).toBe("true");
});

test("secrets are sealed at rest", async () => {
  const { body } = await make({ url: "https://hooks.example.com/sealed" });
  const rows = await it.service.ground.db.query<{ secret: string }>({
    text: "select secret from webhooks",
    values: [],
  });
  for (const { secret } of rows) expect(secret).not.toContain(body.secret.slice(6));
});

test.each([
  [{}, "/url"],
  [{ url: "" }, "/url"],
  [{ url: "hooks.example.com" }, "/url"],
  [{ url: "ftp://hooks.example.com" }, "/url"],
  [{ url: "https://me:secret@hooks.example.com" }, "/url"],
  [{ url: "https://hooks.example.com/#part" }, "/url"],
  [{ url: `https://hooks.example.com/${"x".repeat(2_000)}` }, "/url"],
  [{ url: "https://hooks.example.com/\n" }, "/url"],
  [{ url: 5 }, "/url"],
  [{ url: "https://hooks.example.com", types: "email.sent" }, "/types"],
  [{ url: "https://hooks.example.com", types: ["email.snet"] }, "/types/0"],
  [{ url: "https://hooks.example.com", types: Array(101).fill("email.sent") }, "/types"],
  [{ url: "https://hooks.example.com", description: "x".repeat(501) }, "/description"],
  [{ url: "https://hooks.example.com", secret: "whsec_mine" }, "/secret"],
])("%j is refused with the field's name", async (body, pointer) => {
  const answer = await make(body);
  expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
  expect(answer.body.errors[0].pointer).toBe(pointer);
});

test.each([
  "http://127.0.0.1/hook",
  "http://2130706433/",
  "http://[::1]:4000/",
  "http://169.254.169.254/latest/meta-data",
  "http://10.0.0.8/",
  "http://localhost:4000/",
  "https://db.localhost/",
])("the private address %s is refused, when made and when changed", async (url) => {
  const made = await make({ url });
  expect([made.status, made.body.code]).toEqual([422, "address_not_allowed"]);
  const { body } = await make({ url: "https://hooks.example.com/p" });
  const changed = await it.call("PATCH", `${HOOKS}/${body.id}`, { body: { url } });
  expect(changed.body.code).toBe("address_not_allowed");
  await it.call("DELETE", `${HOOKS}/${body.id}`);
});

test("an address that became private is refused when it is called", async () => {
  const { body } = await make({ url: "https://hooks.example.com/moved" });
  const text = "update webhooks set url = 'http://127.0.0.1:1/' where url like '%moved'";
  await it.service.ground.db.execute({ text, values: [] });
  const tested = await it.call("POST", `${HOOKS}/${body.id}/test`);
  expect(tested.body).toMatchObject({ ok: false, status: null, error: expect.stringMatching(/public internet/) });
});

test("ids of another workspace and invented ids are unknown on every route", async () => {
  const other = await it.another();
  const { body } = await it.call("POST", HOOKS, { key: other.secretKey, body: { url: "https://hooks.example.com/o" } });
  const event = "act_01h455vb4pex5vsknk084sn02q";
  const since = { since: "2026-01-01T00:00:00Z" };
  for (const id of [body.id, "whk_01h455vb4pex5vsknk084sn02q", "whk_x", "nonsense", "..%2f"]) {
    const path = `${HOOKS}/${id}`;
    const answers = [
      await it.call("GET", path),
      await it.call("PATCH", path, { body: { enabled: false } }),
      await it.call("DELETE", path),
      await it.call("POST", `${path}/secret`),
      await it.call("POST", `${path}/test`),
      await it.call("GET", `${path}/deliveries`),
      await it.call("POST", `${path}/replay`, { body: since }),
      await it.call("POST", `${path}/deliveries/${event}/replay`),
    ];
    expect(answers.map((answer) => [answer.status, answer.body.code])).toEqual(Array(8).fill([404, "not_found"]));
  }
  const mine = (await make({ url: "https://hooks.example.com/m" })).body.id;
  for (const id of [event, "act_x", "nonsense"])
    expect((await it.call("POST", `${HOOKS}/${mine}/deliveries/${id}/replay`)).status).toBe(404);
});

test.each([
  {},
  { since: "yesterday" },
  { since: "2026-02-30T00:00:00Z" },
  { since: "9998-01-01T00:00:00Z" },
  { since: 5 },
])("a replay since %j is refused", async (body) => {
  const { id } = (await make({ url: "https://hooks.example.com/r" })).body;
  const answer = await it.call("POST", `${HOOKS}/${id}/replay`, { body });
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, "/since"]);
});

test("a workspace has at most fifty endpoints, also if the last ones are created at once", async () => {
  const { secretKey } = await it.another();
  const one = (i: number) =>
    it.call("POST", HOOKS, { key: secretKey, body: { url: `https://hooks.example.com/${i}` } });
  for (let i = 0; i < 47; i++) expect((await one(i)).status).toBe(201);
  const answers = await Promise.all([47, 48, 49, 50, 51, 52].map(one));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status, body }) => status === 409 && body.code === "limit_reached")).toHaveLength(3);
});

test("docs/webhooks.md lists every kind of event, and no other", () => {
  const text = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = ""]) => cell).join(" ");
  const named = [...rows.matchAll(/`([^`]+)`/g)].map(([, type]) => type);
  expect(named.toSorted()).toEqual([...eventTypes].toSorted());
});
