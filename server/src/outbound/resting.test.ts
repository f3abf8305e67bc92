import { expect, test } from "vitest";
import { emailKinds, smsKinds } from "../../test/support/providers/kinds.ts";
import { providerService } from "../../test/support/services/providers.ts";
import { until } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";

// Deliveries while a provider rests or is behind its rate.

const { it, workspaceWith, trigger, logOf, ended } = await providerService();
const { db } = it.service.ground;

const postmark = emailKinds.find((one) => one.kind === "postmark") as (typeof emailKinds)[number];
const resend = emailKinds.find((one) => one.kind === "resend") as (typeof emailKinds)[number];
const gateway = smsKinds.find((one) => one.kind === "http") as (typeof smsKinds)[number];

const email = (key: string) =>
  trigger(key, "email", {
    identifiers: { email: "ada@example.test" },
    from: "Acme <hello@acme.test>",
    subject: "S",
    body: "<p>B</p>",
  });
const sms = (key: string) => trigger(key, "sms", { identifiers: { id: "ada" }, to: "+4915112345678", body: "B" });
const stateOf = async (key: string, id: string) =>
  (await it.call("GET", `/api/v1/providers/${id}`, { key })).body.state;
const resting = (key: string, id: string) =>
  until(async () => {
    const state = await stateOf(key, id);
    return state.status === "resting" && state;
  }, "the provider resting");
const metric = async (line: RegExp) => line.test((await it.call("GET", "/metrics", { key: null })).body);
const waiting = (key: string, id: string) =>
  until(async () => {
    const log = await logOf(key, id);
    return log.status === "queued" && /^waits /.test(log.reason ?? "") && log;
  }, `${id} waiting`);
const patch = (key: string, id: string, body: object) => it.call("PATCH", `/api/v1/providers/${id}`, { key, body });

test("a provider with wrong credentials rests at once: the next one sends, and the API and /readyz show it", async () => {
  const [wrong, right] = [await postmark.start(), await resend.start()];
  const { key, ids } = await workspaceWith("email", [
    { setup: { ...postmark, credentials: postmark.wrong }, url: wrong.url },
    { setup: resend, url: right.url },
  ]);
  const [first, second] = ids as [string, string];
  expect(await stateOf(key, first)).toEqual({ status: "ok" });
  expect(await ended(key, await email(key), "sent")).toMatchObject({ provider: "resend", attempts: 1 });
  const state = await resting(key, first);
  expect(state.reason).toMatch(/^credentials: /);
  expect(new Date(state.until).getTime()).toBeGreaterThan(Date.now() + 5_000);
  expect(await stateOf(key, second)).toEqual({ status: "ok" });
  const ready = await it.call("GET", "/readyz", { key: null });
  expect(ready).toMatchObject({ status: 200, body: { parts: { providers: "1 resting" } } });
  expect(await metric(/^tidings_provider_resting\{channel="email",provider="postmark"\} 1$/m)).toBe(true);
  expect(
    await metric(/^tidings_provider_rests_total\{channel="email",provider="postmark",cause="credentials"\} 1$/m),
  ).toBe(true);

  for (let i = 0; i < 3; i++) await ended(key, await email(key), "sent");
  expect(wrong.calls).toHaveLength(1);
  expect(right.taken).toHaveLength(4);

  expect((await patch(key, first, { credentials: postmark.credentials })).body.state).toEqual({ status: "ok" });
  expect(await ended(key, await email(key), "sent")).toMatchObject({ provider: "postmark" });
  expect(await metric(/^tidings_provider_resting\{channel="email",provider="postmark"\}/m)).toBe(false);
  expect((await it.call("GET", "/readyz", { key: null })).body.parts.providers).toBe("ok");
});

test("while all providers rest, deliveries wait without an attempt, and are sent once somebody corrects one", async () => {
  const far = await gateway.start();
  const { key, ids } = await workspaceWith("sms", [
    { setup: { ...gateway, credentials: gateway.wrong }, url: far.url },
  ]);
  const [id] = ids as [string];
  const met = await sms(key);
  await resting(key, id);
  expect(
    await until(async () => (await logOf(key, met)).attempts === 1 && (await logOf(key, met)), "its end"),
  ).toMatchObject({ status: "queued", attempts: 1 });
  const later = [await sms(key), await sms(key), await sms(key)];
  const { body: health } = await it.call("GET", "/api/v1/health", { key });
  expect(health).toMatchObject({ exact: true, providers: { ok: 0, resting: 1, slow: 0 } });
  const [{ queued_at: since }] = await Promise.all(
    [met, ...later].map((one) => it.call("GET", `/api/v1/deliveries/${one}`, { key }).then(({ body }) => body)),
  );
  expect(health.queues).toEqual([{ channel: "sms", waiting: expect.any(Number), oldest_due_at: expect.any(String) }]);
  expect(health.queues[0].waiting).toBeGreaterThanOrEqual(3);
  expect(Date.parse(health.queues[0].oldest_due_at)).toBeGreaterThanOrEqual(Date.parse(since));
  const { secretKey } = await it.another();
  const { body: theirs } = await it.call("GET", "/api/v1/health", { key: secretKey });
  expect(theirs).toMatchObject({ queues: [], providers: { ok: 0, resting: 0, slow: 0 } });
  // They wait in the table: the lane is left out of the claims while its one provider rests.
  for (const one of later) expect(await logOf(key, one)).toMatchObject({ status: "queued", attempts: 0 });
  expect(far.calls).toHaveLength(1);
  await patch(key, id, { credentials: gateway.credentials });
  for (const one of later) expect(await ended(key, one, "sent")).toMatchObject({ attempts: 1 });
  expect((await logOf(key, later[0] as string)).events.map((event: { type: string }) => event.type)).toEqual([
    "sms.queued",
    "sms.sent",
  ]);
});

