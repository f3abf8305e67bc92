import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";

// Errors and warnings that an author or a caller gets at once, instead of finding them in a wrong message.

const it = await testService({ roles: "api,worker" });
const saved = (channel: string, content: object, key = it.secretKey) =>
  it.call("POST", "/api/v1/transactionals", {
    key,
    body: { name: "T", subscription_preference: "subscribed", channel, content },
  });

test.each([
  [{ link: "javascript:alert(1)" }, "link"],
  [{ image_url: "ftp://a.test/x.png" }, "image_url"],
  [{ image_url: "a.png" }, "image_url"],
])("a push with %j is refused when saved, and in a call", async (wrong, name) => {
  const refused = await saved("push", { title: "T", message: "M", ...wrong });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: `/content/${name}` }] } });
  const broadcast = await it.call("POST", "/api/v1/broadcasts", {
    body: {
      name: "B",
      channel: "push",
      audience: { subscribed: true },
      content: { title: "T", message: "M", ...wrong },
    },
  });
  expect(broadcast).toMatchObject({ status: 400, body: { errors: [{ pointer: `/content/${name}` }] } });
  const { id } = (await saved("push", { title: "T", message: "M", link: "{{trigger.link}}" })).body;
  const call = { transactional_message_id: id, identifiers: { id: "ada" }, message_data: { link: "x" }, ...wrong };
  const called = await it.call("POST", "/data-gateway/transactionals/push", { body: call });
  expect(called).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${name}` }] } });
});

test("links of applications and links that Liquid makes are accepted", async () => {
  for (const link of ["app://offers", "https://a.test/x", "{{person.home}}/x", ""])
    expect((await saved("push", { title: "T", message: "M", link })).status, link).toBe(201);
});

test("saving an email without a sender warns until a sender is set", async () => {
  const { secretKey: key } = await it.another();
  const codes = ({ body }: { body: { warnings: { code: string }[] } }) => body.warnings.map(({ code }) => code);
  const content = { subject: "S", body: "B" };
  const first = await saved("email", content, key);
  expect(codes(first)).toEqual(["sender_missing"]);
  expect(codes(await saved("email", { ...content, from: "a@b.test" }, key))).toEqual([]);
  expect(codes(await saved("sms", { body: "B" }, key))).toEqual([]);
  const sender_defaults = { email_from: "Acme <hello@acme.test>" };
  await it.call("PATCH", "/api/v1/workspace", { key, body: { sender_defaults } });
  expect(codes(await it.call("GET", `/api/v1/transactionals/${first.body.id}`, { key }))).toEqual([]);
});

test("content in a call may reach people who unsubscribed, but a call can't override a transactional", async () => {
  const body = { person_id: "left", attributes: { email: "left@a.test", phone: "+4915112345678", subscribed: false } };
  await it.call("POST", "/data-gateway/v1/identify", { body });
  const contents = { email: { from: "a@b.test", subject: "S", body: "B" }, sms: { body: "B" } };
  for (const [channel, content] of Object.entries(contents)) {
    const send = (extra: object) =>
      it.call("POST", `/data-gateway/transactionals/${channel}`, {
        body: { identifiers: { id: "left" }, ...content, ...extra },
      });
    expect((await send({})).body).toMatchObject({ status: "suppressed", reason: "unsubscribed" });
    expect((await send({ subscription_preference: "subscribed" })).body.status).toBe("suppressed");
    expect((await send({ subscription_preference: "all" })).body).toMatchObject({ status: "queued" });
    expect((await send({ subscription_preference: "some" })).status).toBe(400);
    const { id } = (await saved(channel, content)).body;
    expect(await send({ transactional_message_id: id, subscription_preference: "all" })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/subscription_preference" }] },
    });
  }
});

test("disable_message_retention leaves no content in the outbox either, but keeps the entry", async () => {
  const secret = "your code is 482913";
  for (const [channel, content] of Object.entries({
    email: { from: "a@b.test", to: "kept@a.test", subject: secret, body: secret },
    sms: { to: "+4915112340000", body: secret },
  })) {
    const sent = await it.call("POST", `/data-gateway/transactionals/${channel}`, {
      body: { identifiers: { id: "kept" }, ...content, disable_message_retention: true },
    });
    const shown = await until(async () => {
      const { data } = (await it.call("GET", `/api/v1/outbox?channel=${channel}`)).body;
      return data.find((one: { delivery_id: string }) => one.delivery_id === sent.body.delivery_id);
    }, "being captured");
    expect(shown).toMatchObject({ recipient: content.to, message: { content_retained: false } });
    expect(JSON.stringify(shown)).not.toContain("482913");
  }
});
