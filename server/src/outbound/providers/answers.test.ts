import { describe, expect, test } from "vitest";
import type { Reply } from "../../../test/support/providers/emulator.ts";
import { emailKinds, type Setup, smsKinds } from "../../../test/support/providers/kinds.ts";
import { hand, providerService } from "../../../test/support/services/providers.ts";
import type { Ground } from "../../platform/ground.ts";
import { newId } from "../../platform/ids.ts";
import { createFetcher } from "../../platform/outbound-http/index.ts";

// What each documented answer of a provider means for the delivery.

const { it, opened } = await providerService();
const all: Setup<unknown>[] = [...emailKinds, ...smsKinds];
const setupOf = (kind: string) => all.find((setup) => setup.kind === kind) as Setup<unknown>;

const credentials = { kind: "retry", fault: "credentials" };
const later = { kind: "retry", fault: "provider" };
const refused = { kind: "refused" };
const dead = { kind: "refused", invalidRecipient: true };
const unknown = { kind: "unknown" };

const ses = (status: number, name: string, message = ""): Reply => ({
  status,
  headers: { "x-amzn-errortype": name },
  body: { message },
});
const postmark = (ErrorCode: number, Message: string, status = 422): Reply => ({
  status,
  body: { ErrorCode, Message },
});
const resend = (statusCode: number, name: string, message = ""): Reply => ({
  status: statusCode,
  body: { statusCode, name, message },
});
const sendgrid = (status: number, message: string, field: string | null = null): Reply => ({
  status,
  body: { errors: [{ message, field }] },
});
const mailgun = (status: number, message: string): Reply => ({ status, body: { message } });
const twilio = (status: number, code: number): Reply => ({
  status,
  body: { code, message: "ProviderAnswer so", status },
});
const vonage = (status: string, text = ""): Reply => ({
  status: 200,
  body: { "message-count": "1", messages: [{ status, "error-text": text }] },
});

