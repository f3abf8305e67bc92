import { describe, expect, test } from "vitest";
import type { Reply } from "../../../../test/support/providers/emulator.ts";
import { fcmEmulator, fcmError } from "../../../../test/support/providers/fcm.ts";
import { appleToken, EMAIL, fcmSettings, keys, pushFor } from "../../../../test/support/providers/push.ts";
import { testClock } from "../../../../test/support/service.ts";
import { hand, providerService } from "../../../../test/support/services/providers.ts";
import type { Ground } from "../../../platform/ground.ts";
import { newId } from "../../../platform/ids.ts";
import { createFetcher } from "../../../platform/outbound-http/index.ts";
import { open } from "../index.ts";

// Firebase Cloud Messaging: the requests, the meaning of each documented answer, and the life of the access token.

const { it } = await providerService();
const android = { platform: "android", token: "fGk:android-1" };
const later = { kind: "retry", fault: "provider" };
const credentials = { kind: "retry", fault: "credentials" };

function provider(url: string, ground: Ground = it.service.ground, private_key = keys.fcm.privateKey) {
  const settings = fcmSettings(url);
  return open(ground, "fcm", { id: newId(), workspaceId: newId(), settings, credentials: { private_key } });
}
const start = (now?: () => Date) => fcmEmulator(keys.fcm.publicKey, EMAIL, now);

test("all fields of a push arrive, the caller's data as texts that can't override ours", async () => {
  const { far } = await start();
  const uuid = newId();
  const custom_data = { order: 7, express: true, note: "ö", items: ["a"], nothing: null, delivery_id: "mine" };
  const push = pushFor(android, { image_url: "https://a.test/1.png", link: "acme://orders/7", custom_data });
  const said = await hand(provider(far.url), push, uuid);
  expect(said).toEqual({ kind: "sent", providerMessageId: "projects/acme-1/messages/0:1" });
  expect(far.taken[0]?.message).toEqual({
    token: "fGk:android-1",
    notification: { title: "Grüße", body: "Your order 7 is on its way 🎉", image: "https://a.test/1.png" },
    data: {
      order: "7",
      express: "true",
      note: "ö",
      items: '["a"]',
      nothing: "null",
      link: "acme://orders/7",
      image_url: "https://a.test/1.png",
      delivery_id: expect.stringMatching(/^dlv_/),
    },
    android: { priority: "HIGH", ttl: "2419200s", notification: { tag: expect.stringMatching(/^dlv_/) } },
  });
});

test("an iPhone and a browser of Firebase get the fields of their platform", async () => {
  const { far } = await start();
  const fcm = provider(far.url);
  const extra = { image_url: "https://a.test/1.png", link: "https://a.test/orders/7" };
  await hand(fcm, pushFor({ platform: "ios", token: "fGk:ios-1" }, extra));
  await hand(fcm, pushFor({ platform: "web", token: "fGk:web-1" }, extra));
  await hand(fcm, pushFor({ platform: "web", token: "fGk:web-2" }, { link: "http://a.test" }));
  expect(far.taken[0]?.message.apns).toMatchObject({
    headers: { "apns-priority": "10", "apns-collapse-id": expect.stringMatching(/^dlv_/) },
    payload: { aps: { sound: "default", "mutable-content": 1 } },
    fcm_options: { image: "https://a.test/1.png" },
  });
  expect(far.taken[1]?.message.webpush).toMatchObject({
    headers: { TTL: "2419200" },
    notification: { image: "https://a.test/1.png" },
    fcm_options: { link: "https://a.test/orders/7" },
  });
  expect(far.taken[2]?.message.webpush).not.toHaveProperty("fcm_options");
});

test("it reaches Android, and other devices whose token does not belong to another service", async () => {
  const fcm = provider("http://127.0.0.1:9");
  const reaches = (platform: string, token: string, subscription: object | null = null) =>
    fcm.reaches?.({ id: "", platform, token, subscription, last_used_at: new Date() } as never);
  expect(reaches("android", "any")).toBe(true);
  expect(reaches("ios", "fGk:APA91b")).toBe(true);
  expect(reaches("ios", appleToken())).toBe(false);
  expect(reaches("web", "fGk:APA91b")).toBe(true);
  expect(reaches("web", "https://push.test/1", { endpoint: "https://push.test/1" })).toBe(false);
  fcm.close();
});

test.each(["from", "message_type", "google.x", "gcm_y"])(
  "data called %s is refused here, since FCM would answer as to a dead token",
  async (name) => {
    const { far } = await start();
    const said = await hand(provider(far.url), pushFor(android, { custom_data: { [name]: "x" } }));
    expect(said).toMatchObject({ kind: "refused", unasked: true, reason: expect.stringContaining(name) });
    expect(far.calls).toEqual([]);
  },
);

