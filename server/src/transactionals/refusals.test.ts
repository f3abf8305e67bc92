import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { TRIGGER, transactionalsService } from "../../test/support/services/transactionals.ts";

const { it, make, send, raw, deliveries } = await transactionalsService();

describe("calls that can't be carried out", () => {
  test.each([
    ["no key", 401, "unauthenticated", null],
    ["a public key", 403, "key_not_permitted", it.publicKey],
  ])("%s is %i", async (_, status, code, key) => {
    expect(await it.call("POST", TRIGGER, { key, body: raw() })).toMatchObject({ status, body: { code } });
  });

  test.each([
    [{ transactional_message_id: "nothing_here" }, 404, "transactional_not_found"],
    [{ transactional_message_id: "tx_01h455vb4pex5vsknk084sn02q" }, 404, "transactional_not_found"],
    [{ identifiers: { id: "no-address" } }, 422, "recipient_missing"],
    [{ identifiers: { email: "not an address" } }, 422, "recipient_invalid"],
    [{ identifiers: { phone: "12" } }, 422, "recipient_invalid"],
    [{ to: "a@b.test, evil@b.test" }, 422, "recipient_invalid"],
    [{ to: '"a"@b.test' }, 422, "recipient_invalid"],
    [{ cc: ["a@b.test", "nonsense"] }, 422, "recipient_invalid"],
    [{ to: "a@b.test\r\nRCPT TO:<evil@b.test>" }, 400, "invalid_request"],
    [{ subject: "Hi\r\nBcc: evil@b.test" }, 400, "invalid_request"],
    [{ subject: "Hi\nX: y" }, 400, "invalid_request"],
    [{ preheader: "a\r\nb" }, 400, "invalid_request"],
    [{ from: "A <a@b.test>\r\nBcc: evil@b.test" }, 400, "invalid_request"],
    [{ from: "a@b.test, c@d.test" }, 400, "invalid_request"],
    [{ reply_to: "nonsense" }, 400, "invalid_request"],
    [{ headers: { "X-A": "a\r\nBcc: evil@b.test" } }, 400, "invalid_request"],
    [{ headers: { "X A": "a" } }, 400, "invalid_request"],
    [{ headers: { bCC: "evil@b.test" } }, 400, "invalid_request"],
    [{ headers: { "Content-Type": "text/evil" } }, 400, "invalid_request"],
    [{ subject: "{{trigger.x}}", message_data: { x: "Hi\r\nBcc: evil@b.test" } }, 422, "template_error"],
    [{ subject: "{{trigger.x}}", message_data: { x: "x".repeat(256) } }, 422, "template_error"],
    [{ subject: "{{person.none}}" }, 422, "content_missing"],
    [{ subject: undefined }, 422, "content_missing"],
    [{ body: undefined }, 422, "content_missing"],
    [{ body: "{{trigger.a}} {{trigger.b.c}}" }, 422, "message_data_missing"],
    [{ body: "{% for i in (1..1000000000) %}x{% endfor %}" }, 422, "template_error"],
    [{ body: "{{ x | nonsense }}" }, 422, "template_error"],
    [{ attachments: { "a.txt": "not base64!" } }, 400, "invalid_request"],
    [{ attachments: { "a.txt": "abcde" } }, 400, "invalid_request"],
    [{ attachments: { "../a.txt": "aGk=" } }, 400, "invalid_request"],
    [{ identifiers: {} }, 400, "invalid_request"],
    [{ identifiers: { id: "a", email: "a@b.test" } }, 400, "invalid_request"],
    [{ identifiers: undefined }, 400, "invalid_request"],
    [{ nonsense: 1 }, 400, "invalid_request"],
    [{ send_at: "tomorrow" }, 400, "invalid_request"],
    [{ message_data: [] }, 400, "invalid_request"],
    [{ identifiers: { id: "x".repeat(257) }, to: "a@b.test" }, 400, "invalid_request"],
  ])("%j is %i %s, and nothing is queued", async (wrong, status, code) => {
    const before = await deliveries();
    const answer = await send(raw(wrong as Record<string, unknown>));
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status, body: { code } });
    expect(await deliveries()).toBe(before);
  });

  test("missing data is listed by field", async () => {
    const answer = await send(raw({ body: "{{trigger.a}} {{trigger.b.c}} {{trigger.d | default: 1}}" }));
    expect(answer.body).toMatchObject({
      fields: ["a", "b.c"],
      errors: [{ pointer: "/message_data/a" }, { pointer: "/message_data/b/c" }],
    });
  });

  test("a transactional of another channel is a channel_mismatch", async () => {
    const { id } = await make({ channel: "sms", content: { body: "Hi" } });
    const answer = await send({ transactional_message_id: id, identifiers: { email: "a@b.test" } });
    expect(answer).toMatchObject({ status: 422, body: { code: "channel_mismatch" } });
  });

  test("another workspace's transactional is not found, by id and by name", async () => {
    const other = await it.another();
    const { id, trigger_name } = await make({}, other.secretKey);
    for (const transactional_message_id of [id, trigger_name]) {
      const answer = await send({ transactional_message_id, identifiers: { email: "a@b.test" } });
      expect(answer).toMatchObject({ status: 404, body: { code: "transactional_not_found" } });
    }
  });

  test("with a real provider a sender must be set", async () => {
    const other = await it.another();
    const made = await it.call("POST", "/api/v1/providers", {
      key: other.secretKey,
      body: { name: "S", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", port: 9 } },
    });
    expect(made.status).toBe(201);
    const answer = await it.call("POST", TRIGGER, { key: other.secretKey, body: raw() });
    expect(answer).toMatchObject({ status: 422, body: { code: "content_missing", errors: [{ pointer: "/from" }] } });
  });

  test("2 MiB without attachments is 413; 3 MiB of attachment is fine; over 20 MiB is 413", async () => {
    const big = await send(raw({ message_data: { x: "x".repeat(2 * 1024 * 1024) } }));
    expect(big).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    const file = Buffer.alloc(3 * 1024 * 1024, 7).toString("base64");
    expect((await send(raw({ attachments: { "a.bin": file } }))).status).toBe(202);
    const huge = await send(raw({ attachments: { "a.bin": "A".repeat(21 * 1024 * 1024) } }));
    expect(huge.status).toBe(413);
  });

  test("no text in any field makes a 500", async () => {
    const evil = fc.oneof(
      fc.string(),
      fc.constantFrom("\u0000", "\ud800", "{{", "{% if %}", "__proto__", "x".repeat(400), "a@b\r\n", "‮", "💥"),
    );
    const names = [
      "transactional_message_id",
      "to",
      "subject",
      "body",
      "plaintext_body",
      "preheader",
      "from",
      "reply_to",
      "send_at",
    ];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), evil), evil, async (fields, person) => {
        const answer = await send({ ...raw(), ...fields, identifiers: { id: person } });
        expect([202, 400, 404, 422], JSON.stringify([fields, answer.body])).toContain(answer.status);
      }),
      { numRuns: 150 },
    );
  });
});