test("a Retry-After is obeyed by the delivery that got it and by those after it", async () => {
  const far = await gateway.start();
  const { key } = await workspaceWith("sms", [{ setup: gateway, url: far.url }]);
  far.next.push({ status: 429, headers: { "retry-after": "300" } });
  const asked = Date.now();
  const met = await sms(key);
  const log = await until(async () => {
    const log = await logOf(key, met);
    return log.attempts === 1 && log;
  }, "its attempt");
  expect(new Date(log.due_at).getTime()).toBeGreaterThanOrEqual(asked + 300_000);
  const next = await sms(key);
  await db.execute(sql`update deliveries set due_at = now() where id = ${decodeId("dlv", met)}`);
  // Another workspace's deliveries go on; when they are sent, these two have not been handed over.
  const other = await gateway.start();
  const quick = await workspaceWith("sms", [{ setup: gateway, url: other.url }]);
  for (let i = 0; i < 3; i++) await ended(quick.key, await sms(quick.key), "sent");
  expect(await logOf(key, met)).toMatchObject({ status: "queued", attempts: 1 });
  expect(await logOf(key, next)).toMatchObject({ status: "queued", attempts: 0 });
  expect(far.calls).toHaveLength(1);
});

test("after a 503 the next provider is asked at once, and a wait begins only where none is left", async () => {
  const [first, second] = [await gateway.start(), await gateway.start()];
  const { key } = await workspaceWith("sms", [
    { setup: gateway, url: first.url },
    { setup: gateway, url: second.url },
  ]);
  first.next.push({ status: 503 });
  expect(await ended(key, await sms(key), "sent")).toMatchObject({ attempts: 1 });
  expect([first.taken.length, second.taken.length]).toEqual([0, 1]);
  first.next.push({ status: 503 });
  second.next.push({ status: 503, headers: { "retry-after": "120" } });
  const met = await sms(key);
  const log = await until(async () => {
    const log = await logOf(key, met);
    return log.attempts === 1 && log;
  }, "its attempt");
  expect(log).toMatchObject({ status: "queued", reason: expect.stringMatching(/^503/) });
  expect(new Date(log.due_at).getTime()).toBeGreaterThan(Date.now() + 60_000);
});

test("a provider rests after consecutive faults, and its probe ends the rest", async () => {
  const far = await gateway.start();
  const { key, ids } = await workspaceWith("sms", [{ setup: gateway, url: far.url }]);
  far.next.push(...Array.from({ length: 5 }, () => ({ status: 500 })));
  const met = [await sms(key), await sms(key), await sms(key), await sms(key), await sms(key)];
  expect((await resting(key, ids[0] as string)).reason).toMatch(/^provider: 500/);
  const late = await sms(key);
  // After 5 s one of them is the probe, and then the others follow.
  for (const id of [...met, late]) {
    await db.execute(
      sql`update deliveries set due_at = now() where id = ${decodeId("dlv", id)} and lease_id is null and due_at is not null`,
    );
  }
  for (const id of [...met, late]) await ended(key, id, "sent");
  expect(await stateOf(key, ids[0] as string)).toEqual({ status: "ok" });
  expect(far.taken).toHaveLength(6);
});

test("a provider's rate is kept, and deliveries wait for it without an attempt", async () => {
  const far = await gateway.start();
  const { key, ids } = await workspaceWith("sms", [{ setup: gateway, url: far.url }]);
  expect((await patch(key, ids[0] as string, { rate_per_second: 5 })).body.rate_per_second).toBe(5);
  const began = performance.now();
  const sent = await Promise.all(Array.from({ length: 9 }, () => sms(key)));
  for (const id of sent) expect(await ended(key, id, "sent")).toMatchObject({ attempts: 1 });
  // Eight intervals of 200 ms less the burst of 100 ms: a slow machine only takes longer.
  expect(performance.now() - began).toBeGreaterThan(1_450);
  expect(far.taken).toHaveLength(9);
});

test("deliveries far behind a rate wait in the table, and never delay another workspace", async () => {
  const [far, other] = [await gateway.start(), await gateway.start()];
  const { key, ids } = await workspaceWith("sms", [{ setup: gateway, url: far.url }]);
  await patch(key, ids[0] as string, { rate_per_second: 0.01 });
  await ended(key, await sms(key), "sent");
  const behind = [await sms(key), await sms(key)];
  const quick = await workspaceWith("sms", [{ setup: gateway, url: other.url }]);
  const ours = await Promise.all(Array.from({ length: 20 }, () => sms(quick.key)));
  for (const id of ours) await ended(quick.key, id, "sent");
  const [log] = await Promise.all(behind.slice(0, 1).map((id) => waiting(key, id)));
  expect(log).toMatchObject({ attempts: 0, reason: "waits for the rate of http" });
  expect(await logOf(key, behind[1] as string)).toMatchObject({ status: "queued", attempts: 0 });
  expect(far.taken).toHaveLength(1);
});

test("an operator's test uses a provider that rests", async () => {
  const far = await gateway.start();
  const { key, ids } = await workspaceWith("sms", [{ setup: gateway, url: far.url }]);
  far.next.push({ status: 403, body: {} });
  await sms(key);
  await resting(key, ids[0] as string);
  const tried = await it.call("POST", `/api/v1/providers/${ids[0]}/test`, { key, body: { to: "+4915112345678" } });
  expect(tried).toMatchObject({ status: 200, body: { ok: true } });
});
