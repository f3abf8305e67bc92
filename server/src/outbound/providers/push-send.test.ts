import { beforeAll, describe, expect, test } from "vitest";
import { apnsEmulator } from "../../../test/support/providers/apns.ts";
import { fcmEmulator } from "../../../test/support/providers/fcm.ts";
import { apnsSettings, appleToken, EMAIL, fcmSettings, keys } from "../../../test/support/providers/push.ts";
import { webpushEmulator } from "../../../test/support/providers/webpush.ts";
import { providerService } from "../../../test/support/services/providers.ts";
import { registerDevice } from "../../people/index.ts";

// Whole pushes, from the trigger over HTTP to the emulators of FCM, APNs and Web Push, to all of a person's devices.

const logged: string[] = [];
const { it, trigger, ended } = await providerService({ logTo: { write: (line) => logged.push(line) } });
const fcm = await fcmEmulator(keys.fcm.publicKey, EMAIL);
const apns = await apnsEmulator(keys.apns.publicKey);
const KINDS = {
  fcm: { settings: fcmSettings(fcm.far.url), credentials: { private_key: keys.fcm.privateKey } },
  apns: { settings: apnsSettings(apns.url), credentials: { private_key: keys.apns.privateKey } },
  webpush: { settings: { subject: "mailto:push@acme.test" } },
};
type Kind = keyof typeof KINDS;

