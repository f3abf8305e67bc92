import { expect, test } from "vitest";
import { smsKinds } from "../../test/support/providers/kinds.ts";
import { providerService } from "../../test/support/services/providers.ts";
import { until } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";

// Messages that are useless after a while: `expires_in` of a trigger.

const { it, workspaceWith, trigger, logOf, ended, givenUp } = await providerService();
const { ground } = it.service;
const gateway = smsKinds.find((one) => one.kind === "http") as (typeof smsKinds)[number];
const code = (key: string, extra: object = {}) =>
  trigger(key, "sms", { identifiers: { id: "ada" }, to: "+4915112345678", body: "Code 1234", ...extra });
const REASON = /^expired: /;
const change = (id: string, set: ReturnType<typeof sql>) =>
  ground.db.execute(sql`update deliveries set ${set} where id = ${decodeId("dlv", id)}`);

test("it is sent like any other message while its time is not over, and the API shows the time", async () => {
  const far = await gateway.start();
  const { key } = await workspaceWith("sms", [{ setup: gateway, url: far.url }]);
  const before = Date.now();
  const log = await ended(key, await code(key, { expires_in: 600 }), "sent");
  expect(Date.parse(log.expires_at)).toBeGreaterThanOrEqual(before + 590_000);
  expect(Date.parse(log.expires_at)).toBeLessThanOrEqual(Date.now() + 610_000);
  expect((await ended(key, await code(key), "sent")).expires_at).toBeNull();
});

test.each([
  [120, "failed", /^expired: 503/],
  [900, "queued", /^503/],
])("with expires_in of %i a wait of 300 s leaves it %s", async (expires_in, status, reason) => {
  const far = await gateway.start();
  const { key } = await workspaceWith("sms", [{ setup: gateway, url: far.url }]);
  far.next.push({ status: 503, headers: { "retry-after": "300" } });
  const id = await code(key, { expires_in });
  await until(async () => (await logOf(key, id)).attempts === 1, "its attempt");
  expect(await logOf(key, id)).toMatchObject({ status, reason: expect.stringMatching(reason) });
});

test("it is counted from send_at, and a delivery that is claimed after it is not handed over", async () => {
  const far = await gateway.start();
  const { key } = await workspaceWith("sms", [{ setup: gateway, url: far.url }]);
  const sendAt = new Date(Date.now() + 3_600_000);
  const id = await code(key, { expires_in: 60, send_at: sendAt.toISOString() });
  expect((await logOf(key, id)).expires_at).toBe(new Date(sendAt.getTime() + 60_000).toISOString());
  await change(id, sql`due_at = now(), expires_at = now() - interval '1 second'`);
  expect((await ended(key, id, "failed")).reason).toMatch(REASON);
  expect(far.calls).toEqual([]);
});

test("it also ends a delivery whose providers rest", async () => {
  const far = await gateway.start();
  const setup = { ...gateway, credentials: gateway.wrong };
  const { key, ids } = await workspaceWith("sms", [{ setup, url: far.url }]);
  await code(key);
  await until(
    async () => (await it.call("GET", `/api/v1/providers/${ids[0]}`, { key })).body.state.status === "resting",
    "the provider resting",
  );
  const [over, waits] = [await code(key, { expires_in: 600 }), await code(key, { expires_in: 600 })];
  await change(over, sql`expires_at = now() - interval '1 second'`);
  expect((await givenUp(key, over)).reason).toMatch(REASON);
  expect(await logOf(key, waits)).toMatchObject({ status: "queued", attempts: 0 });
});

test.each([0, -1, 1.5, 2_592_001, "60"])("expires_in of %j is refused, naming the field", async (expires_in) => {
  const body = { identifiers: { id: "ada" }, to: "+4915112345678", body: "B", expires_in };
  const answer = await it.call("POST", "/data-gateway/transactionals/sms", { body });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: "invalid_request", errors: [{ pointer: "/expires_in" }] },
  });
});