describe("Idempotency-Key", () => {
  test("the same key and body return the first answer and make one delivery, also after the definition was removed", async () => {
    const { id } = await make();
    const body = { transactional_message_id: id, identifiers: { email: "k@example.test" }, message_data: { order: 1 } };
    const headers = { "idempotency-key": "k-1" };
    const first = await send(body, headers);
    const before = await deliveries();
    const second = await send(body, headers);
    expect(second).toMatchObject({ status: 202, body: first.body });
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    await it.call("DELETE", `/api/v1/transactionals/${id}`);
    expect((await send(body, headers)).body).toEqual(first.body);
    expect(await deliveries()).toBe(before);
  });

  test("the same key with another body is 422, and an empty or overlong key is 400", async () => {
    await send(raw(), { "idempotency-key": "k-2" });
    const other = await send(raw({ subject: "Other" }), { "idempotency-key": "k-2" });
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    for (const key of ["", "x".repeat(256)]) expect((await send(raw(), { "idempotency-key": key })).status).toBe(400);
  });

  test("a refused call does not use up the key", async () => {
    const headers = { "idempotency-key": "k-3" };
    expect((await send(raw({ to: "nonsense" }), headers)).status).toBe(422);
    expect((await send(raw(), headers)).status).toBe(202);
  });

  test("twenty at once with one key make one delivery; the others get the same answer or 409", async () => {
    const before = (await deliveries()) ?? 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(raw(), { "idempotency-key": "k-4" })));
    expect(await deliveries()).toBe(before + 1);
    const ids = new Set(answers.filter((answer) => answer.status === 202).map((answer) => answer.body.delivery_id));
    expect(ids.size).toBe(1);
    for (const answer of answers.filter((one) => one.status !== 202)) {
      expect(answer).toMatchObject({ status: 409, body: { code: "idempotency_in_progress" } });
    }
  });

  test("twenty at once with one key in two processes make one delivery", async () => {
    const twin = await testService({ databaseUrl: it.databaseUrl });
    const before = (await deliveries()) ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? twin : it).call("POST", TRIGGER, {
          key: it.secretKey,
          body: raw(),
          headers: { "idempotency-key": "k-5" },
        }),
      ),
    );
    expect(await deliveries()).toBe(before + 1);
    for (const answer of answers) expect([202, 409]).toContain(answer.status);
  });
});
