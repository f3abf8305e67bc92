import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Call, type Receiver, receiver, verifies } from "../../test/support/receiver.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { forget } from "./jobs.ts";

const it = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });
const { db } = it.service.ground;
const encryptionKey = randomBytes(32);
const options = { env: { ALLOW_PRIVATE_NETWORK: "true" }, encryptionKey };
const shared = await testService({ ...options, roles: "api,worker" });
await testService({ ...options, roles: "worker", databaseUrl: shared.databaseUrl });
const HOOKS = "/api/v1/webhooks";

async function hooked(extra: Record<string, unknown> = {}, key = it.secretKey) {
  const far = await receiver();
  const made = await it.call("POST", HOOKS, { key, body: { url: far.url, ...extra } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { far, id: made.body.id as string, secret: made.body.secret as string };
}

const identify = (person_id: string, key = it.secretKey, at = it) =>
  at.call("POST", "/data-gateway/v1/identify", {
    key,
    body: { person_id, attributes: { email: `${person_id}@example.test` } },
  });

const send = async (key = it.secretKey) => {
  const answer = await it.call("POST", "/data-gateway/transactionals/email", {
    key,
    body: { identifiers: { email: "ada@example.test" }, subject: "Hello", body: "<p>World</p>" },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.delivery_id as string;
};

/** The calls of one kind, once there are any. */
const heard = (far: Receiver, type: string): [Call, ...Call[]] | undefined => {
  const [first, ...more] = far.of(type);
  return first && [first, ...more];
};

const log = async (id: string, key = it.secretKey) =>
  (await it.call("GET", `${HOOKS}/${id}/deliveries`, { key })).body.data;
/** Makes every wait of the database be over. */
const hurry = () =>
  db.execute({
    text: "update webhook_deliveries set due_at = now() where lease_id is null and due_at > now()",
    values: [],
  });
const set = (text: string, ...values: unknown[]) => db.execute({ text, values });

test("what happened to a message is sent to the endpoint, signed as the receivers' library expects", async () => {
  const { far, secret } = await hooked();
  const deliveryId = await send();
  // Two calls under way at once may arrive in any order.
  const [sent] = await until(() => heard(far, "email.queued") && heard(far, "email.sent"), "both calls");
  for (const call of far.calls) expect(verifies(secret, call)).toBe(true);
  expect(sent.headers["webhook-id"]).toBe(sent.event.id);
  expect(sent.headers["content-type"]).toMatch(/^application\/json/);
  expect(sent.event).toMatchObject({
    id: expect.stringMatching(/^act_/),
    type: "email.sent",
    data: {
      delivery_id: deliveryId,
      person_id: "ada@example.test",
      channel: "email",
      source: "transactional",
      recipient: "ada@example.test",
      details: expect.any(Object),
    },
  });
  expect(verifies("whsec_bm90IHRoZSBzZWNyZXQgb2YgdGhpcyBvbmU=", sent)).toBe(false);
  expect(verifies(secret, { ...sent, body: sent.body.replace("ada", "eve") })).toBe(false);
});

test("an endpoint gets the kinds that it asked for, and no other workspace's", async () => {
  const other = await it.another();
  const { far } = await hooked({ types: ["email.sent", "person.*"] }, other.secretKey);
  await send();
  await identify("bob", other.secretKey);
  const mine = await send(other.secretKey);
  await until(() => heard(far, "email.sent") && heard(far, "person.identified"), "both calls");
  expect(far.of("email.queued")).toEqual([]);
  expect(far.of(mine)).toHaveLength(1);
  expect(far.of("email.sent")).toHaveLength(1);
});

test("what fails is sent again with the same id and a new timestamp, and the log shows each attempt", async () => {
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

test("the wait after a failure is the documented one, or what Retry-After asks for the whole endpoint", async () => {
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

test("410 disables the endpoint at once, and says so in the feed", async () => {
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

test("an endpoint where nothing succeeded for five days is disabled, one day before it is not", async () => {
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

test("a redirect is not followed and is a failure that says why", async () => {
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

test("an endpoint that never answers does not hold another up", async () => {
  const other = await it.another();
  const slow = await hooked({ types: ["person.identified"] }, other.secretKey);
  const quick = await hooked({ types: ["person.identified"] }, other.secretKey);
  slow.far.answer = () => {};
  for (let i = 0; i < 60; i++) await identify(`person-${i}`, other.secretKey);
  // Eight at a time and no more: none of them was answered. They are given up after 10 s.
  await until(() => slow.far.calls.length >= 8, "the calls to the slow one");
  expect(slow.far.calls).toHaveLength(8);
  await until(() => new Set(quick.far.calls.map((call) => call.event.id)).size === 60, "all calls to the quick one");
});

test("after a rotation both secrets sign, and only the new one once the time of the old is over", async () => {
  const { far, id, secret } = await hooked({ types: ["person.identified"] });
  const rotated = await it.call("POST", `${HOOKS}/${id}/secret`);
  expect(rotated.status).toBe(201);
  expect(Date.parse(rotated.body.previous_valid_until)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  await identify("hugo");
  const first = await until(() => far.calls[0], "the call");
  expect([verifies(secret, first), verifies(rotated.body.secret, first)]).toEqual([true, true]);
  const again = await it.call("POST", `${HOOKS}/${id}/secret`, { body: { overlap_hours: 0 } });
  const answer = await it.call("POST", `${HOOKS}/${id}/test`);
  expect(answer.body.ok).toBe(true);
  const last = far.of("webhook.test")[0];
  if (!last) throw new Error("no test call");
  expect([rotated.body.secret, again.body.secret].map((one) => verifies(one, last))).toEqual([false, true]);
});

test("a test call shows what the endpoint says, also of a disabled one", async () => {
  const { far, id, secret } = await hooked();
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: false } });
  far.answer = (response) => void response.writeHead(500).end("no");
  const failed = await it.call("POST", `${HOOKS}/${id}/test`);
  expect(failed.body).toMatchObject({ ok: false, status: 500, answer: "no", error: null });
  const call = far.of("webhook.test")[0];
  if (!call) throw new Error("no test call");
  expect(verifies(secret, call)).toBe(true);
  expect(call.event.id).toBe(failed.body.event_id);
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { url: "http://127.0.0.1:1/" } });
  const dead = await it.call("POST", `${HOOKS}/${id}/test`);
  expect(dead.body).toMatchObject({ ok: false, status: null, error: expect.stringMatching(/connection/) });
});

test("one delivery, or all since a time, are sent again with the ids they had", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  const before = new Date();
  await identify("ida");
  await identify("ivan");
  await until(
    async () =>
      (await log(id)).every((row: { status: string }) => row.status === "delivered") && far.calls.length === 2,
  );
  const ids = far.calls.map((call) => call.event.id).toSorted();
  const one = await it.call("POST", `${HOOKS}/${id}/deliveries/${ids[0]}/replay`);
  expect([one.status, one.body]).toEqual([202, { id: ids[0], status: "pending" }]);
  const repeated = async () => (await log(id)).find((row: { id: string }) => row.id === ids[0]);
  // Written, too: a replay leaves alone what is being sent.
  await until(async () => (await repeated()).attempts.length === 2, "the repeat");
  expect(far.calls.filter((call) => call.event.id === ids[0])).toHaveLength(2);
  const all = await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since: before.toISOString() } });
  expect(all.status).toBe(202);
  await until(() => ids.every((each) => far.calls.filter((call) => call.event.id === each).length >= 2), "the replay");
  await until(() => far.calls.filter((call) => call.event.id === ids[0]).length === 3, "the replay of the first");
});

test("a disabled endpoint gets nothing, and after a replay what it missed", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: false } });
  expect((await it.call("GET", `${HOOKS}/${id}`)).body).toMatchObject({ enabled: false, disabled_reason: "manual" });
  const since = new Date().toISOString();
  await identify("jane");
  const early = await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since } });
  expect([early.status, early.body.code]).toEqual([409, "webhook_disabled"]);
  const enabled = await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: true } });
  expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null });
  await identify("john");
  await until(() => far.calls.length === 1, "the call");
  expect(far.calls[0]?.event.data.person_id).toBe("john");
  await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since } });
  await until(() => far.calls.some((call) => call.event.data.person_id === "jane"), "what it missed");
});

