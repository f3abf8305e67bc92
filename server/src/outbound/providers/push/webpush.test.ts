import { expect, test } from "vitest";
import type { Reply } from "../../../../test/support/providers/emulator.ts";
import { pushFor } from "../../../../test/support/providers/push.ts";
import { webpushEmulator } from "../../../../test/support/providers/webpush.ts";
import { hand, providerService } from "../../../../test/support/services/providers.ts";
import type { Ground } from "../../../platform/ground.ts";
import { newId } from "../../../platform/ids.ts";
import { createFetcher } from "../../../platform/outbound-http/index.ts";
import { open } from "../index.ts";
import { newVapidPair } from "../protocol/keys.ts";

// Web Push: the message that the browser reads, and the meaning of each answer of a push service.

const { it } = await providerService();
const pair = newVapidPair();

function provider(ground: Ground = it.service.ground, { publicKey, privateKey } = pair) {
  const settings = { subject: "mailto:push@acme.test", public_key: publicKey };
  const credentials = { private_key: privateKey };
  return open(ground, "webpush", { id: newId(), workspaceId: newId(), settings, credentials });
}
const start = () => webpushEmulator(pair.publicKey);
const browser = (subscription: { endpoint: string } | null) => ({
  platform: "web",
  token: subscription?.endpoint ?? "token",
  subscription,
});

test("only the browser can read a push, and it reads all its fields", async () => {
  const { far, subscription } = await start();
  const custom_data = { order: 7, title: "not the title" };
  const extra = { image_url: "https://a.test/1.png", link: "https://a.test/orders/7", custom_data };
  const said = await hand(provider(), pushFor(browser(subscription()), extra));
  expect(said).toEqual({ kind: "sent", providerMessageId: expect.stringContaining("/m/dlv_") });
  expect(far.taken[0]).toMatchObject({
    subject: "mailto:push@acme.test",
    headers: { urgency: "high", ttl: "2419200", topic: expect.stringMatching(/^dlv_/) },
  });
  expect(far.taken[0]?.data).toEqual({
    delivery_id: far.taken[0]?.headers.topic,
    title: "Grüße",
    message: "Your order 7 is on its way 🎉",
    ...extra,
  });
  expect(far.calls[0]?.body.toString("utf8")).not.toContain("order");
});

test("it reaches browsers with a subscription", () => {
  const webpush = provider();
  const reaches = (device: object) => webpush.reaches?.(device as never);
  expect(reaches(browser({ endpoint: "https://push.test/1" }))).toBe(true);
  expect(reaches(browser(null))).toBe(false);
  expect(reaches({ platform: "android", token: "x", subscription: null })).toBe(false);
});

test.each<[Reply, object]>([
  [{ status: 404 }, { kind: "unregistered", reason: "404" }],
  [
    { status: 410, body: "expired" },
    { kind: "unregistered", reason: "410 expired" },
  ],
  [{ status: 413 }, { kind: "refused", reason: "413" }],
  [
    { status: 400, body: "bad" },
    { kind: "refused", reason: "400 bad" },
  ],
  // These are about one subscription, and never a fault of the provider.
  [{ status: 401 }, { kind: "retry", reason: "401" }],
  [
    { status: 403, body: "other key" },
    { kind: "retry", reason: "403 other key" },
  ],
  [
    { status: 429, headers: { "retry-after": "90" } },
    { kind: "retry", reason: "429", afterMs: 90_000 },
  ],
  [{ status: 500 }, { kind: "retry", reason: "500" }],
  [
    { status: 302, headers: { location: "/x" } },
    { kind: "retry", reason: "302 redirects are not followed" },
  ],
  [{ status: 504 }, { kind: "unknown", reason: "504", blameless: true }],
  [{ status: 202 }, { kind: "sent" }],
])("%j", async (reply, outcome) => {
  const { far, subscription } = await start();
  far.next.push(reply);
  expect(await hand(provider(), pushFor(browser(subscription())))).toEqual(outcome);
  expect(far.calls).toHaveLength(1);
});

