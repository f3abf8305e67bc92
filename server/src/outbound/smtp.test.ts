import { describe, expect, test } from "vitest";
import { browserOf } from "../../test/support/browser.ts";
import { testSmtp } from "../../test/support/mail/smtp.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";

const it = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });
const { db } = it.service.ground;

/** Creates a workspace that sends through this server. */
async function workspaceOn(port: number, settings: Record<string, unknown> = {}, extra: Record<string, unknown> = {}) {
  const made = await it.another();
  const provider = await it.call("POST", "/api/v1/providers", {
    key: made.secretKey,
    body: {
      name: "Mail",
      channel: "email",
      kind: "smtp",
      settings: { host: "127.0.0.1", port, ...settings },
      ...extra,
    },
  });
  expect(provider.status, JSON.stringify(provider.body)).toBe(201);
  return { ...made, provider: provider.body };
}

const email = (extra: Record<string, unknown> = {}) => ({
  identifiers: { email: "ada@example.test" },
  from: "Acme Ünicode <hello@acme.test>",
  subject: "Grüße",
  body: '<p>Hallo <a href="https://acme.test/x">Welt</a></p>',
  ...extra,
});

async function trigger(key: string, extra: Record<string, unknown> = {}): Promise<string> {
  const answer = await it.call("POST", "/data-gateway/transactionals/email", { key, body: email(extra) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.delivery_id;
}

const logOf = async (key: string, id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`, { key })).body;
const ended = (key: string, id: string, status: string) =>
  until(async () => {
    const log = await logOf(key, id);
    return log.status === status && log;
  }, `${id} being ${status}`);
const reasonOf = (key: string, id: string) => until(async () => (await logOf(key, id)).reason, "a reason");
/** Makes the next attempt due, which is hours ahead. */
const hurry = (id: string) =>
  db.execute(sql`update deliveries set due_at = now() where id = ${decodeId("dlv", id)} and lease_id is null`);

describe("an email over SMTP", () => {
  test("arrives as multipart with a text part, encoded names, all recipients and an explicit envelope", async () => {
    const smtp = await testSmtp();
    const { secretKey } = await workspaceOn(smtp.port);
    const id = await trigger(secretKey, {
      cc: ["Copy <copy@example.test>"],
      bcc: ["hidden@example.test"],
      reply_to: "help@acme.test",
      preheader: "First words",
      headers: { "X-Campaign": "spring" },
      attachments: { "größe.txt": Buffer.from("hello").toString("base64") },
    });
    const log = await ended(secretKey, id, "sent");
    expect(log).toMatchObject({ provider: "smtp", attempts: 1 });
    expect(smtp.received).toHaveLength(1);
    const [{ from, to, raw, email: mail }] = smtp.received as [(typeof smtp.received)[number]];
    expect({ from, to }).toEqual({
      from: "hello@acme.test",
      to: ["ada@example.test", "copy@example.test", "hidden@example.test"],
    });
    expect(mail).toMatchObject({
      subject: "Grüße",
      from: { name: "Acme Ünicode", address: "hello@acme.test" },
      to: [{ address: "ada@example.test" }],
      cc: [{ name: "Copy", address: "copy@example.test" }],
      replyTo: [{ address: "help@acme.test" }],
      messageId: `<${id}@acme.test>`,
    });
    expect(mail.text?.trim()).toBe("Hallo Welt [https://acme.test/x]");
    expect(mail.html).toContain("First words");
    expect(mail.attachments[0]).toMatchObject({ filename: "größe.txt" });
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe("hello");
    expect(raw).toMatch(/^Content-Type: multipart\//im);
    expect(raw).toMatch(/^X-Campaign: spring\r?$/m);
    expect(raw).not.toContain("hidden@example.test");
  });

  test("451 is tried again later with the same Message-ID, then it is sent", async () => {
    const smtp = await testSmtp();
    const { secretKey } = await workspaceOn(smtp.port);
    smtp.next.push("451 Try again later");
    const id = await trigger(secretKey);
    // The test looks once: 4 to 6 s later it is tried again by itself.
    const waiting = await until(async () => {
      const log = await logOf(secretKey, id);
      return log.reason && log;
    }, "a reason");
    expect(waiting.reason).toMatch(/451/);
    const attempt = waiting.events.find((event: { type: string }) => event.type === "email.attempt");
    const wait = new Date(waiting.due_at).getTime() - new Date(attempt.at).getTime();
    // This is the first of the waits and not the second, which is at least 24 s.
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThan(20_000);
    await hurry(id);
    const log = await ended(secretKey, id, "sent");
    expect(log.attempts).toBe(2);
    expect(log.events.map((event: { type: string }) => event.type)).toEqual([
      "email.queued",
      "email.attempt",
      "email.sent",
    ]);
    // The provider's answer to each attempt.
    expect(attempt.data).toMatchObject({ attempt: 1, provider: "smtp", reason: expect.stringMatching(/^451/) });
    expect(log.provider_message_id).toMatch(/^250/);
    expect(log.events.at(-1).data).toMatchObject({ attempt: 2, provider_message_id: log.provider_message_id });
    const ids = smtp.attempts.map((raw) => /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim());
    expect(ids).toEqual([`<${id}@acme.test>`, `<${id}@acme.test>`]);
  });

  test.each([
    ["at the end of the message", (smtp: Awaited<ReturnType<typeof testSmtp>>) => smtp.next.push("550 No such user")],
    [
      "at the recipient",
      (smtp: Awaited<ReturnType<typeof testSmtp>>) => smtp.refuse.set("ada@example.test", "550 No such user"),
    ],
  ])("550 %s fails at once, for good", async (_, prepare) => {
    const smtp = await testSmtp();
    prepare(smtp);
    const { secretKey } = await workspaceOn(smtp.port);
    const id = await trigger(secretKey);
    const log = await ended(secretKey, id, "failed");
    expect(log).toMatchObject({ attempts: 1, due_at: null });
    expect(log.reason).toMatch(/550/);
    expect(log.events.at(-1)).toMatchObject({ type: "email.failed", data: { provider: "smtp" } });
  });

  test("a refused copy does not fail the message; the log says so", async () => {
    const smtp = await testSmtp();
    smtp.refuse.set("copy@example.test", "550 No such user");
    const { secretKey } = await workspaceOn(smtp.port);
    const id = await trigger(secretKey, { cc: ["copy@example.test"] });
    const log = await ended(secretKey, id, "sent");
    expect(log.events.at(-1).data.rejected).toEqual(["copy@example.test"]);
    const refused = await trigger(secretKey, { to: "copy@example.test", cc: ["other@example.test"] });
    expect((await ended(secretKey, refused, "failed")).reason).toMatch(/550/);
  });

  test("where no server answers it is tried again, and fails after the last attempt", async () => {
    const { secretKey } = await workspaceOn(9);
    const id = await trigger(secretKey);
    expect(await reasonOf(secretKey, id)).toMatch(/^no mail server answers at 127.0.0.1:9/);
    await db.execute(sql`update deliveries set attempts = 7 where id = ${decodeId("dlv", id)}`);
    await hurry(id);
    expect(await ended(secretKey, id, "failed")).toMatchObject({ attempts: 8 });
  });

  test("the next provider of the channel is tried before a wait", async () => {
    const smtp = await testSmtp();
    const { secretKey } = await workspaceOn(9);
    const second = {
      name: "Second",
      channel: "email",
      kind: "smtp",
      priority: 5,
      settings: { host: "127.0.0.1", port: smtp.port },
    };
    await it.call("POST", "/api/v1/providers", { key: secretKey, body: second });
    const log = await ended(secretKey, await trigger(secretKey), "sent");
    expect(log.attempts).toBe(1);
    expect(smtp.received).toHaveLength(1);
  });

  test("a stalled server does not slow another workspace's", async () => {
    const [slow, quick] = [await testSmtp(), await testSmtp()];
    const stalled = await workspaceOn(slow.port);
    const working = await workspaceOn(quick.port);
    const warm = await trigger(working.secretKey);
    await ended(working.secretKey, warm, "sent");
    slow.next.push(...Array.from({ length: 300 }, () => "stall" as const));
    await Promise.all(Array.from({ length: 300 }, () => trigger(stalled.secretKey)));
    await until(() => slow.attempts.length === 8, "all of its connections being stuck");
    const ids = await Promise.all(Array.from({ length: 20 }, () => trigger(working.secretKey)));
    // Waiting for a stalled connection would take its 10 minutes.
    await Promise.all(ids.map((id) => ended(working.secretKey, id, "sent")));
    expect(slow.attempts).toHaveLength(8);
  });
});

describe("a letter to a member", () => {
  const invite = (key: string, address: string) =>
    it.call("POST", "/api/v1/members", { key, body: { email: address, role: "viewer" } });
  const sender = async (key: string) => {
    const body = { sender_defaults: { email_from: "hello@acme.test" } };
    expect((await it.call("PATCH", "/api/v1/workspace", { key, body })).status).toBe(200);
  };
  const mailing = async () => {
    const smtp = await testSmtp();
    const { secretKey } = await workspaceOn(smtp.port);
    await sender(secretKey);
    return { smtp, secretKey };
  };

  test("has the link of an invitation; without a sender or a real provider nothing is mailed", async () => {
    const { smtp, secretKey } = await mailing();
    const { body } = await invite(secretKey, "ada@example.test");
    expect(body.mailed).toBe(true);
    await until(() => smtp.received.length === 1, "the invitation");
    const [{ from, to, email } = {}] = smtp.received;
    expect([from, to]).toEqual(["hello@acme.test", ["ada@example.test"]]);
    expect(email?.text).toContain(body.invite_url);
    expect(email?.html).toContain(`href="${body.invite_url}"`);
    const [withoutSender, local] = [await workspaceOn(smtp.port), await it.another()];
    await sender(local.secretKey);
    const provider = { name: "Local", channel: "email", kind: "local", settings: {} };
    expect((await it.call("POST", "/api/v1/providers", { key: local.secretKey, body: provider })).status).toBe(201);
    for (const { secretKey: key } of [withoutSender, local])
      expect((await invite(key, "ada@example.test")).body.mailed).toBe(false);
    expect((await it.call("GET", "/api/v1/deliveries", { key: secretKey })).body.data).toEqual([]);
  });

  test("has the link for a new password, while the account is a member of one workspace only", async () => {
    const { smtp, secretKey } = await mailing();
    const browser = browserOf(it);
    const join = async (key: string) => {
      const token = (await invite(key, "grace@example.test")).body.invite_url.split("#token=")[1];
      return browser.post("/invitations/accept", { token, password: "correct horse battery" });
    };
    const resets = () => smtp.received.filter(({ email }) => email.text?.includes("/reset#token="));
    const ask = async () => (await browser.post("/password-resets", { email: "grace@example.test" })).status;
    await join(secretKey);
    expect(await ask()).toBe(202);
    await until(() => resets().length === 1, "the link");
    expect((await join((await it.another()).secretKey)).body.workspaces).toHaveLength(2);
    expect(await ask()).toBe(202);
    // A letter that was begun later has arrived.
    await invite(secretKey, "alan@example.test");
    await until(() => smtp.received.some(({ to }) => to.includes("alan@example.test")), "the invitation");
    expect(resets()).toHaveLength(1);
  });
});

describe("providers", () => {
  test("a password is sealed at rest, never shown, and used", async () => {
    const smtp = await testSmtp({ user: "acme", pass: "s3cret-pass" });
    const { secretKey, provider } = await workspaceOn(
      smtp.port,
      { user: "acme", require_tls: false },
      { credentials: { password: "s3cret-pass" } },
    );
    expect(provider).toMatchObject({ has_credentials: true, settings: { user: "acme" } });
    expect(JSON.stringify(provider)).not.toContain("s3cret");
    expect(JSON.stringify(await db.query(sql`select * from providers`))).not.toContain("s3cret");
    await ended(secretKey, await trigger(secretKey), "sent");
    expect(smtp.received[0]?.user).toBe("acme");
  });

  test("after a wrong password it is tried again, and is sent once the operator has corrected the password", async () => {
    const smtp = await testSmtp({ user: "acme", pass: "right" });
    const { secretKey, provider } = await workspaceOn(
      smtp.port,
      { user: "acme", require_tls: false },
      { credentials: { password: "wrong" } },
    );
    const url = `/api/v1/providers/${provider.id}`;
    const tried = await it.call("POST", `${url}/test`, { key: secretKey });
    expect(tried).toMatchObject({ status: 422, body: { code: "provider_refused" } });
    expect(tried.body.detail).not.toContain("wrong");
    const id = await trigger(secretKey);
    expect(await reasonOf(secretKey, id)).toMatch(/535/);
    await it.call("PATCH", url, { key: secretKey, body: { credentials: { password: "right" } } });
    await hurry(id);
    await ended(secretKey, id, "sent");
    expect((await it.call("POST", `${url}/test`, { key: secretKey })).body.ok).toBe(true);
    expect((await it.call("POST", `${url}/test`, { key: secretKey, body: { to: "me@example.test" } })).body.ok).toBe(
      true,
    );
    expect(smtp.received.at(-1)).toMatchObject({ to: ["me@example.test"], email: { subject: "Test from Tidings" } });
  });

  test("are created, read, changed and removed; a removed one is no longer used; another workspace's is 404", async () => {
    const smtp = await testSmtp();
    const { secretKey, provider } = await workspaceOn(smtp.port);
    const url = `/api/v1/providers/${provider.id}`;
    expect((await it.call("GET", url, { key: secretKey })).body).toEqual(provider);
    expect((await it.call("GET", "/api/v1/providers", { key: secretKey })).body.data).toEqual([provider]);
    expect((await it.call("PATCH", url, { key: secretKey, body: { name: "New" } })).body).toMatchObject({
      name: "New",
      settings: provider.settings,
    });
    for (const [method, path] of [
      ["GET", url],
      ["PATCH", url],
      ["DELETE", url],
      ["POST", `${url}/test`],
    ] as const) {
      const answer = await it.call(method, path, method === "PATCH" ? { body: { name: "x" } } : {});
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect((await it.call("DELETE", url, { key: secretKey })).status).toBe(204);
    const log = await ended(secretKey, await trigger(secretKey), "sent");
    expect(log.provider).toBe("local");
  });

  test.each([
    [{ kind: "smtp", settings: {} }, "/settings/host"],
    [{ kind: "smtp", settings: { host: "a b" } }, "/settings/host"],
    [{ kind: "smtp", channel: "sms", settings: { host: "a" } }, "/kind"],
    [{ kind: "pigeon" }, "/kind"],
    [{ kind: "local", settings: { host: "a" } }, "/settings/host"],
    [{ kind: "smtp", settings: { host: "a", port: 70000 } }, "/settings/port"],
    [{ kind: "smtp", settings: { host: "a", pass: "x" } }, "/settings/pass"],
  ])("%j is refused, naming %s", async (wrong, pointer) => {
    const answer = await it.call("POST", "/api/v1/providers", { body: { name: "P", channel: "email", ...wrong } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });
});