test("what a process that died had leased is sent by another, with the same id", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  far.answer = (response) => void response.writeHead(500).end();
  await identify("kate");
  const row = await until(async () =>
    (await log(id)).find((one: { attempts: unknown[] }) => one.attempts.length === 1),
  );
  // As a kill -9 leaves it: leased by nobody who lives, until the lease is over.
  await set(
    "update webhook_deliveries set lease_id = gen_random_uuid(), due_at = now() + interval '1 hour' where payload like $1",
    `%${row.id}%`,
  );
  far.answer = (response) => void response.writeHead(200).end();
  await set("update webhook_deliveries set due_at = now() - interval '1 second' where payload like $1", `%${row.id}%`);
  await until(async () => (await log(id))[0].status === "delivered", "the delivery");
  expect(far.calls.length).toBeGreaterThanOrEqual(2);
  expect(new Set(far.calls.map((call) => call.event.id))).toEqual(new Set([row.id]));
});

test("the log is forgotten after the workspace's retention_days, thirty at the most", async () => {
  const other = await it.another();
  const { far, id } = await hooked({ types: ["person.identified"] }, other.secretKey);
  for (const person of ["old", "older", "young"]) await identify(person, other.secretKey);
  await until(
    async () =>
      far.calls.length === 3 &&
      (await log(id, other.secretKey)).every(({ status }: { status: string }) => status === "delivered"),
    "the calls",
  );
  const age = (person: string, days: number) =>
    set(
      "update webhook_deliveries set created_at = created_at - $1 * interval '1 day' where payload like $2",
      days,
      `%"person_id":"${person}"%`,
    );
  const people = async () =>
    (await log(id, other.secretKey)).map((row: { payload: { data: object } }) => row.payload.data);
  await age("older", 31);
  await age("old", 8);
  await forget(it.service.ground);
  expect(await people()).toMatchObject([{ person_id: "young" }, { person_id: "old" }]);
  await it.call("PATCH", "/api/v1/workspace", { key: other.secretKey, body: { retention_days: 7 } });
  await forget(it.service.ground);
  expect(await people()).toMatchObject([{ person_id: "young" }]);
});

test("two workers on one database send each event once", async () => {
  const far = await receiver();
  await shared.call("POST", HOOKS, { body: { url: far.url, types: ["person.identified"] } });
  const people = Array.from({ length: 60 }, (_, i) => `p${i}`);
  await Promise.all(people.map((person) => identify(person, shared.secretKey, shared)));
  await until(async () => {
    const [row] = await shared.service.ground.db.query<{ n: number }>({
      text: "select count(*) as n from webhook_deliveries where status = 'delivered'",
      values: [],
    });
    return row?.n === 60;
  }, "all sixty");
  expect(far.calls).toHaveLength(60);
});
