import { expect, test } from "vitest";
import { rawSmtp } from "../../test/support/mail/raw-smtp.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";
import { STUCK_MS } from "./providers/protocol/under-way.ts";
import type { startDispatcher } from "./sending/dispatch.ts";

// A provider that takes messages and does not answer, and one that fails for a while: what operators see, and which deliveries become due.

const it = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });
const { ground } = it.service;

async function workspaceOn(port: number) {
  const { secretKey: key } = await it.another();
  const body = { name: "S", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", port } };
  const provider = (await it.call("POST", "/api/v1/providers", { key, body })).body.id as string;
  const send = async () => {
    const mail = { identifiers: { id: "ada" }, to: "ada@example.test", from: "a@b.test", subject: "S", body: "B" };
    return (await it.call("POST", "/data-gateway/transactionals/email", { key, body: mail })).body
      .delivery_id as string;
  };
  const state = async () => (await it.call("GET", `/api/v1/providers/${provider}`, { key })).body.state;
  const sent = (ids: string[]) =>
    until(async () => {
      const all = await Promise.all(ids.map((id) => it.call("GET", `/api/v1/deliveries/${id}`, { key })));
      return all.every(({ body }) => body.status === "sent");
    }, `${ids.length} being sent`);
  return { key, provider, send, state, sent };
}
const sender = () => ground.sending.dispatcher as ReturnType<typeof startDispatcher>;
const metrics = async () => (await it.call("GET", "/metrics", { key: null })).body as string;

test("a provider that hangs after the data is shown as slow, and waiting deliveries are sent once it answers, before the hanging ones end", async () => {
  const far = await rawSmtp();
  let hanging = true;
  far.step = (moment) => (moment === "dot" && hanging ? new Promise<void>(() => {}) : undefined);
  const { send, state, sent } = await workspaceOn(far.port);
  const stuck = await Promise.all(Array.from({ length: 8 }, send));
  await until(() => far.arrived.length === stuck.length, "all connections hanging");
  const waiting = await Promise.all(Array.from({ length: 20 }, send));
  sender().look(performance.now());
  expect(await state()).toEqual({ status: "ok" });
  expect(await metrics()).toMatch(/^tidings_deliveries_waiting\{channel="email"\} ([2-9]\d)$/m);
  expect(await metrics()).toMatch(/^tidings_deliveries_waiting\{channel="sms"\} 0$/m);

  let later = STUCK_MS;
  sender().look(performance.now() + later);
  const slow = await until(async () => ((await state()).status === "slow" ? await state() : undefined), "being slow");
  expect(slow.reason).toMatch(/^slow: a message that it was given 2\d s ago has no answer yet$/);
  await until(() => far.arrived.length === stuck.length + 1, "another being tried");

  hanging = false;
  await until(() => {
    later += STUCK_MS;
    sender().look(performance.now() + later);
    return far.taken.length > 0;
  }, "one coming through");
  await sent(waiting.slice(-10));
});

test("the gauges show how many deliveries of a channel wait and for how long the oldest has been due", async () => {
  const { db } = ground;
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, due_at, first_due_at, recipient)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'sms', 'transactional', 'queued', now(),
      now() + interval '1 day', now() + interval '1 day', 'x' from generate_series(1, 5)`);
  const twin = await testService({ databaseUrl: it.databaseUrl });
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, due_at, first_due_at, recipient, lease_id)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'sms', 'transactional', 'sending', now(),
      now() + interval '50 seconds', now() - interval '500 seconds', 'x', gen_random_uuid() from generate_series(1, 3)`);
  const shown = (await twin.call("GET", "/metrics", { key: null })).body as string;
  expect(shown).toMatch(/^tidings_deliveries_waiting\{channel="sms"\} 3$/m);
  expect(shown).toMatch(/^tidings_deliveries_oldest_due_seconds\{channel="sms"\} 50\d/m);
});

test("deliveries that a provider's fault put off are due again once the provider works, and those that one message caused are not", async () => {
  const far = await rawSmtp();
  far.step = (moment, socket) => {
    if (moment === "greeting") socket.end("421 not now\r\n");
    return moment === "greeting" ? new Promise<void>(() => {}) : undefined;
  };
  const { key, provider, send, sent } = await workspaceOn(far.port);
  const ids = await Promise.all(Array.from({ length: 3 }, send));
  const uuids = ids.map((id) => decodeId("dlv", id));
  await until(async () => {
    const rows = await ground.db.query<{ n: string }>(
      sql`select id from deliveries where id = any(${uuids}::uuid[]) and put_off_by is not null`,
    );
    return rows.length === 3;
  }, "all being put off");
  await ground.db.execute(
    sql`update deliveries set due_at = now() + interval '4 hours' where id = any(${uuids}::uuid[])`,
  );
  far.step = () => {};
  // Somebody corrects the provider; a rest that ends by itself has the same effect.
  await it.call("PATCH", `/api/v1/providers/${provider}`, {
    key,
    body: { settings: { host: "localhost", port: far.port } },
  });
  await send();
  // They become due over 20 s, so that the provider does not get all at once.
  const soon = await until(async () => {
    const rows = await ground.db.query<{ soon: boolean }>(sql`
      select coalesce(due_at < now() + interval '1 minute', true) as soon from deliveries where id = any(${uuids}::uuid[]) and put_off_by is null`);
    return rows.length === 3 ? rows : undefined;
  }, "all being due again");
  expect(soon).toEqual(ids.map(() => ({ soon: true })));
  await ground.db.execute(sql`
    update deliveries set due_at = now() where id = any(${uuids}::uuid[]) and lease_id is null and due_at > now()`);
  await sent(ids);
});
