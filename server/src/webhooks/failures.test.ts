import { expect, onTestFinished, test } from "vitest";
import { receiver, verifies } from "../../test/support/network/receiver.ts";
import { HOOKS, webhookService } from "../../test/support/services/webhooks.ts";
import { until } from "../../test/support/wait.ts";
import type { Statement } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import type { ClaimedCall } from "./delivery-store.ts";

// Calls that fail.

const { it, hooked, identify, log, hurry, set } = await webhookService();

test("a failed event is sent again with the same id and a new timestamp, and the log shows each attempt", async () => {
  const { far, id, secret } = await hooked({ types: ["person.identified"] });
  let left = 2;
  far.answer = (response) => void response.writeHead(left-- > 0 ? 500 : 200).end("x".repeat(5_000));
  await identify("carol");
  const done = await until(async () => {
    await hurry();
    return (await log(id)).find((row: { status: string }) => row.status === "delivered");
  }, "the delivery");
  expect(done.attempts.map((attempt: { status: number }) => attempt.status)).toEqual([500, 500, 200]);
  expect(done.attempts[0].answer).toBe("x".repeat(1_024));
  expect(done).toMatchObject({ next_attempt_at: null, delivered_at: expect.any(String), type: "person.identified" });
  expect(new Set(far.calls.map((call) => call.headers["webhook-id"]))).toEqual(new Set([done.id]));
  expect(new Set(far.calls.map((call) => call.body)).size).toBe(1);
  for (const call of far.calls) expect(verifies(secret, call)).toBe(true);
  expect((await it.call("GET", `${HOOKS}/${id}`)).body.failing_since).toBeNull();
});

test("the wait after a failure is the documented one, or the Retry-After of the whole endpoint", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  far.answer = (response) => void response.writeHead(429, { "retry-after": "600" }).end();
  await identify("dora");
  const row = await until(async () =>
    (await log(id)).find((one: { attempts: unknown[] }) => one.attempts.length === 1),
  );
  expect(Date.parse(row.next_attempt_at) - Date.parse(row.attempts[0].at)).toBeGreaterThan(590_000);
  const hook = (await it.call("GET", `${HOOKS}/${id}`)).body;
  expect(Date.parse(hook.resting_until)).toBeGreaterThan(Date.now() + 500_000);
  await identify("dora2");
  await until(async () => (await log(id)).length === 2, "the second in the log");
  expect((await log(id)).map((one: { attempts: unknown[] }) => one.attempts.length)).toEqual([0, 1]);
});

test("410 disables the endpoint at once, with an event in the feed", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  far.answer = (response) => void response.writeHead(410).end();
  await identify("emil");
  await until(async () => (await it.call("GET", `${HOOKS}/${id}`)).body.enabled === false, "the disabling");
  expect((await it.call("GET", `${HOOKS}/${id}`)).body).toMatchObject({ disabled_reason: "gone" });
  expect((await log(id))[0]).toMatchObject({ status: "failed", next_attempt_at: null });
  const feed = await until(async () => {
    const { data } = (await it.call("GET", "/api/v1/events?types=webhook.disabled")).body;
    return data.find((event: { data: { details: { webhook_id: string } } }) => event.data.details.webhook_id === id);
  }, "the notice");
  expect(feed).toMatchObject({ type: "webhook.disabled", data: { person_id: null, details: { reason: "gone" } } });
});

test("an endpoint is disabled after five days without a success, and not a day before", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  far.answer = (response) => void response.writeHead(500).end();
  await identify("fred");
  await until(async () => (await log(id))[0]?.attempts.length === 1, "the first attempt");
  const failingFor = (days: number) =>
    set(`update webhooks set failing_since = now() - $1 * interval '1 day' where url = $2`, days, far.url);
  await failingFor(4);
  await hurry();
  await until(async () => (await log(id))[0]?.attempts.length === 2, "the second attempt");
  expect((await it.call("GET", `${HOOKS}/${id}`)).body.enabled).toBe(true);
  await failingFor(5.01);
  await hurry();
  await until(async () => (await it.call("GET", `${HOOKS}/${id}`)).body.enabled === false, "the disabling");
  expect((await it.call("GET", `${HOOKS}/${id}`)).body.disabled_reason).toBe("failing");
});

test("a redirect is not followed, and is a failure with its reason", async () => {
  const target = await receiver();
  const { far, id } = await hooked({ types: ["person.identified"] });
  far.answer = (response) => void response.writeHead(302, { location: target.url }).end();
  await identify("gina");
  const row = await until(async () =>
    (await log(id)).find((one: { attempts: unknown[] }) => one.attempts.length === 1),
  );
  expect(row.attempts[0]).toMatchObject({ status: 302, error: expect.stringMatching(/Redirects/) });
  expect(row.status).toBe("pending");
  expect(target.calls).toEqual([]);
});

test("a row of a claim whose answer was lost is sent long before its lease ends", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  const { workDb } = it.service.ground;
  const { query } = workDb;
  onTestFinished(() => void Object.assign(workDb, { query }));
  let isLost = false;
  workDb.query = async <R>(statement: Statement) => {
    const rows = await query<R>(statement);
    const isIts = (row: R) => encodeId("whk", (row as ClaimedCall).webhookId) === id;
    if (isLost || statement.name !== "webhooks.claim" || !rows.some(isIts)) return rows;
    isLost = true;
    throw new Error("the connection went silent");
  };
  await identify("hanna");
  await until(() => far.calls.length === 1, "the call", 30_000);
  expect(isLost).toBe(true);
});

test("an endpoint that never answers does not delay another", async () => {
  const other = await it.another();
  const slow = await hooked({ types: ["person.identified"] }, other.secretKey);
  const quick = await hooked({ types: ["person.identified"] }, other.secretKey);
  slow.far.answer = () => {};
  for (let i = 0; i < 60; i++) await identify(`person-${i}`, other.secretKey);
  // Only eight at once: none of them was answered. They end after 10 s.
  await until(() => slow.far.calls.length >= 8, "the calls to the slow one");
  expect(slow.far.calls).toHaveLength(8);
  await until(() => new Set(quick.far.calls.map((call) => call.event.id)).size === 60, "all calls to the quick one");
});

test("fifty endpoints of one workspace that never answer take their share, and another workspace's are called meanwhile", async () => {
  const [greedy, other] = [await it.another(), await it.another()];
  const types = ["person.identified"];
  const far = await receiver();
  const at = { once: 0, most: 0 };
  far.answer = (response) => {
    at.most = Math.max(at.most, ++at.once);
    response.on("close", () => at.once--);
  };
  for (let i = 0; i < 50; i++) await it.call("POST", HOOKS, { key: greedy.secretKey, body: { url: far.url, types } });
  const quick = await hooked({ types }, other.secretKey);
  for (let i = 0; i < 30; i++) await identify(`person-${i}`, greedy.secretKey);
  await until(() => far.calls.length >= 100, "the calls to those that hang");
  await identify("ada", other.secretKey);
  await until(() => quick.far.calls.length === 1, "the call to the quick one");
  // 1,500 calls wait. Eight at once for each endpoint would be 400, but their workspace has only 128 of the 512 places.
  expect(at.most).toBeLessThanOrEqual(128);
});