const table: [string, Reply, object][] = [
  ["ses", ses(400, "MessageRejected", "Email address is not verified. The following identities..."), credentials],
  ["ses", ses(400, "MessageRejected", "Message contains a virus"), refused],
  ["ses", ses(400, "MailFromDomainNotVerifiedException"), credentials],
  ["ses", ses(400, "AccountSuspendedException"), credentials],
  ["ses", ses(400, "SendingPausedException"), credentials],
  ["ses", ses(400, "BadRequestException", "Illegal address"), refused],
  ["ses", ses(404, "NotFoundException", "Configuration set does not exist"), credentials],
  ["ses", ses(400, "LimitExceededException"), later],
  ["ses", ses(429, "TooManyRequestsException", "Maximum sending rate exceeded."), later],
  ["ses", ses(400, "ThrottlingException"), later],
  ["ses", ses(403, "ExpiredTokenException"), credentials],
  ["ses", ses(403, "AccessDeniedException"), credentials],
  ["ses", { status: 400, body: { __type: "com.amazon.coral.service#ThrottlingException" } }, later],
  ["postmark", postmark(10, "Bad token", 401), credentials],
  ["postmark", postmark(300, "Invalid 'To' address: 'ada@example'."), dead],
  ["postmark", postmark(300, "Invalid 'From' address"), refused],
  ["postmark", postmark(400, "Sender signature not found"), credentials],
  ["postmark", postmark(405, "Not allowed to send: out of credits"), credentials],
  ["postmark", postmark(406, "You tried to send to recipient(s) that have been marked as inactive."), dead],
  ["postmark", postmark(411, "Forbidden attachment type"), refused],
  ["postmark", postmark(412, "Account is pending"), credentials],
  ["postmark", postmark(100, "Maintenance", 503), later],
  ["postmark", postmark(1235, "The stream does not exist"), credentials],
  ["postmark", { status: 403, body: "<html>403 Forbidden</html>" }, credentials],
  ["resend", resend(401, "missing_api_key"), credentials],
  ["resend", resend(403, "invalid_api_key"), credentials],
  ["resend", resend(403, "validation_error", "The acme.test domain is not verified."), credentials],
  ["resend", resend(422, "invalid_from_address"), credentials],
  ["resend", resend(422, "validation_error", "Invalid `to` field."), dead],
  ["resend", resend(422, "validation_error", "Invalid `subject` field."), refused],
  ["resend", resend(422, "invalid_attachment"), refused],
  ["resend", resend(429, "rate_limit_exceeded"), later],
  ["resend", resend(429, "daily_quota_exceeded"), later],
  ["resend", resend(409, "concurrent_idempotent_requests"), unknown],
  ["resend", resend(409, "invalid_idempotent_request"), refused],
  ["resend", resend(500, "application_error"), later],
  ["sendgrid", sendgrid(400, "Does not contain a valid address.", "personalizations.0.to.0.email"), dead],
  ["sendgrid", sendgrid(400, "Does not contain a valid address.", "personalizations.0.cc.0.email"), refused],
  ["sendgrid", sendgrid(400, "The subject is required.", "subject"), refused],
  ["sendgrid", sendgrid(400, "The from email does not contain a valid address.", "from.email"), credentials],
  ["sendgrid", sendgrid(401, "Maximum credits exceeded"), credentials],
  ["sendgrid", sendgrid(403, "The from address does not match a verified Sender Identity.", "from"), credentials],
  ["sendgrid", sendgrid(413, "Payload too large"), refused],
  ["sendgrid", sendgrid(429, "too many requests"), later],
  ["mailgun", mailgun(400, "'to' parameter is not a valid address. please check documentation"), dead],
  ["mailgun", mailgun(400, "'from' parameter is not a valid address. please check documentation"), refused],
  ["mailgun", { status: 401, body: "Forbidden" }, credentials],
  ["mailgun", mailgun(402, "Payment required"), credentials],
  ["mailgun", mailgun(403, "Domain mg.acme.test is not allowed to send: disabled"), credentials],
  ["mailgun", mailgun(404, "Domain not found: mg.acme.test"), credentials],
  ["mailgun", mailgun(413, "Message exceeds maximum message size"), refused],
  ["mailgun", mailgun(429, "Domain mg.acme.test is not allowed to send: request rate limit exceeded"), later],
  ["twilio", twilio(401, 20003), credentials],
  ["twilio", twilio(429, 20429), later],
  ["twilio", twilio(400, 21211), dead],
  ["twilio", twilio(400, 21610), refused],
  ["twilio", twilio(400, 21614), dead],
  ["twilio", twilio(400, 21408), refused],
  ["twilio", twilio(400, 21606), credentials],
  ["twilio", twilio(400, 21617), refused],
  ["twilio", twilio(400, 21611), later],
  ["twilio", twilio(400, 99999), refused],
  ["twilio", twilio(404, 20404), credentials],
  ["vonage", vonage("1", "Throughput Rate Exceeded"), later],
  ["vonage", vonage("2", "Missing to param"), refused],
  ["vonage", vonage("3", "Invalid parameters"), refused],
  ["vonage", vonage("4", "Bad Credentials"), credentials],
  ["vonage", vonage("5"), later],
  ["vonage", vonage("6", "Unroutable message - rejected"), refused],
  ["vonage", vonage("7", "Number barred"), dead],
  ["vonage", vonage("8"), credentials],
  ["vonage", vonage("9", "Quota Exceeded - rejected"), credentials],
  ["vonage", vonage("15", "Illegal Sender Address - rejected"), credentials],
  ["vonage", vonage("29", "Non White-listed Destination - rejected"), refused],
  ["vonage", vonage("surprise"), unknown],
  ["http", { status: 422, body: { code: "invalid_recipient" } }, dead],
  ["http", { status: 400, body: "no" }, refused],
  ["http", { status: 403 }, credentials],
];

test.each(table)("%s: %j", async (kind, reply, outcome) => {
  const setup = setupOf(kind);
  const far = await setup.start();
  far.next.push(reply);
  const provider = opened(setup, far.url);
  const said = await hand(provider);
  expect(said).toMatchObject(outcome);
  if (!("invalidRecipient" in outcome)) expect(said).not.toHaveProperty("invalidRecipient");
  expect(far.calls).toHaveLength(1);
});

