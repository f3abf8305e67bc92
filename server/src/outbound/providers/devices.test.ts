import { expect, test } from "vitest";
import { emulator } from "../../../test/support/providers/emulator.ts";
import { fcmEmulator } from "../../../test/support/providers/fcm.ts";
import { EMAIL, fcmSettings, keys } from "../../../test/support/providers/push.ts";
import { providerService } from "../../../test/support/services/providers.ts";
import { registerDevice } from "../../people/index.ts";
import { newVapidPair } from "./protocol/keys.ts";

// Pushes to people with many devices.

const { it, trigger, ended } = await providerService();
const fcm = await fcmEmulator(keys.fcm.publicKey, EMAIL);

/** Starts an FCM that answers no push until this number is under way at once. */
async function gated(many: number) {
  const at = { inFlight: 0, most: 0, url: "" };
  const open = Promise.withResolvers<void>();
  const far = await emulator<never>(async ({ url, headers, body }) => {
    at.most = Math.max(at.most, ++at.inFlight);
    if (at.most >= many) open.resolve();
    await open.promise;
    const { authorization = "", "content-type": type = "" } = headers;
    const init = { method: "POST", headers: { authorization, "content-type": type }, body: new Uint8Array(body) };
    const answer = await fetch(fcm.far.url + url.pathname, init);
    at.inFlight--;
    return { status: answer.status, body: await answer.text() };
  });
  at.url = far.url;
  return at;
}

test("a push is handed over to several devices at once, at most eight, and counts as sent when one takes it", async () => {
  const gate = await gated(8);
  const { secretKey: key } = await it.another();
  const provider = await it.call("POST", "/api/v1/providers", {
    key,
    body: {
      name: "fcm",
      channel: "push",
      kind: "fcm",
      settings: { ...fcmSettings(fcm.far.url), endpoint: gate.url },
      credentials: { private_key: keys.fcm.privateKey },
    },
  });
  expect(provider.status, JSON.stringify(provider.body)).toBe(201);
  const made = await it.call("POST", "/api/v1/transactionals", {
    key,
    body: { name: "P", subscription_preference: "all", channel: "push", content: { title: "T", message: "M" } },
  });
  const good = Array.from({ length: 19 }, (_, n) => `many:${n}`);
  for (const token of [...good.slice(0, 5), "token-dead", ...good.slice(5)]) {
    const body = { person_id: "ada", platform: "android", token };
    expect((await it.call("PUT", "/data-gateway/v1/devices", { key, body })).status).toBe(200);
  }
  const id = await trigger(key, "push", { transactional_message_id: made.body.id, identifiers: { id: "ada" } });
  const log = await ended(key, id, "sent");
  // One after the other, none would ever have been answered.
  expect(gate.most).toBe(8);
  expect(fcm.far.taken.map(({ token }) => token).sort()).toEqual(good.toSorted());
  const outcomes = log.events.at(-1).data.devices.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes.toSorted()).toEqual([...good.map(() => "sent"), "unregistered"]);
  const { data } = (await it.call("GET", "/api/v1/people/ada/devices", { key })).body;
  const disabled = data.filter(({ disabled_at }: { disabled_at: string | null }) => disabled_at !== null);
  expect(disabled).toMatchObject([{ token: "token-dead" }]);
});

test("two browsers at one host are called at a time, however many the person has there", async () => {
  const at = { inFlight: 0, most: 0 };
  const pair = newVapidPair();
  let second = Promise.withResolvers<void>();
  const far = await emulator<string>(async ({ url }, take) => {
    at.most = Math.max(at.most, ++at.inFlight);
    // Each waits for another one: one after the other, they would never be answered.
    if (at.inFlight % 2 === 1) await second.promise;
    else {
      second.resolve();
      second = Promise.withResolvers<void>();
    }
    at.inFlight--;
    take(url.pathname);
    return { status: 201 };
  });
  const { secretKey: key, workspaceId } = await it.another();
  const provider = await it.call("POST", "/api/v1/providers", {
    key,
    body: {
      name: "webpush",
      channel: "push",
      kind: "webpush",
      settings: { subject: "mailto:push@acme.test" },
      credentials: { private_key: pair.privateKey },
    },
  });
  expect(provider.status, JSON.stringify(provider.body)).toBe(201);
  const made = await it.call("POST", "/api/v1/transactionals", {
    key,
    body: { name: "P", subscription_preference: "all", channel: "push", content: { title: "T", message: "M" } },
  });
  const p256dh = pair.publicKey;
  const paths = Array.from({ length: 20 }, (_, n) => `/browser/${n}`);
  for (const path of paths) {
    const subscription = { endpoint: far.url + path, keys: { p256dh, auth: "A".repeat(22) } };
    const device = { person_id: "bob", platform: "web" as const, subscription };
    await it.service.ground.db.transaction((tx) =>
      registerDevice(tx, it.service.ground, { workspaceId, limit: undefined }, { input: device, now: new Date() }),
    );
  }
  const id = await trigger(key, "push", { transactional_message_id: made.body.id, identifiers: { id: "bob" } });
  await ended(key, id, "sent");
  expect(at.most).toBe(2);
  expect(far.taken.toSorted()).toEqual(paths.toSorted());
});