test("a subscription made with another public key is kept", async () => {
  const { subscription } = await start();
  const said = await hand(provider(it.service.ground, newVapidPair()), pushFor(browser(subscription())));
  expect(said).toMatchObject({ kind: "retry", reason: expect.stringContaining("another key") });
  expect(said).not.toHaveProperty("fault");
});

test.each(["reset", "break"] as const)(
  "a push whose answer ends in %s may have been taken, and is no fault of the provider",
  async (fault) => {
    const { far, subscription } = await start();
    far.next.push(fault);
    expect(await hand(provider(), pushFor(browser(subscription())))).toMatchObject({
      kind: "unknown",
      blameless: true,
    });
  },
);

test("an endless answer is cut, and its status counts", async () => {
  const { far, subscription } = await start();
  far.next.push("huge");
  expect(await hand(provider(), pushFor(browser(subscription())))).toMatchObject({ kind: "sent" });
});

test("the longest message that fits is sent, and a longer one is refused on our side", async () => {
  const { far, subscription } = await start();
  const device = browser(subscription());
  const webpush = provider();
  await hand(webpush, pushFor(device, { message: "" }));
  const room = 3_993 - Buffer.byteLength(JSON.stringify(far.taken[0]?.data));
  expect(await hand(webpush, pushFor(device, { message: "x".repeat(room) }))).toMatchObject({ kind: "sent" });
  expect(far.calls[1]?.body).toHaveLength(4_096);
  const said = await hand(webpush, pushFor(device, { message: "x".repeat(room + 1) }));
  expect(said).toMatchObject({ kind: "refused", unasked: true });
  expect(far.calls).toHaveLength(2);
});

test.each([
  { endpoint: "https://push.test/1", keys: { p256dh: "AAAA", auth: "AAAA" } },
  {
    endpoint: "https://push.test/1",
    keys: { p256dh: Buffer.alloc(65, 4).toString("base64url"), auth: "A".repeat(22) },
  },
  { endpoint: "nowhere", keys: { p256dh: pair.publicKey, auth: "A".repeat(22) } },
])("an invalid subscription, %j, is refused on our side", async (subscription) => {
  expect(await hand(provider(), pushFor(browser(subscription)))).toMatchObject({ kind: "refused", unasked: true });
});

test("our signature, which an endpoint repeats, is in no reason", async () => {
  const { far, subscription } = await start();
  const webpush = provider();
  await hand(webpush, pushFor(browser(subscription())));
  const echoing: Ground["fetchOut"] = async (_url, request) => ({
    status: 400,
    headers: {},
    body: Buffer.from(`no: ${request?.headers?.authorization}`),
  });
  const said = await hand(provider({ ...it.service.ground, fetchOut: echoing }), pushFor(browser(subscription())));
  expect(said).toEqual({ kind: "refused", reason: "400 no: vapid t=***, k=***" });
  expect(JSON.stringify(said)).not.toContain("eyJ");
  expect(far.taken).toHaveLength(1);
});

test("an endpoint at a private address is not called where those are not allowed", async () => {
  const { far, subscription } = await start();
  const strict = createFetcher({ allowPrivate: false });
  const webpush = provider({ ...it.service.ground, fetchOut: strict.fetchOut });
  const said = await hand(webpush, pushFor(browser(subscription())));
  expect(said).toEqual({ kind: "retry", reason: expect.stringContaining("public internet") });
  expect(far.calls).toEqual([]);
  strict.close();
});

test("a closed provider ends its hand-offs under way", async () => {
  const { far, subscription } = await start();
  far.next.push("hang");
  const webpush = provider();
  const handed = hand(webpush, pushFor(browser(subscription())));
  await expect.poll(() => far.calls.length, { timeout: 15_000 }).toBe(1);
  webpush.close();
  expect(await handed).toMatchObject({ kind: "unknown", blameless: true });
});

test("the check reports whether the keys belong together", async () => {
  expect(await provider().check()).toBeUndefined();
  const stray = { publicKey: newVapidPair().publicKey, privateKey: pair.privateKey };
  expect(await provider(it.service.ground, stray).check()).toMatch(/public key/);
});