describe.each(all)("$kind", (setup) => {
  test.each<[string, Reply, object]>([
    [
      "429 is later, at the time that Retry-After names",
      { status: 429, headers: { "retry-after": "90" } },
      { ...later, afterMs: 90_000 },
    ],
    ["503 is later", { status: 503, body: "<h1>Down</h1>" }, later],
    ["500 is later", { status: 500 }, later],
    ["504 may have been taken", { status: 504 }, unknown],
    ["a redirect is not followed", { status: 302, headers: { location: "/elsewhere" } }, later],
    ["401 without a word is the operator's to mend", { status: 401 }, credentials],
    ["413 is refused", { status: 413, body: "large" }, refused],
  ])("%s", async (_, reply, outcome) => {
    const far = await setup.start();
    far.next.push(reply);
    expect(await hand(opened(setup, far.url))).toMatchObject(outcome);
    expect(far.calls).toHaveLength(1);
  });

  test.each([
    ["garbage", { status: 200, body: "<html>OK</html>" }],
    ["an empty list", { status: 200, body: "[]" }],
  ])("200 with %s may have been taken", async (_, reply) => {
    const far = await setup.start();
    far.next.push(reply);
    // The operator's own gateway accepts by the status alone.
    expect((await hand(opened(setup, far.url))).kind).toBe(setup.kind === "http" ? "sent" : "unknown");
  });

  test("a reason contains no secret, even where the provider's answer does", async () => {
    const far = await setup.start();
    const secrets = Object.entries(setup.credentials).flatMap(([name, value]) =>
      name === "access_key_id" ? [] : value,
    );
    const provider = opened(setup, far.url);
    await hand(provider);
    const sent = String(far.calls[0]?.headers.authorization ?? secrets[0]).replace(/^\w+ /, "");
    far.next.push({ status: 400, body: `no: ${secrets.join(" ")} ${setup.kind === "ses" ? "" : sent}` });
    const said = await hand(provider);
    expect(said).toMatchObject({ kind: "refused", reason: expect.stringContaining("no: ***") });
    for (const secret of [...secrets, sent]) expect(JSON.stringify(said)).not.toContain(secret);
  });

  test("a closed provider ends its hand-offs under way", async () => {
    const far = await setup.start();
    far.next.push("hang");
    const provider = opened(setup, far.url);
    const handed = hand(provider);
    await expect.poll(() => far.calls.length, { timeout: 15_000 }).toBe(1);
    provider.close();
    expect(await handed).toMatchObject(unknown);
  });
});

/** Returns a ground with another function for outgoing calls. */
const groundWith = (fetchOut: Ground["fetchOut"]): Ground => ({ ...it.service.ground, fetchOut });

test.each(["hang", "reset", "break", "huge"] as const)(
  "an answer that ends in %s may have been taken",
  async (fault) => {
    const timeoutMs = fault === "hang" ? 5_000 : 30_000;
    const impatient = groundWith((url, request) => it.service.ground.fetchOut(url, { ...request, timeoutMs }));
    const ends = all.map(async (setup) => {
      const far = await setup.start();
      far.next.push(fault);
      const outcome = await hand(opened(setup, far.url, setup.credentials, impatient));
      return [setup.kind, outcome.kind, far.calls.length];
    });
    expect(await Promise.all(ends)).toEqual(all.map(({ kind }) => [kind, "unknown", 1]));
  },
);

test("a private address is not called where private addresses are not allowed, and another provider may be tried", async () => {
  const strict = createFetcher({ allowPrivate: false });
  for (const setup of all) {
    const far = await setup.start();
    const provider = opened(setup, far.url, setup.credentials, groundWith(strict.fetchOut));
    expect(await hand(provider)).toMatchObject(later);
    expect(await provider.check()).toMatch(/ALLOW_PRIVATE_NETWORK/);
    expect(far.calls).toEqual([]);
  }
  strict.close();
});

