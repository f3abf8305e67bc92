import { SendEmailRequest } from "customerio-node";
import { describe, expect, test } from "vitest";
import { customerioService, refused } from "../../../test/support/services/customerio.ts";

const { it, make, address, client, api, raw } = await customerioService();

describe("errors", () => {
  test("an invalid call is 400, and meta.error says what is wrong", async () => {
    for (const [request, words] of [
      [raw({ subject: "" }), "subject"],
      [raw({ to: "a@b.test, c@d.test" }), "/to is not one email address"],
      [raw({ identifiers: { email: "nobody" } }), "/identifiers"],
      [raw({ queue_draft: true }), "no drafts"],
      [raw({ send_at: Math.floor(Date.now() / 1000) + 90 * 86_400 }), "30 days"],
      [raw({ subject: "a\r\nBcc: evil@x.test" }), "/subject"],
      [raw({ attachments: 7 }), undefined],
      [raw({ body: "{{ trigger.x | nope }}" }), "nope"],
    ] as const) {
      if (words === undefined) (request.message as { attachments: unknown }).attachments = { "a.txt": "%%%" };
      const error = await refused(api.sendEmail(request));
      expect([error.statusCode, error.message]).toEqual([400, expect.stringContaining(words ?? "/attachments/a.txt")]);
    }
  });

  test("missing message_data is named", async () => {
    const { trigger_name } = await make();
    const error = await refused(
      api.sendEmail(
        new SendEmailRequest({
          to: "ada@example.test",
          identifiers: { email: "ada@example.test" },
          transactional_message_id: trigger_name,
        }),
      ),
    );
    expect([error.statusCode, error.message]).toEqual([400, expect.stringContaining("order")]);
  });

  test("an unknown template is 404, a wrong key 401, a public key 403", async () => {
    const unknown = new SendEmailRequest({
      to: "ada@example.test",
      identifiers: { email: "ada@example.test" },
      transactional_message_id: "no_such",
    });
    expect((await refused(api.sendEmail(unknown))).statusCode).toBe(404);
    const wrong = await refused(client(address, `${it.secretKey}x`).sendEmail(raw()));
    expect([wrong.statusCode, wrong.message]).toEqual([401, expect.stringContaining("API key")]);
    expect((await refused(client(address, it.publicKey).sendEmail(raw()))).statusCode).toBe(403);
  });

  test("a body that is no JSON object is 400 in Customer.io's shape, never 500", async () => {
    for (const text of [
      "",
      "{",
      "null",
      "[]",
      '"x"',
      "7",
      '{"identifiers":null}',
      '{"identifiers":{"id":{}}}',
      '{"a":1,"a":2}',
    ]) {
      const answer = await it.call("POST", "/compat/customerio/v1/send/email", {
        raw: text,
        headers: { "content-type": "application/json" },
      });
      expect([answer.status, typeof answer.body.meta?.error], text).toEqual([400, "string"]);
    }
  });

  test("a call that Tidings does not have is a 404 that says so", async () => {
    const error = await refused(api.triggerBroadcast(7, { headline: "News" }, { segment: { id: 1 } }));
    expect([error.statusCode, error.message]).toEqual([404, expect.stringContaining("docs/migrate.md")]);
    expect((await refused(api.listSegments())).statusCode).toBe(404);
  });
});
