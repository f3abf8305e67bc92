import { createSign, generateKeyPairSync } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { AMAZON_CERTIFICATE, AMAZON_KEY } from "../../../test/support/callbacks/certificate.ts";
import { testClock, testService } from "../../../test/support/service.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { type FetchOut, OutboundError } from "../../platform/outbound-http/index.ts";
import { isAmazons } from "./sns.ts";

const TOPIC = "arn:aws:sns:eu-west-1:123456789012:tidings";
const CERTIFICATE = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789.pem";
const clock = testClock("2026-05-01T12:00:00Z");
const it = await testService({ clock });
const { ground } = it.service;

/** Plays Amazon: serves its certificate and confirms subscriptions. The rule of which addresses are Amazon's stays in force. */
let called: string[] = [];
let down = false;
ground.fetchOut = (async (target) => {
  const url = String(target);
  called.push(url);
  if (down) throw new OutboundError("timeout", "No complete answer came in time.", true);
  return { status: 200, headers: {}, body: Buffer.from(url.endsWith(".pem") ? AMAZON_CERTIFICATE : "<ok/>") };
}) satisfies FetchOut;
beforeEach(() => {
  called = [];
  down = false;
});

async function setUp(settings: object = { topic_arn: TOPIC }) {
  const { secretKey: key } = await it.another();
  const credentials = { access_key_id: "AKID", secret_access_key: "secret" };
  const all = { region: "eu-west-1", ...settings };
  const body = { name: "SES", channel: "email", kind: "ses", settings: all, credentials };
  const provider = await it.call("POST", "/api/v1/providers", { key, body });
  expect(provider.status, JSON.stringify(provider.body)).toBe(201);
  const message = {
    identifiers: { id: "ada" },
    to: "ada@example.test",
    cc: ["copy@example.test"],
    from: "hello@acme.test",
    subject: "Hi",
    body: "<p>Hi</p>",
  };
  const delivery = (await it.call("POST", "/data-gateway/transactionals/email", { key, body: message })).body
    .delivery_id;
  await ground.db.execute(
    sql`update deliveries set status = 'sent', due_at = null where id = ${decodeId("dlv", delivery)}`,
  );
  return { key, delivery, url: `/callbacks/ses/${provider.body.id}` };
}

const signed = (envelope: Record<string, string>, key = AMAZON_KEY) => {
  const names = ["Message", "MessageId", "SubscribeURL", "Subject", "Timestamp", "Token", "TopicArn", "Type"];
  const text = names.map((name) => (envelope[name] === undefined ? "" : `${name}\n${envelope[name]}\n`)).join("");
  const algorithm = envelope.SignatureVersion === "1" ? "sha1" : "sha256";
  return { ...envelope, Signature: createSign(algorithm).update(text).sign(key, "base64") };
};

const envelopeOf = (message: unknown, extra: Record<string, string> = {}) => ({
  Type: "Notification",
  MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
  TopicArn: TOPIC,
  Message: typeof message === "string" ? message : JSON.stringify(message),
  Timestamp: clock.now().toISOString(),
  SignatureVersion: "2",
  SigningCertURL: CERTIFICATE,
  ...extra,
});

// SNS sends its JSON as text/plain.
const post = (url: string, body: unknown) =>
  it.call("POST", url, {
    key: null,
    raw: JSON.stringify(body),
    headers: { "content-type": "text/plain; charset=UTF-8" },
  });
