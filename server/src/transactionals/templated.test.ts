import { describe, expect, test } from "vitest";
import { transactionalsService } from "../../test/support/services/transactionals.ts";

const TEMPLATES = "/api/v1/email-templates";
const { it, make, send, captured, identify } = await transactionalsService();

const template = async (body: object = {}, key = it.secretKey) => {
  const answer = await it.call("POST", TEMPLATES, {
    key,
    body: {
      name: "Receipt",
      subject: "Receipt {{trigger.order}}",
      preheader: "for {{person.first_name}}",
      body: "<p>Hi {{person.first_name}}, {{trigger.order}}</p>",
      plaintext: "Order {{trigger.order}}",
      ...body,
    },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const triggered = async (id: string, message_data: object = { order: 7 }, extra: object = {}) => {
  const answer = await send({ transactional_message_id: id, identifiers: { id: "ada" }, message_data, ...extra });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.delivery_id as string;
};
const contentOf = async (deliveryId: string) => (await it.call("GET", `/api/v1/deliveries/${deliveryId}`)).body.content;

await identify("ada", { email: "ada@example.test", first_name: "Ada & co" });

describe("a transactional whose content is an email template", () => {
  test("sends the newest version, and keeps its number", async () => {
    const one = await template();
    const { id } = await make({ content: { template_id: one.id } });
    const first = await triggered(id);
    expect((await captured(first)).message).toMatchObject({ subject: "Receipt 7" });
    expect(await contentOf(first)).toMatchObject({
      subject: "Receipt 7",
      preheader: "for Ada & co",
      body: "<p>Hi Ada &amp; co, 7</p>",
      plaintext_body: "Order 7",
      template_id: one.id,
      template_version: 1,
    });
    await it.call("PATCH", `${TEMPLATES}/${one.id}`, { body: { body: "<b>{{trigger.order}}</b>", plaintext: null } });
    const content = await contentOf(await triggered(id));
    expect(content).toMatchObject({ body: "<b>7</b>", template_version: 2 });
    expect(content).not.toHaveProperty("plaintext_body");
    expect(await contentOf(first)).toMatchObject({ template_version: 1 });
  });

  test("its own subject, and the call's, override the template's", async () => {
    const one = await template({ from: "Template <t@example.test>" });
    const content = { template_id: one.id, subject: "Mine {{trigger.order}}", from: "Own <own@example.test>" };
    const { id } = await make({ content });
    expect(await contentOf(await triggered(id))).toMatchObject({
      subject: "Mine 7",
      from: "Own <own@example.test>",
      body: "<p>Hi Ada &amp; co, 7</p>",
    });
    expect(await contentOf(await triggered(id, { order: 8 }, { subject: "Called" }))).toMatchObject({
      subject: "Called",
    });
  });

  test("many calls at once each get the template that they name", async () => {
    const made = await Promise.all([1, 2, 3].map((i) => template({ subject: `T${i}` })));
    const transactionals = await Promise.all(made.map(({ id }) => make({ content: { template_id: id } })));
    const plain = await make({ content: { subject: "T4", body: "x" } });
    const ids = await Promise.all([...transactionals, plain, ...transactionals, plain].map(({ id }) => triggered(id)));
    const subjects = await Promise.all(ids.map(async (id) => (await contentOf(id)).subject));
    expect(subjects).toEqual(["T1", "T2", "T3", "T4", "T1", "T2", "T3", "T4"]);
  });

  test("data that the template needs is required before anything is sent", async () => {
    const { id } = await make({ content: { template_id: (await template()).id } });
    const answer = await send({ transactional_message_id: id, identifiers: { id: "ada" } });
    expect(answer).toMatchObject({ status: 422, body: { code: "message_data_missing", fields: ["order"] } });
    const preview = await it.call("POST", `/api/v1/transactionals/${id}/preview`, { body: { person_id: "ada" } });
    expect(preview.body).toMatchObject({ content: { subject: "Receipt ", body: "<p>Hi Ada &amp; co, </p>" } });
    expect(preview.body.missing).toEqual(["order"]);
  });

  test("an unknown template, or another workspace's, is template_not_found", async () => {
    const theirs = await template({}, (await it.another()).secretKey);
    const mine = await make();
    for (const template_id of [theirs.id, "tpl_01h455vb4pex5vsknk084sn02q", "nonsense", mine.id]) {
      const body = { name: "A", subscription_preference: "all", channel: "email", content: { template_id } };
      for (const answer of [
        await it.call("POST", "/api/v1/transactionals", { body }),
        await it.call("PATCH", `/api/v1/transactionals/${mine.id}`, { body: { content: { template_id } } }),
      ])
        expect(answer).toMatchObject({ status: 404, body: { code: "template_not_found" } });
    }
  });

  test.each([
    [{ body: "x" }, "/content/body"],
    [{ plaintext_body: "x" }, "/content/plaintext_body"],
    [{ from: "a@b.c, d@e.f" }, "/content/from"],
    [{ template_id: 7 }, "/content/template_id"],
  ])("%j beside a template_id is refused, naming %s", async (wrong, pointer) => {
    const content = { template_id: (await template()).id, ...wrong };
    const body = { name: "A", subscription_preference: "all", channel: "email", content };
    const answer = await it.call("POST", "/api/v1/transactionals", { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ pointer }] } });
  });

  test("a template that a transactional uses can't be deleted", async () => {
    const one = await template();
    const { id } = await make({ name: "Sends it", content: { template_id: one.id } });
    const answer = await it.call("DELETE", `${TEMPLATES}/${one.id}`);
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict", used_by: ["Sends it"] } });
    await it.call("DELETE", `/api/v1/transactionals/${id}`);
    expect((await it.call("DELETE", `${TEMPLATES}/${one.id}`)).status).toBe(204);
  });

  test("no transactional is left without its template, whichever request comes first", async () => {
    for (let i = 0; i < 5; i++) {
      const one = await template();
      const body = { name: "R", subscription_preference: "all", channel: "email", content: { template_id: one.id } };
      const [made, gone] = await Promise.all([
        it.call("POST", "/api/v1/transactionals", { body }),
        it.call("DELETE", `${TEMPLATES}/${one.id}`),
      ]);
      expect([made.status, gone.status].join()).toMatch(/^(201,409|404,204)$/);
    }
  });
});
