import { describe, expect, onTestFinished, test } from "vitest";
import { haveOpenSmtpd, openSmtpd } from "../../test/support/mail/opensmtpd.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";

// The smtp provider against a real mail server.

describe.skipIf(!haveOpenSmtpd)("OpenSMTPD", () => {
  test("takes, delivers and refuses messages", async () => {
    const server = await openSmtpd(onTestFinished);
    const it = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });
    const provider = await it.call("POST", "/api/v1/providers", {
      body: { name: "OpenSMTPD", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", port: server.port } },
    });
    expect(provider.status).toBe(201);
    expect((await it.call("POST", `/api/v1/providers/${provider.body.id}/test`)).body).toMatchObject({ ok: true });

    const send = async (body: object) => {
      const answer = await it.call("POST", "/data-gateway/transactionals/email", {
        body: {
          from: "Acme <hello@acme.test>",
          subject: "Grüße, Ada ✓",
          body: "<p>Für dich</p>\n.\n<p>.</p>",
          ...body,
        },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      return answer.body.delivery_id;
    };
    const ended = (id: string) =>
      until(async () => {
        const { body } = await it.call("GET", `/api/v1/deliveries/${id}`);
        return ["queued", "sending"].includes(body.status) ? undefined : body;
      }, `the end of ${id}`);

    const id = await send({
      identifiers: { email: "ada@bücher.test" },
      cc: ["cc@example.test"],
      bcc: ["hidden@example.test"],
      attachments: { "list.txt": Buffer.from("one\r\ntwo").toString("base64") },
      headers: { "X-Campaign": "spring" },
    });
    expect(await ended(id)).toMatchObject({ status: "sent", provider_message_id: expect.stringMatching(/^250 /) });
    const mails = await until(async () => {
      const found = await server.mails();
      return found.length === 3 ? found : undefined;
    }, "a mail for each recipient");
    for (const { raw, email } of mails) {
      expect(email).toMatchObject({ subject: "Grüße, Ada ✓", from: { name: "Acme", address: "hello@acme.test" } });
      expect(email.messageId).toBe(`<${id}@acme.test>`);
      expect(email.html).toContain("<p>Für dich</p>\n.\n<p>.</p>");
      expect(email.to).toMatchObject([{ address: "ada@xn--bcher-kva.test" }]);
      expect(Buffer.from(email.attachments[0]?.content as ArrayBuffer).toString()).toBe("one\r\ntwo");
      expect(raw).toMatch(/^X-Campaign: spring/m);
      // The server's own trace headers name the recipient of each copy; our headers must not.
      expect(raw.slice(raw.indexOf("From: Acme"))).not.toContain("hidden@example.test");
    }

    expect(await ended(await send({ identifiers: { email: "refused@example.test" } }))).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^550/),
    });
    const many = await Promise.all(
      Array.from({ length: 40 }, (_, i) => send({ identifiers: { email: `p${i}@example.test` } })),
    );
    for (const one of many) expect((await ended(one)).status).toBe("sent");
    await until(async () => (await server.mails()).length === 43, "all mails");
  });
});
