import { expect, test } from "vitest";
import { testService } from "../test/support/service.ts";

const it = await testService();

/** A workspace with the same limit a minute for each group of routes. */
async function limited(most: number) {
  const other = await it.another();
  const rate_limits = { ingestion: most, triggers: most, in_app: most };
  await it.call("PATCH", "/api/v1/workspace", { key: other.secretKey, body: { rate_limits } });
  const post = (url: string, body: object) => it.call("POST", url, { key: other.secretKey, body });
  return post;
}
const times = <T>(n: number, one: T): T[] => Array<T>(n).fill(one);

test.each([
  ["/data-gateway/v1/batch", (n: number) => ({ items: times(n, { type: "track", person_id: "p", eventName: "e" }) })],
  [
    "/data-gateway/transactionals/batch",
    (n: number) => ({ items: times(n, { channel: "sms", identifiers: { id: "p" } }) }),
  ],
  [
    "/data-gateway/v1/in-app/messages/interactions",
    (n: number) => ({
      person_id: "p",
      items: Array.from({ length: n }, (_, i) => ({ delivery_id: "dlv_x", type: "click", event_id: `e${i}` })),
    }),
  ],
  ["/compat/segment/v1/batch", (n: number) => ({ batch: times(n, { type: "track", userId: "p", event: "e" }) })],
  [
    "/compat/customerio/api/v2/batch",
    (n: number) => ({ batch: times(n, { type: "person", action: "identify", identifiers: { id: "p" } }) }),
  ],
])("a batch of %s counts its items", async (url, body) => {
  const post = await limited(10);
  expect((await post(url, body(8))).status).toBeLessThan(300);
  const beyond = await post(url, body(8));
  expect(beyond.status).toBe(429);
  expect(Number(beyond.headers["retry-after"])).toBeGreaterThan(0);
  expect(JSON.stringify(beyond.body)).toMatch(/leaves room for 2 more, and the batch has 8 items/);
  expect((await post(url, body(1))).status).toBeLessThan(300);
  expect((await post(url, body(1))).status).toBe(429);
});

test("a batch larger than the limit is refused as too large, and none of its items is taken", async () => {
  const post = await limited(5);
  const items = times(6, { type: "identify", person_id: "too-many" });
  const answer = await post("/data-gateway/v1/batch", { items });
  expect(answer.body).toMatchObject({ status: 429, detail: expect.stringContaining("send smaller ones") });
  expect((await it.call("GET", "/api/v1/people/too-many")).status).toBe(404);
});

test("wrong keys are limited by address, and a right key from the same address still works", async () => {
  const from = async (remoteAddress: string, key: string) =>
    it.service.app.inject({ url: "/api/v1/workspace", remoteAddress, headers: { authorization: `Bearer ${key}` } });
  for (let i = 0; i < 10; i++) expect((await from("203.0.113.7", `tid_sec_guess${i}`)).statusCode).toBe(401);
  const slowed = await from("203.0.113.7", "tid_sec_guess11");
  const known = await from("203.0.113.7", "tid_sec_guess3");
  expect(known.statusCode, "one that came before is still told that it is wrong").toBe(401);
  expect(slowed.json()).toMatchObject({ status: 429, code: "rate_limited" });
  expect(Number(slowed.headers["retry-after"])).toBeGreaterThan(0);
  expect((await from("203.0.113.7", it.secretKey)).statusCode).toBe(200);
  expect((await from("203.0.113.8", "tid_sec_guess12")).statusCode).toBe(401);
  // A header does not change the address that counts.
  const forwarded = await it.service.app.inject({
    url: "/api/v1/workspace",
    remoteAddress: "203.0.113.7",
    headers: { authorization: "Bearer tid_sec_guess13", "x-forwarded-for": "198.51.100.1" },
  });
  expect(forwarded.statusCode).toBe(429);
});

test("all addresses of one IPv6 network (/64) count as one address", async () => {
  let guess = 0;
  const from = async (remoteAddress: string) =>
    (
      await it.service.app.inject({
        url: "/api/v1/workspace",
        remoteAddress,
        headers: { "x-api-key": `tid_sec_guess${guess++}` },
      })
    ).statusCode;
  for (let i = 0; i < 10; i++) expect(await from(`2001:db8::${i + 1}:0:0:1`)).toBe(401);
  expect(await from("2001:db8:0:0:ffff::1")).toBe(429);
  expect(await from("2001:db8:0:1::1")).toBe(401);
});
