import { describe, expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";
import { step } from "./fanout/fanout.ts";

// Broadcasts by email, push and SMS.

const clock = testClock("2026-03-10T12:00:00.000Z");
const it = await testService({ clock });
const { ground } = it.service;
const post = (path: string, body?: object) => it.call("POST", `/api/v1/broadcasts${path}`, body ? { body } : {});
const read = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}`)).body;
const identify = (person_id: string, attributes: object) =>
  it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes } });
const email = { subject: "Hello {{person.name}}", body: "<p>{{person.name}}</p>", from: "a@acme.test" };

async function draft(group: string, fields: object): Promise<string> {
  const audience = { attribute: "group", op: "eq", value: group };
  const answer = await post("", { name: "Test", channel: "email", audience, ...fields });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

async function sent(id: string) {
  const answer = await post(`/${id}/send`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  while (await step(ground));
  expect(await read(id)).toMatchObject({ status: "sent" });
  const list = (await it.call("GET", `/api/v1/deliveries?source_id=${id}&limit=200`)).body.data;
  return new Map<string, Record<string, unknown>>(list.map((row: { person_id: string }) => [row.person_id, row]));
}

/** Returns the content of a delivery. */
const contentOf = async (row: Record<string, unknown> | undefined) =>
  (await it.call("GET", `/api/v1/deliveries/${row?.id}`)).body.content;

describe("an email broadcast", () => {
  test("is rendered for each person, and everyone has one delivery, which may only tell why there is no message", async () => {
    await identify("ann", { group: "mail", name: "Ann", email: "ann@example.test" });
    await identify("none", { group: "mail", name: "None" });
    await identify("off", { group: "mail", name: "Off", email: "off@example.test" });
    await identify("bounced", { group: "mail", name: "Bounced", email: "bounced@example.test" });
    await identify("lines", { group: "mail", name: "a\nb", email: "lines@example.test" });
    await it.call("PATCH", "/api/v1/people/off/subscriptions", { body: { channels: { email: false } } });
    await it.call("POST", "/api/v1/suppressions", { body: { channel: "email", address: "bounced@example.test" } });
    const id = await draft("mail", { content: email });
    const preflight = (await post(`/${id}/preflight`)).body;
    expect(preflight).toMatchObject({
      audience: 5,
      will_receive: 2,
      excluded: { no_address: 1, channel_unsubscribed: 1, suppressed: 1 },
      samples: { no_address: ["none"], channel_unsubscribed: ["off"], suppressed: ["bounced"] },
    });
    const rows = await sent(id);
    expect(rows.size).toBe(5);
    expect(rows.get("ann")).toMatchObject({ status: "queued", recipient: "ann@example.test", source: "broadcast" });
    const link = expect.stringMatching(/^<http.+\/unsubscribe\/.+>$/);
    expect(await contentOf(rows.get("ann"))).toMatchObject({
      subject: "Hello Ann",
      body: "<p>Ann</p>",
      from: "a@acme.test",
      headers: { "List-Unsubscribe": link, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    });
    expect(rows.get("none")).toMatchObject({ status: "failed", reason: "no_address" });
    expect(rows.get("off")).toMatchObject({ status: "suppressed", reason: "channel_unsubscribed" });
    expect(rows.get("bounced")).toMatchObject({ status: "suppressed", reason: "manual" });
    expect(await read(`${id}/failures`)).toEqual({
      data: [
        { status: "failed", reason: expect.stringContaining("line break"), count: 1 },
        { status: "failed", reason: "no_address", count: 1 },
        { status: "suppressed", reason: "channel_unsubscribed", count: 1 },
        { status: "suppressed", reason: "manual", count: 1 },
      ],
      exact: true,
    });
    const unreached = await it.call("GET", `/api/v1/deliveries?source_id=${id}&status=failed&reason=no_address`);
    expect(unreached.body.data).toMatchObject([{ person_id: "none" }]);
    expect(rows.get("lines")).toMatchObject({ status: "failed", reason: expect.stringMatching(/line break/) });
    expect((await it.call("GET", `/api/v1/broadcasts/${id}/metrics`)).body).toMatchObject({ sent: 0, failed: 4 });
  });

  test("of a template sends the version from the start of sending, and names it", async () => {
    await identify("tina", { group: "template", name: "Tina", email: "tina@example.test" });
    const made = await it.call("POST", "/api/v1/email-templates", {
      body: { name: "T", subject: "First {{person.name}}", body: "<p>x</p>" },
    });
    const id = await draft("template", { content: { template_id: made.body.id, from: "a@acme.test" } });
    const remove = () => it.call("DELETE", `/api/v1/email-templates/${made.body.id}`);
    expect((await remove()).body).toMatchObject({ code: "conflict", detail: expect.stringContaining("Test") });
    await post(`/${id}/send`);
    await it.call("PATCH", `/api/v1/email-templates/${made.body.id}`, { body: { subject: "Second" } });
    while (await step(ground));
    const list = (await it.call("GET", `/api/v1/deliveries?source_id=${id}`)).body.data;
    expect(await contentOf(list[0])).toMatchObject({
      subject: "First Tina",
      template_id: made.body.id,
      template_version: 1,
    });
    expect((await remove()).status).toBe(204);
  });

  test("is sent once, and can't be recalled", async () => {
    await identify("twice", { group: "twice", name: "T", email: "twice@example.test" });
    const id = await draft("twice", { content: email });
    const first = await sent(id);
    expect(first.size).toBe(1);
    expect((await post(`/${id}/send`)).body.code).toBe("wrong_status");
    expect((await post(`/${id}/recall`)).body.code).toBe("channel_mismatch");
  });
});

describe("the other channels", () => {
  test("a push goes to people with a device", async () => {
    for (const name of ["pat", "bare"]) await identify(name, { group: "push", name });
    await it.call("PUT", "/data-gateway/v1/devices", {
      body: { person_id: "pat", platform: "ios", token: "a".repeat(64) },
    });
    const content = {
      title: "Hi {{person.name}}",
      message: "M",
      link: "{{ person.link | default: 'javascript:alert(1)' }}",
    };
    const rows = await sent(await draft("push", { channel: "push", content }));
    expect(rows.get("bare")).toMatchObject({ status: "failed", reason: "no_address" });
    expect(rows.get("pat")).toMatchObject({ status: "queued", recipient: "all" });
    expect(await contentOf(rows.get("pat"))).toEqual({ title: "Hi pat", message: "M" });
  });

  test("a text message goes to the person's number, with its segments counted", async () => {
    await identify("sam", { group: "sms", name: "Sam", phone: "+41791234567" });
    const rows = await sent(await draft("sms", { channel: "sms", content: { body: "Hi {{person.name}}" } }));
    expect(rows.get("sam")).toMatchObject({ status: "queued", recipient: "+41791234567" });
    expect(await contentOf(rows.get("sam"))).toEqual({ body: "Hi Sam", segments: 1 });
  });

  test("work while in-app is switched off", async () => {
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: false } });
    expect((await post(`/${await draft("nobody", { content: email })}/send`, { allow_empty: true })).status).toBe(200);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: true } });
  });
});

describe("before it is sent", () => {
  test("a preview and a test send are made for one person, also if they unsubscribed", async () => {
    await identify("tess", { name: "Tess", email: "tess@example.test" });
    await it.call("PATCH", "/api/v1/people/tess/subscriptions", { body: { subscribed: false } });
    const id = await draft("nobody", { content: email });
    expect((await post(`/${id}/preview`, { person_id: "tess" })).body).toMatchObject({
      recipient: "tess@example.test",
      content: { subject: "Hello Tess", body: "<p>Tess</p>" },
    });
    const test = await post(`/${id}/test-sends`, { person_id: "tess" });
    expect(test.status, JSON.stringify(test.body)).toBe(202);
    const delivery = (await it.call("GET", `/api/v1/deliveries/${test.body.delivery_id}`)).body;
    expect(delivery).toMatchObject({ source: "test", status: "queued", content: { subject: "Hello Tess" } });
    await identify("bare-tess", {});
    expect((await post(`/${id}/test-sends`, { person_id: "bare-tess" })).body.code).toBe("recipient_missing");
  });

  test.each([
    ["no content", {}, "/content"],
    ["a message_id", { content: email, message_id: "msg_01kgaaaaaaaaaaaaaaaaaaaaaa" }, "/message_id"],
    ["content of another channel", { content: { title: "T", message: "M" } }, "/content/subject"],
    ["a sender that is none", { content: { ...email, from: "nobody" } }, "/content/from"],
  ])("%s is a 400 that names the field", async (_name, fields, pointer) => {
    const answer = await post("", { name: "T", channel: "email", audience: { all: [] }, ...fields });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });

  test("Liquid that does not parse and an unknown template are refused", async () => {
    const make = (content: object) => post("", { name: "T", channel: "email", audience: { all: [] }, content });
    expect((await make({ ...email, subject: "{{ person." })).body.code).toBe("template_error");
    const nowhere = { template_id: "tpl_01kgaaaaaaaaaaaaaaaaaaaaaa" };
    expect((await make(nowhere)).body.code).toBe("template_not_found");
  });
});
