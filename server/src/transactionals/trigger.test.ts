import { describe, expect, test } from "vitest";
import { TRIGGER, transactionalsService } from "../../test/support/services/transactionals.ts";
import { until } from "../../test/support/wait.ts";

const { it, make, send, raw, identify, captured } = await transactionalsService();

describe("triggering an email", () => {
  test.each(["bestätigung", "a/b", "a b", "注文確認", "50 % off?", "n".repeat(198)])(
    "by the trigger name %j, however it is written",
    async (trigger_name) => {
      const one = await make({ trigger_name: ` ${trigger_name} ` });
      expect(one.trigger_name).toBe(trigger_name);
      for (const transactional_message_id of [trigger_name, trigger_name.normalize("NFD")]) {
        const answer = await send({
          transactional_message_id,
          identifiers: { email: "b@example.test" },
          message_data: { order: 7 },
        });
        expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      }
    },
  );

  test("by trigger name and by id: rendered, answered 202, captured by the local provider, and in the log", async () => {
    await identify("ada", { email: "Ada@Example.test", first_name: "Ada" });
    const one = await make();
    for (const transactional_message_id of [one.id, one.trigger_name]) {
      const answer = await send({
        transactional_message_id,
        identifiers: { email: "ADA@example.test" },
        message_data: { order: 7 },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      expect(answer.body).toEqual({
        delivery_id: expect.stringMatching(/^dlv_/),
        person_id: "ada",
        status: "queued",
        queued_at: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      const entry = await captured(answer.body.delivery_id);
      expect(entry).toMatchObject({
        channel: "email",
        recipient: "ada@example.test",
        message: {
          subject: "Order 7",
          html: "<p>Hi Ada, 7</p>",
          text: "Hi Ada, 7",
          to: { address: "ada@example.test" },
          message_id: `<${answer.body.delivery_id}@tidings.localhost>`,
        },
      });
      const log = await until(async () => {
        const found = await it.call("GET", `/api/v1/deliveries/${answer.body.delivery_id}`);
        return found.body.status === "sent" && found.body;
      });
      expect(log).toMatchObject({
        channel: "email",
        source: "transactional",
        source_id: one.id,
        person_id: "ada",
        provider: "local",
        attempts: 1,
      });
      expect(log.events.map((event: { type: string }) => event.type)).toEqual(["email.queued", "email.sent"]);
      const again = await it.call("GET", `/api/v1/outbox?recipient=ADA@example.test&channel=email&limit=1`);
      expect(again.body.data).toHaveLength(1);
    }
  });

  test("to one address several times at once, each a message of its own", async () => {
    await identify("twice", { email: "twice@example.test" });
    const calls = Array.from({ length: 5 }, () => send(raw({ identifiers: { email: "twice@example.test" } })));
    for (const { status, body } of await Promise.all(calls)) expect([status, body.person_id]).toEqual([202, "twice"]);
  });

  test("with raw content in every field, also with Liquid", async () => {
    const answer = await send(
      raw({
        message_data: { n: 3 },
        to: "Other <other@example.test>",
        subject: "You have {{trigger.n}}",
        preheader: "Look & see",
        plaintext_body: "n={{trigger.n}}",
        from: "Acme <hello@acme.test>",
        reply_to: "help@acme.test",
        cc: ["cc@example.test"],
        bcc: ["Bcc <bcc@example.test>"],
        headers: { "X-Campaign": "spring" },
        attachments: { "a.txt": Buffer.from("hello").toString("base64") },
      }),
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const { recipient, message } = await captured(answer.body.delivery_id);
    expect(recipient).toBe("other@example.test");
    expect(message).toMatchObject({
      subject: "You have 3",
      text: "n=3",
      from: { name: "Acme", address: "hello@acme.test" },
      reply_to: { address: "help@acme.test" },
      cc: [{ address: "cc@example.test" }],
      bcc: [{ name: "Bcc", address: "bcc@example.test" }],
      headers: { "X-Campaign": "spring" },
      attachments: [{ name: "a.txt", bytes: 5 }],
    });
    expect(message.html).toMatch(/^<div data-preheader[^>]*>Look &amp; see<\/div><p>World<\/p>$/);
    const log = await until(async () => {
      const found = await it.call("GET", `/api/v1/deliveries/${answer.body.delivery_id}`);
      return found.body.status === "sent" && found.body;
    });
    expect(log.content).toMatchObject({ attachment_names: ["a.txt"] });
    expect(log.content.attachments).toBeUndefined();
  });

  test("with fields that override the definition's; a new body drops the old plain text", async () => {
    const { id } = await make({ content: { subject: "S", body: "B", plaintext_body: "T" } });
    const answer = await send({
      transactional_message_id: id,
      identifiers: { email: "o@example.test" },
      body: "<p>mine</p>",
    });
    expect((await captured(answer.body.delivery_id)).message).toMatchObject({
      subject: "S",
      html: "<p>mine</p>",
      text: "mine",
    });
  });

  test("to an unknown person creates them with the lower-cased email, and finds one whose person_id is that email", async () => {
    const answer = await send(raw({ identifiers: { email: "New.Person@Example.test" } }));
    expect(answer.body.person_id).toBe("new.person@example.test");
    const log = await it.call("GET", "/api/v1/people/new.person%40example.test/activity");
    expect(log.status).toBe(200);
    await identify("quiet@example.test", { subscribed: false });
    const quiet = await send(raw({ identifiers: { email: "quiet@example.test" }, to: "quiet@example.test" }));
    expect(quiet.body).toMatchObject({ person_id: "quiet@example.test", status: "suppressed" });
    const byId = await send(raw({ identifiers: { id: "somebody-new" }, to: "x@example.test" }));
    expect(byId.body.person_id).toBe("somebody-new");
    const byPhone = await send(raw({ identifiers: { phone: "+49 151 12345678" }, to: "x@example.test" }));
    expect(byPhone.body.person_id).toBe("+4915112345678");
  });

  test("to a person who unsubscribed is suppressed, unless the transactional includes all", async () => {
    await identify("gone", { email: "gone@example.test", subscribed: false });
    const some = await make();
    const all = await make({ subscription_preference: "all" });
    const call = (id: string) =>
      send({ transactional_message_id: id, identifiers: { id: "gone" }, message_data: { order: 1 } });
    const answer = await call(some.id);
    expect(answer).toMatchObject({ status: 202, body: { status: "suppressed", reason: "unsubscribed" } });
    const log = await it.call("GET", `/api/v1/deliveries/${answer.body.delivery_id}`);
    expect(log.body).toMatchObject({ status: "suppressed", reason: "unsubscribed", due_at: null });
    expect(log.body.events.map((event: { type: string }) => event.type)).toEqual(["email.suppressed"]);
    const sent = await call(all.id);
    expect(sent.body.status).toBe("queued");
    await captured(sent.body.delivery_id);
    const list = await it.call("GET", "/api/v1/outbox?recipient=gone@example.test");
    expect(list.body.data).toHaveLength(1);
  });

  test("with send_at waits; a past time is sent at once, and one beyond 30 days is refused", async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    const later = await send(raw({ send_at: soon }));
    const now = await send(raw({ send_at: "2020-01-01T00:00:00Z" }));
    await captured(now.body.delivery_id);
    expect(new Date((await captured(later.body.delivery_id)).captured_at) >= new Date(soon)).toBe(true);
    const far = await send(raw({ send_at: new Date(Date.now() + 31 * 86_400_000).toISOString() }));
    expect(far).toMatchObject({ status: 400, body: { errors: [{ pointer: "/send_at" }] } });
  });

  test("with disable_message_retention leaves no content after it is sent", async () => {
    const answer = await send(raw({ disable_message_retention: true }));
    const log = await until(async () => {
      const found = await it.call("GET", `/api/v1/deliveries/${answer.body.delivery_id}`);
      return found.body.status === "sent" && found.body;
    });
    expect(log.content).toBeNull();
  });

  test("uses the workspace's own sender", async () => {
    const other = await it.another();
    await it.call("PATCH", "/api/v1/workspace", {
      key: other.secretKey,
      body: { sender_defaults: { email_from: "Shop <shop@acme.test>", email_reply_to: "re@acme.test" } },
    });
    const answer = await until(async () => {
      const sent = await it.call("POST", TRIGGER, { key: other.secretKey, body: raw() });
      const list = await until(async () => {
        const found = await it.call("GET", "/api/v1/outbox?limit=1", { key: other.secretKey });
        return found.body.data[0]?.delivery_id === sent.body.delivery_id && found.body.data[0];
      });
      return list.message.from.name === "Shop" && list;
    });
    expect(answer.message).toMatchObject({
      from: { name: "Shop", address: "shop@acme.test" },
      reply_to: { address: "re@acme.test" },
    });
  });
});

describe("many at once", () => {
  test("64 calls at once take few statements, and each gets its own delivery", async () => {
    const { id } = await make();
    const call = (i: number) =>
      send({ transactional_message_id: id, identifiers: { email: `m${i}@example.test` }, message_data: { order: i } });
    await call(0);
    const { db } = it.service.ground;
    let statements = 0;
    const { query, transaction } = db;
    const counting = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (object, name) => {
          const value = Reflect.get(object, name);
          if (name !== "query" && name !== "execute") return value;
          return (...args: unknown[]) => {
            statements++;
            return (value as (...a: unknown[]) => unknown)(...args);
          };
        },
      });
    Object.assign(db, {
      query: (statement: never) => {
        statements++;
        return query(statement);
      },
      transaction: (work: (tx: never) => Promise<unknown>) => transaction((tx) => work(counting(tx) as never)),
    });
    const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => call(i))).finally(() =>
      Object.assign(db, { query, transaction }),
    );
    expect(answers.every((answer) => answer.status === 202)).toBe(true);
    expect(new Set(answers.map((answer) => answer.body.delivery_id)).size).toBe(64);
    // Three to read, and one more for unknown people; person, delivery and activity to write, in at most two batches.
    expect(statements).toBeLessThanOrEqual(12);
  });
});
