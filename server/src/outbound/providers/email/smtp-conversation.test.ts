import { describe, expect, test } from "vitest";
import { rawSmtp } from "../../../../test/support/mail/raw-smtp.ts";
import { testSmtp } from "../../../../test/support/mail/smtp.ts";
import { testService } from "../../../../test/support/service.ts";
import { until } from "../../../../test/support/wait.ts";

// What the test of an SMTP provider, which the doctor also uses, sends to the server.

const it = await testService({ env: { ALLOW_PRIVATE_NETWORK: "true" } });

/** Tests a provider of a new workspace. */
async function tried({
  port,
  from,
  ...more
}: {
  port: number;
  from?: string;
  settings?: object;
  credentials?: object;
}) {
  const { secretKey: key } = await it.another();
  if (from) await it.call("PATCH", "/api/v1/workspace", { key, body: { sender_defaults: { email_from: from } } });
  const settings = { host: "127.0.0.1", port, ...more.settings };
  const body = { name: "Mail", channel: "email", kind: "smtp", ...more, settings };
  const made = await it.call("POST", "/api/v1/providers", { key, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return it.call("POST", `/api/v1/providers/${made.body.id}/test`, { key });
}

const FROM = "Acme <hello@acme.test>";
const refused = (detail: string) => ({
  status: 422,
  body: { code: "provider_refused", detail: expect.stringContaining(detail) },
});

describe("the test of an SMTP provider", () => {
  test("names the workspace's sender and its domain's postmaster, resets both and sends no message", async () => {
    const server = await rawSmtp();
    server.answers.set("MAIL", "250-2.1.0 fine\r\n250 go on");
    expect(await tried({ port: server.port, from: FROM })).toMatchObject({ status: 200, body: { ok: true } });
    await until(() => server.commands.includes("QUIT"), "the goodbye");
    expect(server.commands.slice(1)).toEqual([
      "MAIL FROM:<hello@acme.test>",
      "RCPT TO:<postmaster@acme.test>",
      "RSET",
      "QUIT",
    ]);
    expect(server.begun).toBe(0);
  });

  test("names the bounce mailbox as sender where there is one, in the form of messages", async () => {
    const server = await rawSmtp();
    const bounce_mailbox = { host: "imap.acme.test", user: "b", address: "bounces@acme.test", verp: true };
    const answer = await tried({ port: server.port, from: FROM, settings: { bounce_mailbox } });
    expect(answer.body).toMatchObject({ ok: true });
    expect(server.commands[1]).toMatch(/^MAIL FROM:<bounces\+dlv_[0-9a-z]{26}@acme\.test>$/);
  });

  test("ends after the login where the workspace has no sender", async () => {
    const server = await rawSmtp();
    expect((await tried({ port: server.port })).body).toMatchObject({ ok: true });
    await until(() => server.commands.includes("QUIT"), "the goodbye");
    expect(server.commands.slice(1)).toEqual(["QUIT"]);
  });

  test.each([
    ["sender", "MAIL FROM:<hello@acme.test>", "hello@acme.test", "553 5.7.1 Not owned by ada"],
    ["recipient", "RCPT TO:<postmaster@acme.test>", "postmaster@acme.test", "550 5.7.1 Relaying denied"],
  ])("shows the server's own words where it refuses the %s after the login", async (_, command, address, said) => {
    const login = { user: "ada", pass: "secret" };
    const server = await testSmtp(login);
    server.refuse.set(address, said);
    const settings = { user: login.user, require_tls: false };
    const answer = await tried({ port: server.port, from: FROM, settings, credentials: { password: login.pass } });
    expect(answer).toMatchObject(refused(`${command} was answered with ${said}`));
    expect(server.attempts).toEqual([]);
  });

  test("shows the refusal of a server that closes the connection with it", async () => {
    const server = await rawSmtp();
    server.answers.set("MAIL", "421 4.7.0 Too many messages today");
    expect(await tried({ port: server.port, from: FROM })).toMatchObject(refused("421 4.7.0 Too many messages today"));
  });

  test("shows what both sides said, in order, and no password", async () => {
    const server = await testSmtp({ user: "ada", pass: "the right secret" });
    const settings = { user: "ada", require_tls: false };
    const wrong = await tried({ port: server.port, from: FROM, settings, credentials: { password: "a wrong secret" } });
    expect(wrong).toMatchObject({ status: 422, body: { cause: "credentials" } });
    expect(wrong.body.errors).toEqual([{ pointer: "/credentials/password", message: expect.stringContaining("535") }]);
    const said = wrong.body.conversation.map(({ by, text }: { by: string; text: string }) => `${by}: ${text}`);
    expect(said).toEqual([
      `note: 127.0.0.1:${server.port}`,
      expect.stringMatching(/^them: 220 /),
      expect.stringMatching(/^us: EHLO /),
      expect.stringMatching(/^them: 250-/),
      "us: AUTH PLAIN ***",
      expect.stringMatching(/^them: 535 /),
    ]);
    expect(JSON.stringify(wrong.body)).not.toMatch(/a wrong secret|AGEkYS|AGFkYQ/);
    const right = await tried({
      port: server.port,
      from: FROM,
      settings,
      credentials: { password: "the right secret" },
    });
    expect(right.body.conversation).toContainEqual(
      expect.objectContaining({ by: "us", text: "MAIL FROM:<hello@acme.test>" }),
    );
  });

  test("accepts a server that knows its mailboxes and has no postmaster", async () => {
    const server = await rawSmtp();
    server.answers.set("RCPT", "550 5.1.1 No such user");
    expect((await tried({ port: server.port, from: FROM })).body).toMatchObject({ ok: true });
  });
});
