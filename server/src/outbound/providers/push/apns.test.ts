import { afterAll, describe, expect, test } from "vitest";
import { apnsEmulator } from "../../../../test/support/providers/apns.ts";
import type { Reply } from "../../../../test/support/providers/emulator.ts";
import { apnsSettings, appleToken, keys, pushFor } from "../../../../test/support/providers/push.ts";
import { testClock } from "../../../../test/support/service.ts";
import { hand, providerService } from "../../../../test/support/services/providers.ts";
import type { Ground } from "../../../platform/ground.ts";
import { derivedId, newId } from "../../../platform/ids.ts";
import { open } from "../index.ts";
import type { Provider } from "../protocol/provider.ts";

// Apple Push Notification service: the requests, the meaning of each documented answer, the token and the connection.

const { it } = await providerService();
const iphone = { platform: "ios", token: appleToken() };
const later = { kind: "retry", fault: "provider" };
const credentials = { kind: "retry", fault: "credentials" };
const opened: Provider[] = [];
afterAll(() => {
  for (const provider of opened) provider.close();
});

function provider(url: string, ground: Ground = it.service.ground, private_key = keys.apns.privateKey): Provider {
  const settings = apnsSettings(url);
  const opening = { id: newId(), workspaceId: newId(), settings, credentials: { private_key } };
  const made = open(ground, "apns", opening);
  opened.push(made);
  return made;
}
const start = (now?: () => Date) => apnsEmulator(keys.apns.publicKey, now);

test("all fields of a push arrive, and a repeat is the same message", async () => {
  const far = await start();
  const apns = provider(far.url);
  const custom_data = { order: 7, items: ["a"], aps: { badge: 9 } };
  const push = pushFor(iphone, { image_url: "https://a.test/1.png", link: "acme://orders/7", custom_data });
  const uuid = newId();
  const id = derivedId(uuid, push.device.id);
  expect(await hand(apns, push, uuid)).toEqual({ kind: "sent", providerMessageId: id });
  expect(await hand(apns, push, uuid)).toEqual({ kind: "sent", providerMessageId: id });
  expect(far.taken[0]).toMatchObject({
    token: appleToken(),
    headers: { "apns-id": id, "apns-topic": "com.acme.app", "apns-collapse-id": expect.stringMatching(/^dlv_/) },
  });
  expect(far.taken[0]?.payload).toEqual({
    aps: {
      alert: { title: "Grüße", body: "Your order 7 is on its way 🎉" },
      sound: "default",
      "mutable-content": 1,
    },
    order: 7,
    items: ["a"],
    link: "acme://orders/7",
    image_url: "https://a.test/1.png",
    delivery_id: expect.stringMatching(/^dlv_/),
  });
  expect(far.taken[1]?.headers["apns-collapse-id"]).toBe(far.taken[0]?.headers["apns-collapse-id"]);
});

test("it reaches iPhones whose token is not FCM's", () => {
  const apns = provider("http://127.0.0.1:9");
  const reaches = (platform: string, token: string) => apns.reaches?.({ platform, token } as never);
  expect(reaches("ios", appleToken())).toBe(true);
  expect(reaches("ios", "fGk:APA91b")).toBe(false);
  expect(reaches("android", appleToken())).toBe(false);
  expect(reaches("web", appleToken())).toBe(false);
});

const no = (status: number, reason: string, more = {}): Reply => ({ status, body: { reason, ...more } });
const HOUR = 3_600_000;

test.each<[Reply, object]>([
  [no(400, "BadDeviceToken"), { kind: "unregistered" }],
  [no(400, "DeviceTokenNotForTopic"), { kind: "unregistered" }],
  [no(410, "Unregistered", { timestamp: Date.now() + HOUR }), { kind: "unregistered" }],
  [no(410, "ExpiredToken", { timestamp: Date.now() + HOUR }), { kind: "unregistered" }],
  [no(410, "Unregistered"), { kind: "unregistered" }],
  [no(400, "BadTopic"), credentials],
  [no(400, "MissingTopic"), credentials],
  [no(400, "TopicDisallowed"), credentials],
  [no(403, "BadCertificate"), credentials],
  [no(403, "BadCertificateEnvironment"), credentials],
  [no(403, "BadEnvironmentKeyIdInToken"), credentials],
  [no(403, "Forbidden"), credentials],
  [no(403, "InvalidProviderToken"), credentials],
  [no(403, "MissingProviderToken"), credentials],
  [no(403, "UnrelatedKeyIdInToken"), credentials],
  [no(404, "BadPath"), credentials],
  [no(400, "BadExpirationDate"), { kind: "refused" }],
  [no(400, "PayloadEmpty"), { kind: "refused" }],
  [no(413, "PayloadTooLarge"), { kind: "refused" }],
  [no(429, "TooManyProviderTokenUpdates"), later],
  [no(500, "InternalServerError"), later],
  [no(503, "ServiceUnavailable"), later],
  [no(503, "Shutdown"), later],
  [
    { status: 503, headers: { "retry-after": "90" } },
    { ...later, afterMs: 90_000 },
  ],
  [{ status: 504 }, { kind: "unknown" }],
  [{ status: 400, body: "garbage" }, { kind: "refused" }],
])("%j", async (reply, outcome) => {
  const far = await start();
  far.next.push(reply);
  expect(await hand(provider(far.url), pushFor(iphone))).toMatchObject(outcome);
  expect(far.calls).toHaveLength(1);
});

