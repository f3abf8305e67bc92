import { SendEmailRequest, SendPushRequest, SendSMSRequest } from "customerio-node";
import { describe, expect, test } from "vitest";
import { customerioService, refused } from "../../../test/support/services/customerio.ts";
import { severed } from "../../../test/support/network/severed.ts";

const { it, make, identify, captured, deliveries, address, client, api, raw } = await customerioService();

type Sent = { delivery_id: string; queued_at: number };

describe("sendEmail", () => {
  test("sends a saved template by its trigger name, with message_data", async () => {
    const { trigger_name } = await make();
    await identify("tpl-1", { email: "grace@example.test", first_name: "Grace" });
    const sent = (await api.sendEmail(
      new SendEmailRequest({
        to: "grace@example.test",
        identifiers: { id: "tpl-1" },
        transactional_message_id: trigger_name,
        message_data: { order: "A-7" },
      }),
    )) as Sent;
    expect(Object.keys(sent).sort()).toEqual(["delivery_id", "queued_at"]);
    expect(Number.isInteger(sent.queued_at)).toBe(true);
    expect(Math.abs(sent.queued_at - Date.now() / 1000)).toBeLessThan(300);
    const { message } = await captured(sent.delivery_id);
    expect(message.subject).toBe("Order A-7");
    expect(message.html).toContain("Hi Grace");
  });

  test("sends a saved template by its id, and by a number that is its trigger name", async () => {
    const { id } = await make({ trigger_name: "17" });
    for (const transactional_message_id of [id, 17]) {
      const sent = (await api.sendEmail(
        new SendEmailRequest({
          to: "num@example.test",
          identifiers: { id: 42 },
          transactional_message_id,
          message_data: { order: "B-1" },
        }),
      )) as Sent;
      expect((await captured(sent.delivery_id)).message.subject).toBe("Order B-1");
    }
    expect((await it.call("GET", "/api/v1/people/42")).status).toBe(200);
  });

  test("sends raw content with everything that an email can carry", async () => {
    const request = raw({
      to: "Ada L. <ada@example.test>",
      body_plain: "World, in plain",
      preheader: "Just a line",
      reply_to: "help@acme.test",
      bcc: 'audit@acme.test, "Doe, Jane" <jane@acme.test>',
      headers: { "X-Order": 7 },
      disable_message_retention: false,
      tracked: true,
      language: "de",
      fake_bcc: false,
      send_to_unsubscribed: true,
    });
    request.attach("bill.txt", "to pay: 3");
    const sent = (await api.sendEmail(request)) as Sent;
    const { message, recipient } = await captured(sent.delivery_id);
    expect(recipient).toBe("ada@example.test");
    expect(message).toMatchObject({
      subject: "Hello",
      from: { name: "Acme", address: "hello@acme.test" },
      reply_to: { address: "help@acme.test" },
      text: "World, in plain",
      bcc: [{ address: "audit@acme.test" }, { name: "Doe, Jane", address: "jane@acme.test" }],
      headers: { "X-Order": "7" },
      attachments: [{ name: "bill.txt", bytes: 9 }],
    });
    expect(message.html).toContain("Just a line");
  });

  test("waits until send_at, which is in unix seconds", async () => {
    const at = Math.floor(Date.now() / 1000) + 3_600;
    const sent = (await api.sendEmail(raw({ send_at: at }))) as Sent;
    const { body } = await it.call("GET", `/api/v1/deliveries/${sent.delivery_id}`);
    expect(body.status).toBe("queued");
    expect(Date.parse(body.due_at)).toBe(at * 1000);
  });

  test("two equal calls are two messages", async () => {
    const [a, b] = (await Promise.all([api.sendEmail(raw()), api.sendEmail(raw())])) as [Sent, Sent];
    expect(a.delivery_id).not.toBe(b.delivery_id);
    expect(((await api.sendEmail(raw())) as Sent).delivery_id).not.toBe(a.delivery_id);
  });
});

describe("a send whose answer is lost", () => {
  test("is repeated by the client and gets the first answer: one message", async () => {
    const before = (await deliveries()) as number;
    const network = await severed(address, 2);
    const sent = (await client(network.address).sendEmail(raw({ subject: "Your receipt" }))) as Sent;
    expect(network.seen.map((call) => call.headers["x-retry-count"])).toEqual([undefined, "1", "2"]);
    expect(Number(await deliveries())).toBe(Number(before) + 1);
    expect((await captured(sent.delivery_id)).message.subject).toBe("Your receipt");
  });

  test("is another message when it is called again, even immediately", async () => {
    const before = Number(await deliveries());
    const lossy = client((await severed(address, 1)).address);
    const first = (await lossy.sendEmail(raw({ subject: "Again" }))) as Sent;
    const second = (await lossy.sendEmail(raw({ subject: "Again" }))) as Sent;
    expect(second.delivery_id).not.toBe(first.delivery_id);
    expect(Number(await deliveries())).toBe(before + 2);
  });

  test("is not confused with a call with another key, another body or on another path", async () => {
    const other = await it.another();
    const post = (key: string, path: string, body: unknown) =>
      it.call("POST", `/compat/customerio/v1${path}`, { key, body, headers: { "x-retry-count": "1" } });
    const body = raw({ subject: "Mine" }).message;
    const mine = await post(it.secretKey, "/send/email", body);
    expect(mine.status).toBe(200);
    expect((await post(it.secretKey, "/send/email", body)).body).toEqual(mine.body);
    for (const answer of [
      await post(other.secretKey, "/send/email", body),
      await post(it.secretKey, "/send/email", { ...body, subject: "Other" }),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body.delivery_id).not.toBe(mine.body.delivery_id);
    }
  });
});

describe("sendPush and sendSMS", () => {
  test("send a saved push to the person's devices", async () => {
    const { trigger_name } = await make({
      channel: "push",
      content: { title: "Order {{trigger.order}}", message: "On its way" },
    });
    await it.call("PUT", "/data-gateway/v1/devices", {
      body: { person_id: "pusher", platform: "ios", token: "token-1" },
    });
    const sent = (await api.sendPush(
      new SendPushRequest({
        identifiers: { id: "pusher" },
        transactional_message_id: trigger_name,
        message_data: { order: "P-1" },
        link: "app://orders/1",
        custom_data: { order: "P-1" },
      }),
    )) as Sent;
    const { message } = await captured(sent.delivery_id);
    expect(message).toMatchObject({ title: "Order P-1", message: "On its way", link: "app://orders/1" });
  });

  test("send a saved text message to the person's number", async () => {
    const { trigger_name } = await make({ channel: "sms", content: { body: "Code {{trigger.code}}" } });
    await identify("texter", { phone: "+4915112345678" });
    const sent = (await api.sendSMS(
      new SendSMSRequest({
        identifiers: { id: "texter" },
        transactional_message_id: trigger_name,
        message_data: { code: 123 },
      }),
    )) as Sent;
    const { message, recipient } = await captured(sent.delivery_id);
    expect([message.body, recipient]).toEqual(["Code 123", "+4915112345678"]);
  });

  test("a template of another channel is refused", async () => {
    const { trigger_name } = await make();
    const error = await refused(
      api.sendSMS(new SendSMSRequest({ identifiers: { id: "x" }, transactional_message_id: trigger_name })),
    );
    expect([error.statusCode, error.message]).toEqual([400, expect.stringContaining("email")]);
  });
});