test("a repeat through Resend is the same email, by its idempotency key", async () => {
  const far = await emailKinds[2]?.start();
  const provider = opened(setupOf("resend"), far?.url ?? "");
  const deliveryId = newId();
  const [first, second] = [await hand(provider, {}, deliveryId), await hand(provider, {}, deliveryId)];
  expect(first).toMatchObject({ kind: "sent", providerMessageId: expect.any(String) });
  expect(second).toEqual(first);
  expect(far?.taken).toHaveLength(1);
});

test("SendGrid gets each address once, whatever its case", async () => {
  const far = await emailKinds[3]?.start();
  const [ada, copy] = [{ address: "ADA@example.test" }, { address: "copy@example.test" }];
  const outcome = await hand(opened(setupOf("sendgrid"), far?.url ?? ""), { cc: [ada, copy], bcc: [copy] });
  expect(outcome.kind).toBe("sent");
  expect(far?.taken[0]).toMatchObject({ to: ["ada@example.test"], cc: ["copy@example.test"], bcc: [] });
});

test("the time at which SendGrid's next window begins is obeyed", async () => {
  const far = await setupOf("sendgrid").start();
  const reset = Math.ceil(Date.now() / 1_000) + 600;
  far.next.push({ status: 429, headers: { "x-ratelimit-reset": String(reset) } });
  const outcome = (await hand(opened(setupOf("sendgrid"), far.url))) as { afterMs?: number };
  expect(outcome.afterMs).toBeGreaterThan(300_000);
  expect(outcome.afterMs).toBeLessThanOrEqual(601_000);
});

test("Retry-After may be a date, and one of a year counts as a day", async () => {
  const far = await setupOf("mailgun").start();
  const provider = opened(setupOf("mailgun"), far.url);
  const at = new Date(Date.now() + 600_000).toUTCString();
  far.next.push({ status: 429, headers: { "retry-after": at } });
  far.next.push({ status: 429, headers: { "retry-after": "31536000" } });
  far.next.push({ status: 429, headers: { "retry-after": "soon" } });
  const waits = [await hand(provider), await hand(provider), await hand(provider)] as { afterMs?: number }[];
  expect(waits[0]?.afterMs).toBeGreaterThan(300_000);
  expect(waits[0]?.afterMs).toBeLessThanOrEqual(600_000);
  expect(waits[1]?.afterMs).toBe(86_400_000);
  expect(waits[2]).not.toHaveProperty("afterMs");
});

test("a text message of which Vonage took one part counts as sent, and the log has the part that failed", async () => {
  const far = await setupOf("vonage").start();
  const parts = [
    { status: "1", "error-text": "Throughput" },
    { status: "0", "message-id": "0A1" },
  ];
  far.next.push({ status: 200, body: { "message-count": "2", messages: parts } });
  expect(await hand(opened(setupOf("vonage"), far.url))).toEqual({
    kind: "sent",
    providerMessageId: "0A1",
    note: { failed_part: "1: Throughput" },
  });
});

test("a key that may only send passes the check of SES and Resend; one that may not send fails that of SendGrid", async () => {
  const [aws, mails] = [await setupOf("ses").start(), await setupOf("resend").start()];
  aws.next.push(ses(403, "AccessDeniedException", "not authorized to perform: ses:GetAccount"));
  mails.next.push(resend(401, "restricted_api_key", "This API key is restricted to only send emails"));
  expect(await opened(setupOf("ses"), aws.url).check()).toBeUndefined();
  expect(await opened(setupOf("resend"), mails.url).check()).toBeUndefined();
  const grid = await setupOf("sendgrid").start();
  grid.next.push({ status: 200, body: { scopes: ["alerts.read"] } });
  expect(await opened(setupOf("sendgrid"), grid.url).check()).toMatch(/mail\.send/);
});

test("a key that is not allowed in a header makes no process fail", async () => {
  const far = await setupOf("postmark").start();
  const provider = opened(setupOf("postmark"), far.url, { server_token: "line\nbreak-secret" });
  const outcome = await hand(provider);
  expect(outcome.kind).toBe("retry");
  expect(JSON.stringify(outcome)).not.toContain("secret");
});
