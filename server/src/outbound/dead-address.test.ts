import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { testSmtp } from "../../test/support/mail/smtp.ts";
import { smsKinds } from "../../test/support/providers/kinds.ts";
import { testService } from "../../test/support/service.ts";
import { atEnd, until } from "../../test/support/wait.ts";

// Providers that answer to the message itself that its address or device can't be reached.

const it = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });

async function workspaceWith(provider: object) {
  const { secretKey: key } = await it.another();
  const answer = await it.call("POST", "/api/v1/providers", { key, body: { name: "P", ...provider } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const send = async (channel: string, body: object) =>
    (await it.call("POST", `/data-gateway/transactionals/${channel}`, { key, body })).body;
  const failed = (id: string) =>
    until(async () => {
      const { body } = await it.call("GET", `/api/v1/deliveries/${id}`, { key });
      return body.status === "failed" && body;
    }, "having failed");
  const listed = async () => (await it.call("GET", "/api/v1/suppressions", { key })).body.data;
  return { key, send, failed, listed };
}

test("550 5.1.1 to the recipient puts the address on the suppression list; other refusals, and those of a copy, do not", async () => {
  const smtp = await testSmtp();
  smtp.refuse.set("gone@a.test", "550 5.1.1 no such user");
  smtp.refuse.set("full@a.test", "552 5.2.2 mailbox full");
  smtp.refuse.set("blocked@a.test", "550 we do not like you");
  const settings = { host: "127.0.0.1", port: smtp.port };
  const { send, failed, listed } = await workspaceWith({ channel: "email", kind: "smtp", settings });
  const mail = (to: string, extra: object = {}) =>
    send("email", { identifiers: { id: "ada" }, to, from: "b@c.test", subject: "S", body: "B", ...extra });
  for (const to of ["full@a.test", "blocked@a.test"]) await failed((await mail(to)).delivery_id);
  await mail("well@a.test", { cc: ["gone@a.test"] });
  await until(() => smtp.received.length === 1, "being received");
  await failed((await mail("full@a.test", { cc: ["gone@a.test"] })).delivery_id);
  expect(await listed()).toEqual([]);
  await failed((await mail("Gone <gone@a.test>")).delivery_id);
  expect(await listed()).toMatchObject([{ address: "gone@a.test", reason: "hard_bounce", source: "smtp" }]);
  expect(await mail("gone@a.test")).toMatchObject({ status: "suppressed", reason: "hard_bounce" });
});

test("21211 of Twilio puts the number on the suppression list", async () => {
  const twilio = smsKinds.find(({ kind }) => kind === "twilio") as (typeof smsKinds)[number];
  const far = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: 21211, message: "Invalid To", status: 400 }));
    });
  });
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
  atEnd(() => far.close());
  const settings = twilio.settings(`http://127.0.0.1:${(far.address() as AddressInfo).port}`);
  const { credentials } = twilio;
  const { send, failed, listed } = await workspaceWith({ channel: "sms", kind: "twilio", settings, credentials });
  await failed((await send("sms", { identifiers: { id: "ada" }, to: "+4915112345678", body: "B" })).delivery_id);
  expect(await listed()).toMatchObject([{ address: "+4915112345678", reason: "hard_bounce", source: "twilio" }]);
});

test("a push to a device that no provider reaches is reported in the answer, and fails at once with that reason", async () => {
  const settings = { subject: "mailto:a@b.test" };
  const { key, send, failed } = await workspaceWith({ channel: "push", kind: "webpush", settings });
  const device = { person_id: "ada", platform: "ios", token: "a".repeat(64) };
  await it.call("PUT", "/data-gateway/v1/devices", { key, body: device });
  const body = { name: "T", subscription_preference: "all", channel: "push", content: { title: "T", message: "M" } };
  const { id } = (await it.call("POST", "/api/v1/transactionals", { key, body })).body;
  const answer = await send("push", { transactional_message_id: id, identifiers: { id: "ada" } });
  expect(answer).toMatchObject({ status: "failed", reason: expect.stringMatching(/^no provider reaches/) });
  expect((await failed(answer.delivery_id)).reason).toMatch(/^no provider reaches/);
});