test("too many pushes to one device wait, and do not count as a fault of the provider", async () => {
  const far = await start();
  far.next.push(no(429, "TooManyRequests"));
  expect(await hand(provider(far.url), pushFor(iphone))).toEqual({ kind: "retry", reason: "429 TooManyRequests" });
});

test("a token that was registered again after Apple reported its end stays", async () => {
  const far = await start();
  far.next.push(no(410, "Unregistered", { timestamp: Date.now() - HOUR }));
  expect(await hand(provider(far.url), pushFor(iphone))).toEqual({ kind: "retry", reason: "410 Unregistered" });
});

describe("the token", () => {
  test("is used for all calls, and renewed after 40 minutes", async () => {
    const clock = testClock();
    const far = await start(clock.now);
    const apns = provider(far.url, { ...it.service.ground, clock });
    await Promise.all(Array.from({ length: 20 }, () => hand(apns, pushFor(iphone))));
    clock.forward(39 * 60_000);
    await hand(apns, pushFor(iphone));
    const used = () => new Set(far.calls.map(({ headers }) => headers.authorization)).size;
    expect(used()).toBe(1);
    clock.forward(2 * 60_000);
    await hand(apns, pushFor(iphone));
    expect(used()).toBe(2);
    expect(far.taken).toHaveLength(22);
  });

  test("is renewed where Apple reports it as expired, and the call is repeated, once, and never within 20 minutes", async () => {
    const clock = testClock();
    const far = await start(clock.now);
    const apns = provider(far.url, { ...it.service.ground, clock });
    await hand(apns, pushFor(iphone));
    far.next.push(no(403, "ExpiredProviderToken"));
    expect(await hand(apns, pushFor(iphone))).toMatchObject(credentials);
    clock.forward(25 * 60_000);
    far.next.push(no(403, "ExpiredProviderToken"));
    expect(await hand(apns, pushFor(iphone))).toMatchObject({ kind: "sent" });
    expect(far.calls).toHaveLength(4);
    clock.forward(25 * 60_000);
    far.next.push(no(403, "ExpiredProviderToken"), no(403, "ExpiredProviderToken"));
    expect(await hand(apns, pushFor(iphone))).toMatchObject(credentials);
    expect(far.calls).toHaveLength(6);
  });

  test("of another key is refused, and the check reports it", async () => {
    const far = await start();
    const apns = provider(far.url, it.service.ground, keys.apnsWrong.privateKey);
    expect(await hand(apns, pushFor(iphone))).toMatchObject(credentials);
    expect(await apns.check()).toBe("403 InvalidProviderToken");
  });

  test("is in no reason", async () => {
    const far = await start();
    const apns = provider(far.url);
    await hand(apns, pushFor(iphone));
    const jwt = String(far.calls[0]?.headers.authorization).replace("bearer ", "");
    far.next.push({ status: 400, body: `no: ${jwt}` });
    expect(await hand(apns, pushFor(iphone))).toEqual({ kind: "refused", reason: "400 no: ***" });
  });
});

test("the check sends nothing, and reports a topic that does not belong to the key", async () => {
  const far = await start();
  const apns = provider(far.url);
  expect(await apns.check()).toBeUndefined();
  expect(far.taken).toEqual([]);
  far.next.push(no(400, "DeviceTokenNotForTopic"));
  expect(await apns.check()).toBe("400 DeviceTokenNotForTopic");
});

describe("the connection", () => {
  test("is used for all calls, and opened anew after Apple closed it", async () => {
    const far = await start();
    const apns = provider(far.url);
    for (let at = 0; at < 3; at++) await hand(apns, pushFor(iphone));
    expect(far.connections).toBe(1);
    far.next.push("goaway");
    expect(await hand(apns, pushFor(iphone))).toMatchObject({ kind: "sent" });
    expect(far.connections).toBe(2);
    expect(far.taken).toHaveLength(4);
  });

  test("that ends before Apple read a call shows that the call was not taken", async () => {
    const far = await start();
    const apns = provider(far.url);
    await hand(apns, pushFor(iphone));
    far.next.push("refuse", "refuse");
    expect(await hand(apns, pushFor(iphone))).toMatchObject(later);
  });

  test.each(["reset", "break", "huge"] as const)("that ends in %s leaves open whether it was taken", async (fault) => {
    const far = await start();
    const apns = provider(far.url);
    far.next.push(fault);
    expect(await hand(apns, pushFor(iphone))).toMatchObject({ kind: "unknown" });
    expect(far.calls).toHaveLength(1);
    expect(await hand(apns, pushFor(iphone))).toMatchObject({ kind: "sent" });
  });

  test("that hangs ends when the provider is closed", async () => {
    const far = await start();
    const apns = provider(far.url);
    far.next.push("hang");
    const handed = hand(apns, pushFor(iphone));
    await expect.poll(() => far.calls.length, { timeout: 15_000 }).toBe(1);
    apns.close();
    expect(await handed).toMatchObject({ kind: "unknown" });
  });

  test("is not opened to a private address where those are not allowed", async () => {
    const far = await start();
    const { ground } = it.service;
    const apns = provider(far.url, { ...ground, config: { ...ground.config, allowPrivateNetwork: false } });
    expect(await hand(apns, pushFor(iphone))).toMatchObject(later);
    expect(await apns.check()).toMatch(/ALLOW_PRIVATE_NETWORK/);
    expect(far.connections).toBe(0);
  });
});