/** Creates a workspace with these providers in this order, and a transactional push. */
async function workspace(...kinds: Kind[]) {
  const { secretKey: key, workspaceId } = await it.another();
  const made: { id: string; settings: Record<string, string> }[] = [];
  for (const [priority, kind] of kinds.entries()) {
    const body = { name: kind, channel: "push", kind, priority, ...KINDS[kind] };
    const answer = await it.call("POST", "/api/v1/providers", { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    made.push(answer.body);
  }
  const transactional = await it.call("POST", "/api/v1/transactionals", {
    key,
    body: {
      name: "Shipped",
      subscription_preference: "all",
      channel: "push",
      content: { title: "Order {{trigger.order}}", message: "Is on its way" },
    },
  });
  expect(transactional.status, JSON.stringify(transactional.body)).toBe(201);

  const device = async (person_id: string, platform: string, token: string) => {
    const body = { person_id, platform, token };
    const answer = await it.call("PUT", "/data-gateway/v1/devices", { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const push = (person: string, extra: object = {}) =>
    trigger(key, "push", {
      transactional_message_id: transactional.body.id,
      identifiers: { id: person },
      message_data: { order: 7 },
      ...extra,
    });
  const alive = async (person: string): Promise<string[]> => {
    const { body } = await it.call("GET", `/api/v1/people/${person}/devices`, { key });
    const list = body.data as { token: string; disabled_at: string | null }[];
    return list
      .filter(({ disabled_at }) => disabled_at === null)
      .map(({ token }) => token)
      .sort();
  };
  return { key, workspaceId, made, device, push, alive };
}

/** Returns which of these tokens an emulator got. */
const reached = (...tokens: string[]) =>
  [...fcm.far.taken, ...apns.taken].map(({ token }) => token).filter((token) => tokens.includes(token));

test("a push reaches each of a person's devices through the provider that can", async () => {
  const { key, workspaceId, made, device, push } = await workspace("apns", "fcm", "webpush");
  const browser = await webpushEmulator(made[2]?.settings.public_key ?? "");
  await device("ada", "android", "all:android");
  await device("ada", "ios", appleToken("1"));
  await device("ada", "ios", "all:ios-of-firebase");
  // The route accepts only https.
  await it.service.ground.db.transaction((tx) =>
    registerDevice(
      tx,
      it.service.ground,
      { workspaceId, limit: undefined },
      { input: { person_id: "ada", platform: "web", subscription: browser.subscription() }, now: new Date() },
    ),
  );
  const id = await push("ada", { link: "https://a.test/7", custom_data: { order: 7 } });
  const log = await ended(key, id, "sent");
  expect(log).toMatchObject({ status: "sent", attempts: 1 });
  expect(reached("all:android", appleToken("1"), "all:ios-of-firebase").sort()).toEqual(
    [appleToken("1"), "all:android", "all:ios-of-firebase"].sort(),
  );
  expect(apns.taken.at(-1)?.payload).toMatchObject({ delivery_id: id, order: 7, link: "https://a.test/7" });
  expect(browser.far.taken.map(({ data }) => data)).toEqual([
    {
      delivery_id: id,
      title: "Order 7",
      message: "Is on its way",
      link: "https://a.test/7",
      custom_data: { order: 7 },
    },
  ]);
});

test("where both providers reach an iPhone, their order decides", async () => {
  const first = await workspace("fcm", "apns");
  await first.device("ada", "ios", "plain-token");
  await ended(first.key, await first.push("ada"), "sent");
  expect(fcm.far.taken.at(-1)?.token).toBe("plain-token");
});

describe("dead tokens", () => {
  test("get nothing until they are registered again, while a good token gets the push", async () => {
    const { key, device, push, alive } = await workspace("fcm", "apns");
    await device("ada", "android", "token-dead");
    await device("ada", "ios", appleToken("2"));
    await ended(key, await push("ada"), "sent");
    expect(await alive("ada")).toEqual([appleToken("2")]);
    const before = fcm.sends().length;
    await ended(key, await push("ada"), "sent");
    expect(fcm.sends().length).toBe(before);
    await device("ada", "android", "token-dead");
    expect(await alive("ada")).toEqual([appleToken("2"), "token-dead"].sort());
    await ended(key, await push("ada"), "sent");
    expect(fcm.sends().length).toBe(before + 1);
    expect(await alive("ada")).toEqual([appleToken("2")]);
  });

  test("fail the push with the provider's reason where the person has no other, and no device is left", async () => {
    const { key, device, push, alive } = await workspace("fcm", "apns");
    await device("ada", "android", "token-foreign");
    await device("ada", "ios", appleToken("f"));
    const log = await ended(key, await push("ada"), "failed");
    expect(log.reason).toMatch(/SENDER_ID_MISMATCH|Unregistered/);
    expect(await alive("ada")).toEqual([]);
  });

  test("are not those that a provider refuses because its key no longer works", async () => {
    const { key, made, device, push, alive } = await workspace("apns");
    await device("ada", "ios", appleToken("3"));
    const wrong = { private_key: keys.apnsWrong.privateKey };
    await it.call("PATCH", `/api/v1/providers/${made[0]?.id}`, { key, body: { credentials: wrong } });
    const calls = apns.calls.length;
    await push("ada");
    await expect.poll(() => apns.calls.length, { timeout: 20_000 }).toBeGreaterThan(calls);
    expect(await alive("ada")).toEqual([appleToken("3")]);
    expect(reached(appleToken("3"))).toEqual([]);
    // The delivery that waits for its next attempt must not get another test's answers.
    await it.call("DELETE", `/api/v1/providers/${made[0]?.id}`, { key });
  });
});

describe.each(["fcm", "apns", "webpush"] as const)("POST /providers/:id/test of %s", (kind) => {
  test("tests what can be tested without sending, and sends to a device that is registered", async () => {
    const { key, workspaceId, made, device } = await workspace(kind);
    const url = `/api/v1/providers/${made[0]?.id}/test`;
    const sent = () => fcm.far.taken.length + apns.taken.length;
    const before = sent();
    expect(await it.call("POST", url, { key })).toMatchObject({ status: 200, body: { ok: true } });
    expect(sent()).toBe(before);
    let to = kind === "apns" ? appleToken("4") : "test:android";
    if (kind === "webpush") {
      const { subscription } = await webpushEmulator(made[0]?.settings.public_key ?? "");
      const own = { person_id: "ada", platform: "web" as const, subscription: subscription("x".repeat(800)) };
      to = own.subscription.endpoint;
      await it.service.ground.db.transaction((tx) =>
        registerDevice(tx, it.service.ground, { workspaceId, limit: undefined }, { input: own, now: new Date() }),
      );
    } else await device("ada", kind === "apns" ? "ios" : "android", to);
    const tried = await it.call("POST", url, { key, body: { to } });
    expect(tried, JSON.stringify(tried.body)).toMatchObject({ status: 200, body: { ok: true } });
  });
});

test.each([
  ["fcm", keys.fcmWrong.privateKey, /invalid_grant/],
  ["apns", keys.apnsWrong.privateKey, /InvalidProviderToken/],
] as const)("a wrong key of %s is told, and shown nowhere", async (kind, private_key, detail) => {
  const { key, made } = await workspace(kind);
  const url = `/api/v1/providers/${made[0]?.id}`;
  await it.call("PATCH", url, { key, body: { credentials: { private_key } } });
  const refused = await it.call("POST", `${url}/test`, { key });
  expect(refused).toMatchObject({ status: 422, body: { code: "provider_refused" } });
  expect(refused.body.detail).toMatch(detail);
  const shown = JSON.stringify([refused.body, (await it.call("GET", url, { key })).body]) + logged.join("");
  const secret = private_key.split("\n")[1] as string;
  expect(secret.length).toBeGreaterThan(20);
  expect(shown).not.toContain(secret);
});

test("tokens and signatures are in no answer, row or log", async () => {
  const { key, device, push } = await workspace("fcm", "apns");
  await device("ada", "android", "log:android");
  await device("ada", "ios", appleToken("5"));
  await ended(key, await push("ada"), "sent");
  const jwt = String(apns.calls.at(-1)?.headers.authorization).slice(-40);
  fcm.far.next.push({ status: 400, body: `no ${fcm.tokens.live}` });
  apns.next.push({ status: 400, body: `no ${apns.calls.at(-1)?.headers.authorization}` });
  const log = await ended(key, await push("ada"), "failed");
  const { db } = it.service.ground;
  const rows = await Promise.all(
    ["deliveries", "activity", "providers"].map((table) => db.query({ text: `select * from ${table}`, values: [] })),
  );
  const everything = JSON.stringify([log, rows]) + logged.join("");
  const holds = ["400 no ***", "400 no bearer ***", jwt, fcm.tokens.live].map((text) => everything.includes(text));
  expect(holds).toEqual([true, true, false, false]);
});

describe("keys of a new provider", () => {
  let own: { key: string };
  beforeAll(async () => {
    own = await workspace();
  });
  const create = (kind: string, settings: object, credentials?: object) =>
    it.call("POST", "/api/v1/providers", {
      key: own.key,
      body: { name: "P", channel: "push", kind, settings, ...(credentials && { credentials }) },
    });
  const subject = { subject: "mailto:push@acme.test" };

  test("are generated for Web Push where none are given, and the public one is shown", async () => {
    const { body, status } = await create("webpush", subject);
    expect(status).toBe(201);
    expect(Buffer.from(body.settings.public_key, "base64url")).toHaveLength(65);
    expect(body).toMatchObject({ has_credentials: true, settings: subject });
    expect(JSON.stringify(body)).not.toContain("private_key");
    const again = await create("webpush", subject);
    expect(again.body.settings.public_key).not.toBe(body.settings.public_key);
  });

  test("include the public key of a given private one", async () => {
    const private_key = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
    const { body } = await create("webpush", subject, { private_key });
    const public_key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    expect(body.settings).toEqual({ ...subject, public_key });
    const url = `/api/v1/providers/${body.id}`;
    const other = { credentials: { private_key: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw" } };
    expect(await it.call("PATCH", url, { key: own.key, body: other })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/settings/public_key" }] },
    });
    const another = { settings: { ...subject, public_key: KINDS.apns.settings.topic } };
    expect(await it.call("PATCH", url, { key: own.key, body: another })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/settings/public_key" }] },
    });
    const moved = { settings: { subject: "https://acme.test", public_key } };
    expect((await it.call("PATCH", url, { key: own.key, body: moved })).status).toBe(200);
  });

  test.each<[Kind, object, object | undefined, string]>([
    ["fcm", KINDS.fcm.settings, { private_key: "no key" }, "/credentials/private_key"],
    ["fcm", KINDS.fcm.settings, { private_key: keys.apns.privateKey }, "/credentials/private_key"],
    ["fcm", KINDS.fcm.settings, { private_key: keys.fcm.publicKey }, "/credentials/private_key"],
    ["fcm", KINDS.fcm.settings, undefined, "/credentials/private_key"],
    ["apns", KINDS.apns.settings, { private_key: keys.fcm.privateKey }, "/credentials/private_key"],
    ["webpush", { ...subject, public_key: "BCVxsr7N" }, undefined, "/credentials/private_key"],
    ["webpush", subject, { private_key: "short" }, "/credentials/private_key"],
    ["webpush", subject, { private_key: 7 }, "/credentials/private_key"],
    ["webpush", subject, { private_key: Buffer.alloc(32).toString("base64url") }, "/credentials/private_key"],
    ["webpush", {}, undefined, "/settings/subject"],
    ["webpush", { subject: "me" }, undefined, "/settings/subject"],
  ])("%s with %j and %j is refused, naming the field", async (kind, settings, credentials, pointer) => {
    const answer = await create(kind, settings, credentials);
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test("a key of a JSON file, with its line breaks as \\n, is accepted", async () => {
    const private_key = keys.fcm.privateKey.replaceAll("\n", "\\n");
    expect((await create("fcm", KINDS.fcm.settings, { private_key })).status).toBe(201);
  });
});
