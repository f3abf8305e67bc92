import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { receiver, verifies } from "../../test/support/network/receiver.ts";
import { testService } from "../../test/support/service.ts";
import { HOOKS, webhookService } from "../../test/support/services/webhooks.ts";
import { until } from "../../test/support/wait.ts";
import { forget } from "./jobs.ts";

const { it, hooked, identify, send, heard, log, set } = await webhookService();
const options = { env: { ALLOW_PRIVATE_NETWORK: "true" }, encryptionKey: randomBytes(32) };
const shared = await testService({ ...options, roles: "api,worker" });
await testService({ ...options, roles: "worker", databaseUrl: shared.databaseUrl });

test("the events of a message are sent to the endpoint, signed as the receivers' library expects", async () => {
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

test("an endpoint gets the types that it asked for, of its own workspace only", async () => {
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

test("a row that a dead process had leased is sent by another process, with the same id", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  far.answer = (response) => void response.writeHead(500).end();
  await identify("kate");
  const row = await until(async () =>
    (await log(id)).find((one: { attempts: unknown[] }) => one.attempts.length === 1),
  );
  // As after kill -9: the row is leased by no living process until the lease ends.
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

test("the log is deleted after the workspace's retention_days, and after thirty days at the latest", async () => {
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
