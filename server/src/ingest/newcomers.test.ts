import { beforeEach, expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";

const it = await testService();
let keys: { publicKey: string; secretKey: string };

/** Each test has a workspace of its own, whose public keys may create two people an hour. */
beforeEach(async () => {
  keys = await it.another();
  const body = { rate_limits: { new_people_per_hour: 2 } };
  expect((await it.call("PATCH", "/api/v1/workspace", { key: keys.secretKey, body })).status).toBe(200);
});

const post = (url: string, body: object, key = keys.publicKey) => it.call("POST", url, { key, body });
const identify = (person_id: string, key?: string) => post("/data-gateway/v1/identify", { person_id }, key);
const track = (person_id: string, key?: string) => post("/data-gateway/v1/track", { person_id, eventName: "e" }, key);
const device = (person_id: string) =>
  it.call("PUT", "/data-gateway/v1/devices", {
    key: keys.publicKey,
    body: { person_id, platform: "ios", token: `token-${person_id}` },
  });
const isKnown = async (person_id: string) =>
  (await it.call("GET", `/api/v1/people/${person_id}`, { key: keys.secretKey })).status === 200;

test("one new person too many of a public key is refused with what to do, and calls for known people succeed", async () => {
  expect((await identify("ada")).status).toBe(200);
  expect((await track("bob")).status).toBe(202);
  const refused = await identify("cy");
  expect(refused.body).toMatchObject({ status: 429, code: "rate_limited" });
  expect(refused.body.detail).toMatch(/secret key, raise rate_limits.new_people_per_hour/);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3_000);
  expect((await track("cy")).status).toBe(429);
  expect((await device("cy")).status).toBe(429);
  expect(await isKnown("cy")).toBe(false);
  expect((await identify("bob")).status).toBe(200);
  expect((await track("ada")).status).toBe(202);
  expect((await device("ada")).status).toBe(200);
});

test("a device counts the person whom it creates", async () => {
  expect((await device("ada")).status).toBe(200);
  expect((await identify("bob")).status).toBe(200);
  expect((await identify("cy")).status).toBe(429);
});

test("people whom a secret key creates are not counted, and it may create more when public keys may not", async () => {
  for (const id of ["a", "b", "c"]) expect((await identify(id, keys.secretKey)).status).toBe(200);
  expect((await track("d", keys.secretKey)).status).toBe(202);
  expect((await identify("e")).status).toBe(200);
  expect((await identify("f")).status).toBe(200);
  expect((await identify("g")).status).toBe(429);
  expect((await identify("g", keys.secretKey)).status).toBe(200);
  expect((await identify("g")).status, "now known").toBe(200);
});

test("in a batch the items of people beyond the limit are refused, and the others are stored", async () => {
  await identify("ada", keys.secretKey);
  const items = ["new-1", "ada", "new-2", "new-1", "new-3", "ada"].map((person_id, i) =>
    i % 2 === 0 ? { type: "identify", person_id } : { type: "track", person_id, eventName: "e" },
  );
  const { status, body } = await post("/data-gateway/v1/batch", { items });
  expect(status).toBe(200);
  expect(body.results).toEqual([
    { status: 200 },
    { status: 202 },
    { status: 200 },
    { status: 202 },
    { status: 429, code: "rate_limited" },
    { status: 202 },
  ]);
  expect(await isKnown("new-3")).toBe(false);
});

test("the limit holds for the clients of other services, too", async () => {
  const basic = { authorization: `Basic ${Buffer.from(`site:${keys.publicKey}`).toString("base64")}` };
  const customerio = (id: string) =>
    it.call("PUT", `/compat/customerio/api/v1/customers/${id}`, { key: null, headers: basic, body: {} });
  expect((await customerio("ada")).status).toBe(200);
  const track = (userId: string) => ({
    type: "track",
    userId,
    event: "e",
    context: { device: { token: `t-${userId}`, type: "ios" } },
  });
  const batch = [track("bob"), track("cy"), track("ada")];
  expect((await post("/compat/segment/v1/batch", { batch })).body).toEqual({ success: true });
  expect([await isKnown("ada"), await isKnown("bob"), await isKnown("cy")]).toEqual([true, true, false]);
  expect((await customerio("dee")).status).toBe(429);
});
