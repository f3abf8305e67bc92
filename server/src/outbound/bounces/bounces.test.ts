import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { dovecot, haveDovecot } from "../../../test/support/mail/dovecot.ts";
import { dsn } from "../../../test/support/mail/dsn.ts";
import { testSmtp } from "../../../test/support/mail/smtp.ts";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { collectBounces } from "./collect.ts";

const it = await testService({ env: { ALLOW_PRIVATE_NETWORK: "true" } });
const { ground } = it.service;

/** Creates a workspace that sends by SMTP, and a delivery that the mail server accepted. */
async function setUp(mailbox: { port: number; user: string; password: string }) {
  const { secretKey: key } = await it.another();
  const bounce_mailbox = {
    host: "127.0.0.1",
    port: mailbox.port,
    secure: false,
    user: mailbox.user,
    address: "bounces@acme.test",
  };
  const credentials = { bounce_password: mailbox.password };
  const settings = { host: "127.0.0.1", port: 9, bounce_mailbox };
  const body = { name: "SMTP", channel: "email", kind: "smtp", settings, credentials };
  const provider = await it.call("POST", "/api/v1/providers", { key, body });
  expect(provider.status, JSON.stringify(provider.body)).toBe(201);
  const remove = () => it.call("DELETE", `/api/v1/providers/${provider.body.id}`, { key });
  onTestFinished(async () => void (await remove()));
  const sent = async (to: string): Promise<string> => {
    const body = { identifiers: { id: to }, to, from: "hello@acme.test", subject: "Hi", body: "<p>Hi</p>" };
    const id = (await it.call("POST", "/data-gateway/transactionals/email", { key, body })).body.delivery_id;
    await ground.db.execute(
      sql`update deliveries set status = 'sent', due_at = null where id = ${decodeId("dlv", id)}`,
    );
    return id;
  };
  const of = async (id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`, { key })).body;
  const suppressed = async () =>
    (await it.call("GET", "/api/v1/suppressions", { key })).body.data.map((row: { address: string }) => row.address);
  return { sent, of, suppressed };
}

describe.skipIf(!haveDovecot)("Dovecot", () => {
  test("bounces count once and are deleted, other mails are marked as seen and stay", async () => {
    const server = await dovecot(onTestFinished);
    const { sent, of, suppressed } = await setUp(server);
    const [dead, full, forged] = [
      await sent("dead@example.test"),
      await sent("full@example.test"),
      await sent("ada@example.test"),
    ];
    server.put(dsn({ id: dead, recipient: "dead@example.test", status: "5.1.1" }));
    server.put(dsn({ id: full, recipient: "full@example.test", status: "4.2.2", action: "delayed" }));
    server.put(dsn({ id: forged, recipient: "victim@example.test", status: "5.1.1" }));
    server.put("From: ada@example.test\nTo: bounces@acme.test\nSubject: On holiday\n\nBack in May.\n");
    server.put(`Content-Type: multipart/report; boundary=x\n\n${"--x\n".repeat(2_000)}${"A".repeat(700_000)}`);
    await collectBounces(ground);
    expect(await of(dead)).toMatchObject({ status: "bounced", reason: "5.1.1 550 5.1.1 no such user" });
    expect(await of(full)).toMatchObject({ status: "sent" });
    expect((await of(full)).events.at(-1)).toMatchObject({ type: "email.bounced", data: { permanent: false } });
    expect(await of(forged)).toMatchObject({ status: "sent" });
    expect(await suppressed()).toEqual(["dead@example.test"]);
    // Dovecot writes flags and removes files when the connection has ended.
    const flagged = (flags: string) =>
      until(() => {
        const mails = server.mails();
        return mails.map((mail) => mail.flags).join() === flags ? mails : undefined;
      }, `mails flagged ${flags}`);
    const left = await flagged("S,S,S");
    expect(left.filter(({ raw }) => raw.includes("On holiday"))).toHaveLength(1);
    await collectBounces(ground);
    await flagged("S,S,S");
    server.put(dsn({ id: dead, recipient: "dead@example.test", status: "5.1.1" }));
    await collectBounces(ground);
    expect((await of(dead)).events.filter(({ type }: { type: string }) => type === "email.bounced")).toHaveLength(1);
    await flagged("S,S,S");
  });

  test("a wrong password, and another workspace's delivery, change nothing", async () => {
    const server = await dovecot(onTestFinished);
    const theirs = await setUp({ ...server, password: "wrong" });
    const mine = await setUp(server);
    const id = await theirs.sent("dead@example.test");
    server.put(dsn({ id, recipient: "dead@example.test", status: "5.1.1" }));
    await collectBounces(ground);
    expect((await theirs.of(id)).status).toBe("sent");
    expect([await mine.suppressed(), await theirs.suppressed()]).toEqual([[], []]);
    await until(() => server.mails()[0]?.flags === "S", "the mail that was seen");
  });
});

describe("the bounce address", async () => {
  const smtp = await testSmtp();
  const sender = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });

  test.each([
    [false, (_id: string) => "bounces@acme.test"],
    [true, (id: string) => `bounces+${id}@acme.test`],
  ])("is the sender of the envelope (verp: %s)", async (verp, expected) => {
    const { secretKey: key } = await sender.another();
    const bounce_mailbox = { host: "127.0.0.1", port: 9, user: "u", address: "bounces@acme.test", verp };
    const settings = { host: "127.0.0.1", port: smtp.port, bounce_mailbox };
    const body = { name: "SMTP", channel: "email", kind: "smtp", settings };
    expect((await sender.call("POST", "/api/v1/providers", { key, body })).status).toBe(201);
    const message = {
      identifiers: { id: "a" },
      to: "a@example.test",
      from: "hello@acme.test",
      subject: "Hi",
      body: "x",
    };
    const { delivery_id } = (await sender.call("POST", "/data-gateway/transactionals/email", { key, body: message }))
      .body;
    const mail = await until(() => smtp.received.find(({ raw }) => raw.includes(delivery_id)), "the mail");
    expect(mail.from).toBe(expected(delivery_id));
    expect(mail.email.from?.address).toBe("hello@acme.test");
  });

  test.each([
    ["two@addresses.test, here@acme.test", false],
    ["no address", false],
    [`${"x".repeat(40)}@acme.test`, true],
  ])("%s is refused", async (address, verp) => {
    const bounce_mailbox = { host: "127.0.0.1", user: "u", address, verp };
    const body = { name: "SMTP", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", bounce_mailbox } };
    const answer = await sender.call("POST", "/api/v1/providers", { body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: "/settings/bounce_mailbox/address" }] } });
  });
});

test.each([
  ["resets", (socket: Socket) => socket.destroy()],
  ["talks nonsense", (socket: Socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["promises more than anybody may send", (socket: Socket) => socket.write("* OK {999999999}\r\nx")],
  ["never ends its line", (socket: Socket) => socket.write("* OK ".padEnd(2_000_000, "x"))],
])("a server that %s ends the run of its mailbox and no other", async (_what, behave) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    behave(socket);
    socket.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await setUp({ port: (server.address() as AddressInfo).port, user: "u", password: "p" });
  await expect(collectBounces(ground)).resolves.toBeUndefined();
  expect(sockets.size).toBe(1);
});
