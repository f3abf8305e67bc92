import type * as contract from "@tidings/contract/messages/transactionals";
import { expect, expectTypeOf, test } from "vitest";
import { testService } from "../../../server/test/support/service.ts";
import { type PushTrigger, type SmsTrigger, Tidings, type TriggerResult } from "../src/index.ts";

// Triggers by name, and of the other channels, against the real service.

const it = await testService();
const tidings = new Tidings({ baseUrl: await it.service.listen(), secretKey: it.secretKey });
const make = (trigger_name: string, channel: string, content: object) =>
  it.call("POST", "/api/v1/transactionals", {
    body: { name: "T", trigger_name, subscription_preference: "all", channel, content },
  });
const delivery = async (id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`)).body;

test("a transactional is triggered by its name, whatever its channel", async () => {
  await make("welcome", "email", { subject: "Hi {{trigger.name}}", body: "b" });
  await make("login_code", "sms", { body: "{{trigger.code}}" });
  const email = await tidings.trigger("welcome", {
    identifiers: { email: "ada@example.com" },
    message_data: { name: "Ada" },
  });
  expect(await delivery(email.delivery_id)).toMatchObject({ channel: "email", content: { subject: "Hi Ada" } });
  for (const code of ["1", "2"]) {
    const sms = await tidings.trigger("login_code", {
      identifiers: { phone: "+4915112345678" },
      message_data: { code },
    });
    expect(await delivery(sms.delivery_id)).toMatchObject({ channel: "sms", content: { body: code } });
  }
  await expect(tidings.trigger("nothing", { identifiers: { id: "ada" } })).rejects.toMatchObject({
    code: "transactional_not_found",
  });
});

test("push, sms and batch take every field of the contract", async () => {
  expectTypeOf<keyof PushTrigger>().toEqualTypeOf<keyof contract.PushTrigger>();
  expectTypeOf<keyof SmsTrigger>().toEqualTypeOf<keyof contract.SmsTrigger>();
  expectTypeOf<keyof TriggerResult>().toEqualTypeOf<keyof contract.BatchResult>();
  await make("ping", "push", { title: "t", message: "m" });
  await tidings.devices.register({ person_id: "cy", platform: "ios", token: "cy-phone" });
  const push = await tidings.trigger.push({
    transactional_message_id: "ping",
    identifiers: { id: "cy" },
    to: "last_used",
    custom_data: { a: 1 },
  });
  expect((await delivery(push.delivery_id)).content).toMatchObject({ custom_data: { a: 1 } });
  const results = await tidings.trigger.batch([
    { channel: "sms", identifiers: { phone: "+4915112345678" }, body: "b" },
    { channel: "email", identifiers: { id: "nobody" }, subject: "s", body: "b" },
    {
      channel: "email",
      identifiers: { email: "a@example.com" },
      subject: "s",
      body: "b",
      attachments: { "a.txt": new TextEncoder().encode("hello") },
    },
  ]);
  expect(results.map(({ status, code }) => code ?? status)).toEqual([202, "recipient_missing", 202]);
  expect((await delivery(results[2]?.delivery_id ?? "")).content.attachment_names).toEqual(["a.txt"]);
});

test("a key with a longer life is kept for longer", async () => {
  const sms: SmsTrigger = { identifiers: { phone: "+4915112345678" }, body: "b" };
  const options = { idempotencyKey: "month", idempotencyTtl: 30 * 24 * 3_600 };
  const first = await tidings.trigger.sms(sms, options);
  expect(await tidings.trigger.sms(sms, options)).toEqual(first);
  await expect(tidings.trigger.sms(sms, { idempotencyTtl: 60 })).rejects.toMatchObject({ code: "invalid_request" });
});
