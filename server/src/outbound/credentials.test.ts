import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { testSmtp } from "../../test/support/mail/smtp.ts";
import { emailKinds, smsKinds } from "../../test/support/providers/kinds.ts";
import { testService } from "../../test/support/service.ts";
import { atEnd, until } from "../../test/support/wait.ts";
import { wayOut } from "../platform/outbound-http/index.ts";
import { eachMail } from "./bounces/mailbox.ts";

// A provider's credentials are sent only to the server that they were given for, and are never shown.

const open = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });
const closed = await testService();
const PASSWORD = 'pä55 "word"&/more';

const mail = (settings: object, credentials: object = { password: PASSWORD }) => ({
  name: "P",
  channel: "email",
  kind: "smtp",
  settings,
  credentials,
});
async function made(it: typeof open, body: object): Promise<string> {
  const answer = await it.call("POST", "/api/v1/providers", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return `/api/v1/providers/${answer.body.id}`;
}

/** Starts a server with these answers. Returns its port and counts its connections. */
async function speaking(answer: (line: string, socket: Socket) => string, greeting: string) {
  const it = { port: 0, connections: 0 };
  const server = createServer((socket) => {
    it.connections++;
    socket.on("error", () => {}).write(`${greeting}\r\n`);
    socket.setEncoding("utf8").on("data", (lines: string) => {
      for (const line of lines.split("\r\n").filter(Boolean)) socket.write(`${answer(line, socket)}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => server.close());
  it.port = (server.address() as AddressInfo).port;
  return it;
}

const SMTP = { host: "mail.example.test", user: "ada" };
const BOUNCES = { host: "imap.example.test", user: "b", address: "b@example.test" };
const SENDERS: [string, object, object, string][] = [
  ["smtp", SMTP, { ...SMTP, host: "evil.example" }, "host"],
  ["smtp", SMTP, { ...SMTP, port: 2525 }, "port"],
  ["smtp", { ...SMTP, secure: true }, SMTP, "secure"],
  ["smtp", SMTP, { ...SMTP, require_tls: false }, "require_tls"],
  ["smtp", SMTP, { ...SMTP, verify_certificate: false }, "verify_certificate"],
  [
    "smtp",
    { ...SMTP, bounce_mailbox: BOUNCES },
    { ...SMTP, bounce_mailbox: { ...BOUNCES, host: "evil.example" } },
    "bounce_mailbox/host",
  ],
  [
    "smtp",
    { ...SMTP, bounce_mailbox: BOUNCES },
    { ...SMTP, bounce_mailbox: { ...BOUNCES, secure: false } },
    "bounce_mailbox/secure",
  ],
  ...[...emailKinds, ...smsKinds].map(({ kind, settings }): [string, object, object, string] => [
    kind,
    settings("https://one.example"),
    settings("https://evil.example"),
    kind === "http" ? "url" : "endpoint",
  ]),
];

test.each(SENDERS)("%s: %j does not become %j without the credentials (%s)", async (kind, before, after, setting) => {
  const setup = [...emailKinds, ...smsKinds].find((one) => one.kind === kind);
  const credentials = setup?.credentials ?? { password: PASSWORD };
  const channel = smsKinds.some((one) => one.kind === kind) ? "sms" : "email";
  const url = await made(closed, { name: "P", channel, kind, settings: before, credentials });
  const refused = await closed.call("PATCH", url, { body: { settings: after } });
  expect(refused).toMatchObject({ status: 422, body: { code: "credentials_missing" } });
  expect(refused.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(
    expect.arrayContaining(["/credentials", `/settings/${setting}`]),
  );
  expect((await closed.call("GET", url)).body.settings).toEqual(before);
  expect((await closed.call("PATCH", url, { body: { settings: before } })).status).toBe(200);
  expect((await closed.call("PATCH", url, { body: { settings: after, credentials } })).status).toBe(200);
});

test("settings that do not decide where credentials go are changed without them, and so is a provider that has none", async () => {
  const url = await made(closed, mail({ host: "mail.example.test", user: "ada" }));
  const same = { host: "MAIL.example.test", port: 587, secure: false, user: "grace" };
  expect((await closed.call("PATCH", url, { body: { settings: same } })).status).toBe(200);
  const bare = await made(closed, { name: "P", channel: "email", kind: "smtp", settings: { host: "a.example.test" } });
  expect((await closed.call("PATCH", bare, { body: { settings: { host: "b.example.test" } } })).status).toBe(200);
});

test("a mail server at a private address is not connected to, and the answer does not show whether there is one", async () => {
  const there = await speaking(() => "250 ok", "220 internal.example ESMTP Secret 1.0");
  const details = new Set<string>();
  for (const settings of [
    { host: "127.0.0.1", port: there.port },
    { host: "127.0.0.1", port: 9 },
    { host: "localhost", port: there.port },
    { host: "::ffff:127.0.0.1", port: there.port },
    { host: "0x7f.1", port: there.port, secure: true },
  ]) {
    const tried = await closed.call("POST", `${await made(closed, mail(settings))}/test`);
    expect(tried).toMatchObject({ status: 422, body: { code: "provider_refused" } });
    details.add(tried.body.detail);
  }
  expect(there.connections).toBe(0);
  expect([...details]).toEqual([expect.stringContaining("not on the public internet")]);
});

test("a bounce mailbox at a private address is not connected to, by its address or by a name", async () => {
  const there = await speaking(() => "* BYE", "* OK secret IMAP");
  for (const host of ["127.0.0.1", "localhost"])
    for (const secure of [true, false]) {
      const settings = { host: "a", bounce_mailbox: { ...BOUNCES, host, port: there.port, secure } };
      const reading = eachMail(wayOut({ allowPrivate: false }), settings, {}, async () => "keep");
      await expect(reading).rejects.toMatchObject({ failure: "private_address" });
    }
  expect(there.connections).toBe(0);
});

test("where private addresses are allowed, a server that is no mail server is not quoted, and a closed port has the same answer", async () => {
  const ports = await Promise.all([
    speaking((_line, socket) => void socket.end() as never, "SSH-2.0-OpenSSH_9.2p1"),
    speaking(() => "HTTP/1.1 400 Bad Request", "HTTP/1.1 200 Internal wiki"),
    speaking(() => "530 Please login", "220 (vsFTPd 3.0.3)"),
  ]);
  for (const port of [9, ...ports.map((one) => one.port)]) {
    const url = await made(open, mail({ host: "127.0.0.1", port }));
    const { body } = await open.call("POST", `${url}/test`);
    expect(body.detail).toMatch(
      new RegExp(`: no mail server answers at 127.0.0.1:${port}, or not as its settings say`),
    );
    expect(body).toMatchObject({ cause: "unreachable", errors: [{ pointer: "/settings/host" }] });
    expect(body.conversation.map(({ text }: { text: string }) => text)).toEqual([`127.0.0.1:${port}`]);
  }
});

test("a password that a server repeats in any form is not in the test's answer, the state or the log", async () => {
  const forms = (line: string) => {
    const [, base64 = ""] = /^AUTH PLAIN (.*)$/.exec(line) ?? [];
    const pair = Buffer.from(base64, "base64").toString();
    const [, , password = ""] = pair.split("\0");
    return [
      base64,
      password,
      JSON.stringify(password),
      encodeURIComponent(password),
      password.replaceAll("&", "&amp;"),
    ];
  };
  const echo = await speaking(
    (line) => (line.startsWith("AUTH") ? `535 ${forms(line).join(" ")}` : "250-echo\r\n250 AUTH PLAIN"),
    "220 echo ESMTP",
  );
  const settings = { host: "127.0.0.1", port: echo.port, user: "ada", require_tls: false };
  const url = await made(open, mail(settings));
  const tried = await open.call("POST", `${url}/test`);
  const sent = await open.call("POST", "/data-gateway/transactionals/email", {
    body: { identifiers: { email: "a@example.test" }, from: "b@example.test", subject: "S", body: "B" },
  });
  const log = await until(async () => {
    const { body } = await open.call("GET", `/api/v1/deliveries/${sent.body.delivery_id}`);
    return body.reason !== null && body.attempts > 0 && body;
  }, "an attempt");
  const shown = JSON.stringify([tried.body, log, (await open.call("GET", "/api/v1/providers")).body]);
  expect(tried.body.detail).toMatch(/535.*\*\*\*/);
  expect(log.reason).toMatch(/^.*535.*\*\*\*/);
  for (const part of ["pä55", "p%C3%A4", Buffer.from(`\0ada\0${PASSWORD}`).toString("base64"), "word"])
    expect(shown.replaceAll(/password/g, "")).not.toContain(part);
  await open.call("DELETE", url);
});

test("a mail server whose name is allowed still gets mail", async () => {
  const smtp = await testSmtp({ user: "ada", pass: PASSWORD });
  const settings = { host: "localhost", port: smtp.port, user: "ada", require_tls: false };
  const url = await made(open, mail(settings));
  expect((await open.call("POST", `${url}/test`, { body: { to: "me@example.test" } })).body.ok).toBe(true);
  expect(smtp.received).toHaveLength(1);
  await open.call("DELETE", url);
});
