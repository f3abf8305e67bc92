import { expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { entriesWhere, LIVE_CHANGED } from "../activity/index.ts";
import { type Db, sql, type Tx } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { collect } from "../webhooks/collect.ts";
import { personKey } from "../workspaces/index.ts";
import { erasePerson } from "./holdings/erase.ts";
import { eraseLate, forgetMarks } from "./holdings/late.ts";

const clock = testClock("2026-03-10T12:00:00.000Z");
const it = await testService({ clock, env: { ALLOW_PRIVATE_NETWORK: "true" } });
const { ground } = it.service;
const { db } = ground;
const DAY = 86_400_000;

const identify = (person_id: string, attributes: object = {}) =>
  it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes } });
const track = (person_id: string, more: object = {}) =>
  it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName: "came", ...more } });
const device = (person_id: string) =>
  it.call("PUT", "/data-gateway/v1/devices", { body: { person_id, platform: "ios", token: `t-${person_id}` } });
const person = async (id: string) => (await it.call("GET", `/api/v1/people/${id}`)).status;
async function erased(id: string): Promise<string> {
  expect((await identify(id, { email: `${id}@example.test` })).status).toBe(200);
  expect((await it.call("DELETE", `/api/v1/people/${id}`)).status).toBe(204);
  return personKey(it.workspaceId, id);
}
const rows = (table: string, key: string) =>
  db.query({ text: `select * from ${table} where person_key = $1`, values: [key] });

test("late data of an erased person is accepted without an error and brings nobody back", async () => {
  const key = await erased("late");
  const event = await track("late", { event_id: "e-1" });
  expect([event.status, event.body]).toEqual([202, { event_id: "e-1", recorded: false }]);
  const batch = await it.call("POST", "/data-gateway/v1/batch", {
    body: {
      items: [
        { type: "track", person_id: "late", eventName: "came" },
        { type: "track", person_id: "other", eventName: "came" },
      ],
    },
  });
  expect(batch.body.results.map((result: { status: number }) => result.status)).toEqual([202, 202]);
  expect(await device("late")).toMatchObject({ status: 409, body: { code: "person_erased" } });
  expect([await person("late"), await person("other")]).toEqual([404, 200]);
  for (const table of ["events", "devices", "people"]) expect(await rows(table, key)).toEqual([]);
  expect(await rows("events", personKey(it.workspaceId, "other"))).toHaveLength(1);
});

test("identify brings a person back on purpose, and so does a trigger", async () => {
  await erased("again");
  expect((await identify("again")).body).toMatchObject({ created: true });
  expect((await track("again")).body.recorded).toBe(true);
  expect((await device("again")).status).toBe(200);

  await erased("mail");
  const sent = await it.call("POST", "/data-gateway/transactionals/sms", {
    body: { identifiers: { id: "mail" }, to: "+4915112345678", body: "Goodbye" },
  });
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  expect((await track("mail")).body.recorded).toBe(true);
});

test("after 30 days an erased person is like any other unknown person", async () => {
  await erased("old");
  clock.forward(29 * DAY);
  await forgetMarks(ground);
  expect((await track("old")).body.recorded).toBe(false);
  clock.forward(2 * DAY);
  await forgetMarks(ground);
  expect((await track("old")).body.recorded).toBe(true);
  expect(await person("old")).toBe(200);
});

test("rows of a transaction that began before the erasure are erased, too, unless the person came back", async () => {
  const [gone, back] = [await erased("gone"), await erased("back")];
  await identify("back");
  for (const key of [gone, back]) {
    await db.execute({
      text: `insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, content, recipient, due_at)
        values ($1, gen_random_uuid(), $2, 'email', 'broadcast', 'queued', now(), '{"subject": "Hello"}', 'gone@example.test', now())`,
      values: [key, it.workspaceId],
    });
    await db.execute({
      text: `insert into events (person_key, id, workspace_id, name, ts, received_at) values ($1, gen_random_uuid(), $2, 'came', now(), now())`,
      values: [key, it.workspaceId],
    });
  }
  await eraseLate(ground);
  expect(await rows("events", gone)).toEqual([]);
  expect(await rows("deliveries", gone)).toMatchObject([
    { status: "canceled", reason: "erased", content: null, recipient: null, due_at: null },
  ]);
  expect(await rows("events", back)).toHaveLength(1);
  expect(await rows("deliveries", back)).toMatchObject([{ status: "queued", recipient: "gone@example.test" }]);
});