const table: [string, Reply, object][] = [
  ["UNREGISTERED", fcmError(404, "NOT_FOUND", "UNREGISTERED"), { kind: "unregistered" }],
  ["SENDER_ID_MISMATCH", fcmError(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"), { kind: "unregistered" }],
  [
    "INVALID_ARGUMENT of the token",
    fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", { message: "The registration token is not a valid FCM one" }),
    { kind: "unregistered" },
  ],
  [
    "INVALID_ARGUMENT naming the token",
    fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", { field: "message.token" }),
    { kind: "unregistered" },
  ],
  [
    "INVALID_ARGUMENT naming another field",
    fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", { field: "message.data[0].value" }),
    { kind: "refused" },
  ],
  [
    "INVALID_ARGUMENT of a message that is too big",
    fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", { message: "Android message is too big" }),
    { kind: "refused" },
  ],
  ["INVALID_ARGUMENT without FcmError", fcmError(400, "INVALID_ARGUMENT"), { kind: "refused" }],
  ["QUOTA_EXCEEDED", fcmError(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), later],
  ["UNAVAILABLE", fcmError(503, "UNAVAILABLE", "UNAVAILABLE"), later],
  ["INTERNAL", fcmError(500, "INTERNAL", "INTERNAL"), later],
  ["PERMISSION_DENIED of the account", fcmError(403, "PERMISSION_DENIED"), credentials],
  ["a project that is not there", fcmError(404, "NOT_FOUND"), credentials],
  ["502 in HTML", { status: 502, body: "<html>Error 502</html>" }, later],
  ["503 with Retry-After", { status: 503, headers: { "retry-after": "90" } }, { ...later, afterMs: 90_000 }],
  ["504", { status: 504 }, { kind: "unknown" }],
  ["200 with garbage", { status: 200, body: "<html>OK</html>" }, { kind: "unknown" }],
  ["a redirect", { status: 302, headers: { location: "/elsewhere" } }, later],
  ["400 with odd details", { status: 400, body: { error: { details: [null, 1, {}] } } }, { kind: "refused" }],
];

test.each(table)("%s", async (_, reply, outcome) => {
  const { far, sends } = await start();
  const fcm = provider(far.url);
  await fcm.check();
  far.next.push(reply);
  const said = await hand(fcm, pushFor(android));
  expect(said).toMatchObject(outcome);
  expect(sends()).toHaveLength(2);
});

test("a missing key for APNs in Firebase does not count as a fault of FCM as a whole", async () => {
  const { far } = await start();
  const fcm = provider(far.url);
  await fcm.check();
  far.next.push(fcmError(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"));
  const said = await hand(fcm, pushFor({ platform: "ios", token: "fGk:ios-1" }));
  expect(said).toEqual({ kind: "retry", reason: expect.stringContaining("THIRD_PARTY_AUTH_ERROR") });
});

test.each(["reset", "break", "huge"] as const)("an answer that ends in %s may have been taken", async (fault) => {
  const { far } = await start();
  const fcm = provider(far.url);
  await fcm.check();
  far.next.push(fault);
  expect(await hand(fcm, pushFor(android))).toMatchObject({ kind: "unknown" });
});

test("a closed provider ends its hand-offs under way", async () => {
  const { far } = await start();
  const fcm = provider(far.url);
  await fcm.check();
  far.next.push("hang");
  const handed = hand(fcm, pushFor(android));
  await expect.poll(() => far.calls.length, { timeout: 15_000 }).toBe(3);
  fcm.close();
  expect(await handed).toMatchObject({ kind: "unknown" });
});

describe("the access token", () => {
  test("is requested once for all hand-offs that wait for it, and kept", async () => {
    const { far, tokens } = await start();
    const fcm = provider(far.url);
    const said = await Promise.all(Array.from({ length: 20 }, () => hand(fcm, pushFor(android))));
    expect(new Set(said.map(({ kind }) => kind))).toEqual(new Set(["sent"]));
    await hand(fcm, pushFor(android));
    expect(tokens.given).toHaveLength(1);
    expect(far.taken).toHaveLength(21);
  });

  test("is renewed before it ends", async () => {
    const clock = testClock();
    const { far, tokens } = await start(clock.now);
    const fcm = provider(far.url, { ...it.service.ground, clock });
    await hand(fcm, pushFor(android));
    clock.forward(50 * 60_000);
    await hand(fcm, pushFor(android));
    expect(tokens.given).toHaveLength(1);
    clock.forward(6 * 60_000);
    expect(await hand(fcm, pushFor(android))).toMatchObject({ kind: "sent" });
    expect(tokens.given).toHaveLength(2);
  });

  test("that was revoked is replaced once, and the message sent", async () => {
    const { far, tokens } = await start();
    const fcm = provider(far.url);
    await hand(fcm, pushFor(android));
    tokens.live = "";
    expect(await hand(fcm, pushFor(android))).toMatchObject({ kind: "sent" });
    expect(tokens.given).toHaveLength(2);
    const calls = far.calls.length;
    // No token is accepted, and the requests for new ones end.
    for (let at = 0; at < 2; at++) far.next.push(fcmError(401, "UNAUTHENTICATED"), { status: 200, body: NEW });
    expect(await hand(fcm, pushFor(android))).toMatchObject(credentials);
    expect(far.calls.length - calls).toBe(3);
  });

  const NEW = { access_token: "ya29.other", expires_in: 3_599 };
  test.each<[string, Reply, object]>([
    ["invalid_grant", { status: 400, body: { error: "invalid_grant", error_description: "Bad key" } }, credentials],
    ["401", { status: 401, body: "no" }, credentials],
    ["404", { status: 404 }, credentials],
    ["429", { status: 429, headers: { "retry-after": "60" } }, { ...later, afterMs: 60_000 }],
    ["500", { status: 500, body: { error: "internal_failure" } }, later],
    ["504", { status: 504 }, later],
    ["200 without a token", { status: 200, body: { token_type: "Bearer" } }, later],
    ["200 with garbage", { status: 200, body: "<html>" }, later],
    ["a token that no header can carry", { status: 200, body: { access_token: "a\nb", expires_in: 9 } }, later],
  ])("that is refused by %s sends nothing, and may be granted later", async (_, reply, outcome) => {
    const { far, sends } = await start();
    const fcm = provider(far.url);
    far.next.push(reply);
    const said = await hand(fcm, pushFor(android));
    expect(said).toMatchObject({ ...outcome, reason: expect.stringContaining("no access token") });
    expect(sends()).toEqual([]);
    expect(await hand(fcm, pushFor(android))).toMatchObject({ kind: "sent" });
  });

  test.each(["reset", "break", "huge"] as const)(
    "whose answer ends in %s means that nothing was sent",
    async (fault) => {
      const { far } = await start();
      far.next.push(fault);
      expect(await hand(provider(far.url), pushFor(android))).toMatchObject(later);
      expect(far.taken).toEqual([]);
    },
  );

  test("is not granted for another key", async () => {
    const { far } = await start();
    const fcm = provider(far.url, it.service.ground, keys.fcmWrong.privateKey);
    expect(await hand(fcm, pushFor(android))).toMatchObject(credentials);
    expect(await fcm.check()).toMatch(/invalid_grant: Invalid JWT Signature/);
  });

  test("is in no reason, and neither is the assertion that it was requested with", async () => {
    const { far, tokens } = await start();
    const fcm = provider(far.url);
    await hand(fcm, pushFor(android));
    far.next.push({ status: 400, body: `no: ${tokens.live}` });
    const said = await hand(fcm, pushFor(android));
    expect(said).toMatchObject({ kind: "refused", reason: expect.stringContaining("no: ***") });
    // The clock stands still, so the assertion is the same again, because PKCS#1 signatures are deterministic.
    const clock = testClock();
    const still = provider(far.url, { ...it.service.ground, clock });
    far.next.push({ status: 503 });
    await hand(still, pushFor(android));
    const assertion = new URLSearchParams(far.calls.at(-1)?.body.toString()).get("assertion") ?? "";
    expect(assertion).toMatch(/^eyJ/);
    far.next.push({ status: 400, body: { error: "invalid_grant", error_description: `bad ${assertion}` } });
    expect(await hand(still, pushFor(android))).toMatchObject({ reason: expect.stringContaining("bad ***") });
  });
});

test("the check sends nothing", async () => {
  const { far } = await start();
  expect(await provider(far.url).check()).toBeUndefined();
  expect(far.taken).toEqual([]);
});

test("a private address is not called where private addresses are not allowed", async () => {
  const { far } = await start();
  const strict = createFetcher({ allowPrivate: false });
  const fcm = provider(far.url, { ...it.service.ground, fetchOut: strict.fetchOut });
  expect(await hand(fcm, pushFor(android))).toMatchObject(later);
  expect(await fcm.check()).toMatch(/ALLOW_PRIVATE_NETWORK/);
  expect(far.calls).toEqual([]);
  strict.close();
});