const of = async (key: string, id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`, { key })).body;

const time = clock.now().toISOString();
const event = (delivery: string, eventType: string, extra: object) => ({
  eventType,
  mail: { timestamp: time, messageId: "0102", destination: ["ada@example.test"], tags: { delivery_id: [delivery] } },
  ...extra,
});
const bounce = (bounceType: string, emailAddress = "ada@example.test") => ({
  bounce: {
    bounceType,
    bounceSubType: "General",
    timestamp: time,
    bouncedRecipients: [{ emailAddress, status: "5.1.1", diagnosticCode: "550" }],
  },
});

interface Event {
  what: string;
  type: string;
  extra: object;
  /** The delivery's status afterwards. */
  status: string;
  /** The reason of the suppression, where there is one. */
  reason?: string;
}
const complaint = {
  complaint: { timestamp: time, complainedRecipients: [{ emailAddress: "ada@example.test" }] },
};
const arrival = { delivery: { timestamp: time, recipients: ["ada@example.test"] } };
const click = { click: { timestamp: time, link: "https://acme.test" } };

test.each<Event>([
  { what: "a delivery", type: "Delivery", extra: arrival, status: "delivered" },
  { what: "a permanent bounce", type: "Bounce", extra: bounce("Permanent"), status: "bounced", reason: "hard_bounce" },
  { what: "a transient bounce", type: "Bounce", extra: bounce("Transient"), status: "sent" },
  { what: "a complaint", type: "Complaint", extra: complaint, status: "complained", reason: "complaint" },
  { what: "a reject", type: "Reject", extra: { reject: { reason: "Bad content" } }, status: "failed" },
  { what: "an open", type: "Open", extra: { open: { timestamp: time, userAgent: "x" } }, status: "sent" },
  { what: "a click", type: "Click", extra: click, status: "sent" },
  { what: "a delay", type: "DeliveryDelay", extra: { deliveryDelay: { timestamp: time } }, status: "sent" },
])("$what counts once", async ({ type, extra, status, reason }) => {
  const { key, delivery, url } = await setUp();
  for (const SignatureVersion of ["2", "1"])
    expect((await post(url, signed(envelopeOf(event(delivery, type, extra), { SignatureVersion })))).status).toBe(200);
  const now = await of(key, delivery);
  expect(now.status).toBe(status);
  expect(now.events).toHaveLength(type === "DeliveryDelay" ? 1 : 2);
  const { data } = (await it.call("GET", "/api/v1/suppressions", { key })).body;
  expect(data.map((row: { reason: string }) => row.reason)).toEqual(reason === undefined ? [] : [reason]);
});

test("the bounce of a copy does not change the delivery", async () => {
  const { key, delivery, url } = await setUp();
  await post(url, signed(envelopeOf(event(delivery, "Bounce", bounce("Permanent", "copy@example.test")))));
  expect((await of(key, delivery)).status).toBe("sent");
});

test("a subscription is confirmed only at an address of Amazon", async () => {
  const { url } = await setUp();
  const confirmation = (SubscribeURL: string) =>
    signed(envelopeOf("You have chosen to subscribe", { Type: "SubscriptionConfirmation", Token: "t", SubscribeURL }));
  const SubscribeURL = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
  expect((await post(url, confirmation(SubscribeURL))).status).toBe(200);
  expect(called).toContain(SubscribeURL);
  called = [];
  expect((await post(url, confirmation("https://sns.eu-west-1.amazonaws.com.evil.test/"))).body.code).toBe(
    "callback_unverified",
  );
  expect(called.filter((address) => address.includes("evil"))).toEqual([]);
  down = true;
  expect(await post(url, confirmation(SubscribeURL))).toMatchObject({ status: 503, body: { code: "unavailable" } });
});

test("a message that Amazon did not sign, or of another customer's topic, changes nothing", async () => {
  const { key, delivery, url } = await setUp();
  const good = envelopeOf(event(delivery, "Bounce", bounce("Permanent")));
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
  for (const bad of [
    signed(good, stranger),
    { ...signed(good), Message: good.Message.replace("ada", "eve") },
    { ...signed(good), SignatureVersion: "3" },
    { ...signed(good), SignatureVersion: "toString" },
    { ...signed(good), Type: "constructor" },
    signed({ ...good, TopicArn: `${TOPIC}-of-another` }),
    signed({ ...good, SigningCertURL: "https://evil.test/SimpleNotificationService.pem" }),
    signed({ ...good, SigningCertURL: "https://sns.eu-west-1.amazonaws.com/?x=y" }),
    signed({ ...good, SigningCertURL: "https://sns.eu-west-1.amazonaws.com/own/SimpleNotificationService-0.pem" }),
    signed({ ...good, SigningCertURL: "https://sns.s3-us-west-2.amazonaws.com/SimpleNotificationService-0.pem" }),
    signed({ ...good, Timestamp: new Date(clock.now().getTime() - 3 * 3_600_000).toISOString() }),
    signed({ ...good, Type: "Other" }),
  ])
    expect(await post(url, bad), JSON.stringify(bad)).toMatchObject({
      status: 401,
      body: { code: "callback_unverified" },
    });
  expect((await of(key, delivery)).status).toBe("sent");
  expect(called.filter((address) => !address.startsWith("https://sns.eu-west-1.amazonaws.com/"))).toEqual([]);
});

test("without topic_arn every call is refused, because anybody can create a topic whose messages Amazon signs", async () => {
  const { delivery, url } = await setUp({});
  const answer = await post(url, signed(envelopeOf(event(delivery, "Bounce", bounce("Permanent")))));
  expect(answer).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
  expect(answer.body.detail).toContain("settings.topic_arn");
});

test("texts that are no event are ignored", async () => {
  const { url } = await setUp();
  for (const message of [
    "Successfully validated SNS topic for Amazon SES event publishing.",
    "[]",
    "{}",
    '{"eventType":"Bounce","mail":3}',
  ])
    expect((await post(url, signed(envelopeOf(message)))).status, message).toBe(200);
});

test.each([
  ["https://sns.us-east-1.amazonaws.com/a.pem", true],
  ["https://sns.cn-north-1.amazonaws.com.cn/a.pem", true],
  ["https://sns.us-gov-west-1.amazonaws.com/a.pem", true],
  ["https://sns.s3-us-west-2.amazonaws.com/a.pem", false],
  ["https://sns.s3.amazonaws.com/a.pem", false],
  ["https://sns.us-east-1.s3.amazonaws.com/a.pem", false],
  ["https://sns.execute-api.amazonaws.com/a.pem", false],
  ["http://sns.us-east-1.amazonaws.com/a.pem", false],
  ["https://sns.us-east-1.amazonaws.com:8443/a.pem", false],
  ["https://user@sns.us-east-1.amazonaws.com/a.pem", false],
  ["https://sns.us-east-1.amazonaws.com@evil.test/a.pem", false],
  ["https://evil-amazonaws.com/a.pem", false],
  ["https://bucket.s3.amazonaws.com/a.pem", false],
  ["https://sns.us-east-1.amazonaws.com.evil.test/a.pem", false],
  ["no address", false],
])("%s belongs to Amazon: %s", (url, is) => expect(isAmazons(url)).toBe(is));