test("an application that shows a message syncs again, and webhook calls say nothing about the person any more", async () => {
  const hook = await it.call("POST", "/api/v1/webhooks", { body: { url: "http://127.0.0.1:9/hook" } });
  expect(hook.status, JSON.stringify(hook.body)).toBe(201);
  await identify("shown", { email: "shown@example.test" });
  await identify("stays", { email: "stays@example.test" });
  const message = await it.call("POST", "/api/v1/in-app-messages", {
    body: { name: "Hi", render_type: "modal", body: "Hello" },
  });
  for (const person_id of ["shown", "stays"])
    await it.call("POST", `/api/v1/in-app-messages/${message.body.id}/test-sends`, { body: { person_id } });
  const [endpoint] = await db.query<{ workspace_id: string; id: string }>({
    text: "select workspace_id, id from webhooks",
    values: [],
  });
  if (!endpoint) throw new Error("no endpoint");
  const [key, other] = ["shown", "stays"].map((id) => personKey(it.workspaceId, id)) as [string, string];
  // An event is read when no older transaction is open in the cluster: other tests may have one in their databases.
  const collected = async (of: string) => {
    const calls = await rows("webhook_deliveries", of);
    const entries = await db.query(entriesWhere((e) => sql`${e.person_key} = ${of}`));
    return calls.length === entries.length ? calls : undefined;
  };
  const before = await until(async () => {
    await collect(ground, endpoint);
    return (await collected(other)) && (await collected(key));
  }, "the events of both in the webhook's log");
  expect(before.length).toBeGreaterThan(1);
  expect(JSON.stringify(before)).toContain("shown");

  const heard: string[] = [];
  const end = ground.signals.subscribe(LIVE_CHANGED, (items) => heard.push(...items));
  expect((await it.call("DELETE", "/api/v1/people/shown")).status).toBe(204);
  end();
  expect(heard.map((item) => item.split(":")[0])).toEqual([key]);
  const after = (await rows("webhook_deliveries", key)) as { payload: string; type: string; event_id: string }[];
  expect(after).toHaveLength(before.length);
  expect(JSON.stringify(after)).not.toContain("shown");
  for (const { payload, type } of after)
    expect(JSON.parse(payload)).toMatchObject({ type, data: { person_id: null, recipient: null, details: {} } });
  const log = await it.call("GET", `/api/v1/webhooks/${hook.body.id}/deliveries`);
  expect(JSON.stringify(log.body)).not.toContain('"shown"');
  expect(JSON.stringify(log.body)).toContain('"stays"');
});

/** A message that a worker has, as it is in the table, and the person of it. */
async function inHand(id: string): Promise<string> {
  await identify(id);
  const [key, delivery] = [personKey(it.workspaceId, id), newId()];
  await db.execute({
    text: `insert into deliveries (person_key, id, workspace_id, channel, source, recipient, status, queued_at, lease_id, due_at)
      values ($1, $2, $3, 'sms', 'test', '+4915112345678', 'queued', now(), $2, now() + interval '1 hour')`,
    values: [key, delivery, it.workspaceId],
  });
  return delivery;
}

test("an erasure waits for a message that is just being sent, which counts as sent", async () => {
  const delivery = await inHand("reads");
  let attempts = 0;
  const spied: Db = Object.create(db, {
    transaction: {
      async value(work: (tx: Tx) => Promise<unknown>) {
        const result = await db.transaction(work);
        // The worker is done after the first attempt.
        if (attempts++ === 0)
          await db.execute({
            text: "update deliveries set status = 'sent', lease_id = null, due_at = null where id = $1",
            values: [delivery],
          });
        return result;
      },
    },
  });
  const whom = { workspaceId: it.workspaceId, personId: "reads", now: clock.now() };
  expect(await erasePerson({ ...ground, db: spied }, whom)).toBe(true);
  expect(attempts).toBe(2);
  expect(await rows("deliveries", personKey(it.workspaceId, "reads"))).toMatchObject([
    { status: "sent", recipient: null },
  ]);
});

test("a provider that takes for ever holds up no erasure: the message counts as canceled", async () => {
  await inHand("hangs");
  expect((await it.call("DELETE", "/api/v1/people/hangs")).status).toBe(204);
  expect(await rows("deliveries", personKey(it.workspaceId, "hangs"))).toMatchObject([
    { status: "canceled", reason: "erased", recipient: null, lease_id: null },
  ]);
});
