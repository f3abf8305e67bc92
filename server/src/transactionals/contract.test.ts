import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { transactionalsService } from "../../test/support/services/transactionals.ts";
import { until } from "../../test/support/wait.ts";
import { typesText } from "../cli/type-files/type-text.ts";

const { it, make, send, identify } = await transactionalsService();

const contract = async (id: string) => (await it.call("GET", `/api/v1/transactionals/${id}/contract`)).body;

describe("the contract", () => {
  const body = `Hi {{person.first_name}}, {{trigger.order.id}} {{ trigger.order.note | default: "" }}
    {% for line in trigger.lines %}{{line.name}}{% endfor %}{% if trigger.gift %}{{trigger.gift.text}}{% endif %}`;

  test("is a JSON Schema of the data that the content reads: required unless it has a default or is tested", async () => {
    const { id, trigger_name } = await make({ content: { subject: "{{trigger.subject}}", body } });
    const schema = await contract(id);
    expect(schema).toMatchObject({ title: trigger_name, type: "object", required: ["subject", "order", "lines"] });
    expect(schema.properties.order.required).toEqual(["id"]);
    expect(Object.keys(schema.properties.order.properties)).toEqual(["id", "note"]);
    expect(schema.properties.gift).not.toHaveProperty("required");
  });

  test.each([
    [{ subject: "s", order: { id: 1 }, lines: [] }],
    [{ subject: "s", order: { id: 1, note: null }, lines: "", more: 1 }],
    [{ subject: null, order: { id: 1 }, lines: [] }],
    [{ subject: "s", order: {}, lines: [] }],
    [{ subject: "s", lines: [] }],
    [{}],
  ])("agrees with the trigger about %j", async (message_data) => {
    const { id } = await make({ content: { subject: "{{trigger.subject}}", body } });
    const valid = new Ajv2020({ strict: false }).validate(await contract(id), message_data);
    const answer = await send({
      transactional_message_id: id,
      identifiers: { email: "ada@example.test" },
      message_data,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(valid ? 202 : 422);
    if (!valid) expect(answer.body.code).toMatch(/^message_data_(missing|invalid)$/);
  });

  test("has the fields of the template, and those called __proto__", async () => {
    const template = await it.call("POST", "/api/v1/email-templates", {
      body: { name: "T", subject: "{{trigger.code}}", body: "<p>{{trigger.who}}</p>" },
    });
    const { id } = await make({ content: { template_id: template.body.id } });
    expect((await contract(id)).required).toEqual(["code", "who"]);
    const odd = await make({ content: { subject: "s", body: "{{ trigger['__proto__'].x }}" } });
    expect(JSON.stringify(await contract(odd.id))).toContain('"__proto__":{');
    expect((await it.call("GET", "/api/v1/transactionals/tx_none/contract")).status).toBe(404);
  });
});

describe("types", () => {
  const body = `{% for a in trigger.lines %}{{ a.name }}{% endfor %}{{ trigger.lines | size }} {{ trigger.total | times: 1.2 | round: 2 }}
    {{ trigger.code | upcase }} {{ trigger.tags | default: "" | join: ", " }} {{ trigger.both | plus: 1 }} {{ trigger.both | append: "x" }}
    {{ trigger.plain }} {% for i in (1..trigger.most) %}{{ i }}{% endfor %}{{ trigger.order | append: "" }}{{ trigger.order.id }}`;
  const whole = {
    lines: [{ name: "a" }],
    total: 3,
    code: "x",
    tags: ["a"],
    both: 1,
    plain: {},
    most: 2,
    order: { id: 1 },
  };

  test("follow from the uses of a field, if all uses agree", async () => {
    const { id } = await make({ content: { subject: "s", body } });
    const { properties } = await contract(id);
    expect(properties).toMatchObject({
      lines: { type: "array" },
      total: { type: "number" },
      code: { type: "string" },
      tags: { type: ["array", "null"] },
      most: { type: "number" },
      order: { type: "object" },
    });
    for (const open of ["both", "plain"]) expect(properties[open].type).toContain("boolean");
    const types = typesText([{ name: "t", channel: "email", contract: await contract(id) }]);
    for (const line of [
      "lines: unknown[];",
      "total: number;",
      "code: string;",
      "tags?: unknown[] | null;",
      "both: NonNullable<unknown>;",
    ])
      expect(types).toContain(line);
  });

  test.each([
    [{}, []],
    [{ total: "3.5", most: "2", code: 7, tags: null }, []],
    [{ code: ["a", "b"], both: "x", plain: [] }, []],
    [{ lines: "a" }, ["lines"]],
    [{ lines: { a: 1 }, total: "many" }, ["lines", "total"]],
    [{ total: {}, code: {}, tags: "a", most: [] }, ["total", "code", "tags", "most"]],
  ])("a call with %j instead gets an error for %j", async (data, fields) => {
    const { id } = await make({ content: { subject: "s", body } });
    const answer = await send({
      transactional_message_id: id,
      identifiers: { email: "ada@example.test" },
      message_data: { ...whole, ...data },
    });
    if (fields.length === 0) expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    else expect(answer).toMatchObject({ status: 422, body: { code: "message_data_invalid" } });
    expect((answer.body.fields ?? []).sort()).toEqual([...fields].sort());
    expect(answer.body.errors?.map(({ pointer }: { pointer: string }) => pointer) ?? []).toHaveLength(fields.length);
  });
});

describe("an unknown variable", () => {
  const wrong = "{{customer.first_name}}";

  test.each([
    ["/api/v1/transactionals", { name: "x", subscription_preference: "all", channel: "sms", content: { body: wrong } }],
    ["/api/v1/email-templates", { name: "x", subject: wrong, body: "x" }],
    ["/api/v1/email-templates", { name: "x", subject: "x", body: wrong }],
    ["/api/v1/email-layouts", { name: "x", body: `${wrong}{{ content }}` }],
    ["/api/v1/snippets", { name: "x", body: wrong }],
    ["/api/v1/in-app-messages", { name: "x", render_type: "modal", title: "t", body: wrong }],
    ["/api/v1/broadcasts", { name: "x", channel: "sms", audience: { subscribed: true }, content: { body: wrong } }],
    ["/data-gateway/transactionals/email", { identifiers: { email: "a@b.test" }, subject: "s", body: wrong }],
  ])("is refused by %s, with its place and the likely name", async (url, body) => {
    const answer = await it.call("POST", url, { body });
    expect(answer).toMatchObject({ status: 422, body: { code: "template_error", line: 1, column: 3 } });
    expect(answer.body.detail).toContain("person.first_name");
    expect(answer.body.errors).toHaveLength(1);
  });

  test("may come from the template around a snippet, if it has no fields below it", async () => {
    const snippet = await it.call("POST", "/api/v1/snippets", { body: { name: "greeting", body: "Hi {{ who }}" } });
    expect(snippet.status, JSON.stringify(snippet.body)).toBe(201);
    const template = (body: string) =>
      it.call("POST", "/api/v1/email-templates", { body: { name: body.slice(0, 20), subject: "s", body } });
    expect((await template('{% assign who = person.name %}{% snippet "greeting" %}')).status).toBe(201);
    expect((await template('{% snippet "greeting" %}')).status).toBe(422);
  });

  test("does not stop content that was saved before", async () => {
    const { id } = await make({ content: { subject: "s", body: "{{person.first_name}}" } });
    await it.service.ground.db.execute({
      text: "update transactionals set content = $1 where name = $2",
      values: [{ subject: "s", body: wrong }, "Order confirmation"],
    });
    const sent = await send({ transactional_message_id: id, identifiers: { email: "ada@example.test" } });
    expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  });
});

describe("warnings", () => {
  const codes = async (content: object, extra: object = {}) =>
    (await make({ content: { from: "a@acme.test", ...content }, ...extra })).warnings.map(
      (warning: { code: string; field?: string }) => [warning.code, warning.field].filter(Boolean).join(" "),
    );

  test("warn of an attribute that many people lack, unless the content gives a default", async () => {
    for (let i = 0; i < 12; i++) await identify(`w${i}`, { plan: "pro", ...(i % 2 && { nick: "x" }) });
    const body = "{{person.plan}} {{person.nick}} {{person.email | default: '-'}} {{person.person_id}}";
    expect(await codes({ subject: "s", body })).toEqual(["attribute_often_missing person.nick"]);
    expect(await codes({ subject: "s", body: "{{person.nick | default: 'you'}}" })).toEqual([]);
  });

  test("warn of reaching people who unsubscribed", async () => {
    const content = { from: "a@acme.test", subject: "s", body: "b" };
    const { id, warnings } = await make({ content, subscription_preference: "all" });
    expect(warnings).toMatchObject([{ code: "reaches_unsubscribed" }]);
    const changed = await it.call("PATCH", `/api/v1/transactionals/${id}`, {
      body: { subscription_preference: "subscribed" },
    });
    expect(changed.body.warnings).toEqual([]);
  });
});

test("metrics count the deliveries, and agree with their list", async () => {
  const { id } = await make({ content: { subject: "s", body: "b" } });
  await identify("gone", { email: "gone@example.test", subscribed: false });
  for (const email of ["m1@example.test", "m2@example.test", "gone@example.test"])
    await send({ transactional_message_id: id, identifiers: { email } });
  const metrics = async (query = "") => (await it.call("GET", `/api/v1/transactionals/${id}/metrics${query}`)).body;
  const counted = await until(async () => {
    const found = await metrics();
    return found.sent === 2 ? found : undefined;
  }, "both to be sent");
  expect(counted).toEqual({
    sent: 2,
    delivered: 0,
    shown: 0,
    opened: 0,
    clicked: 0,
    dismissed: 0,
    bounced: 0,
    unsubscribed: 0,
    failed: 1,
  });
  const listed = (await it.call("GET", `/api/v1/deliveries?source_id=${id}`)).body.data;
  expect(listed.map(({ status }: { status: string }) => status).sort()).toEqual(["sent", "sent", "suppressed"]);
  expect((await metrics("?since=2100-01-01T00:00:00Z")).sent).toBe(0);
  expect((await it.call("GET", "/api/v1/deliveries?source_id=nothing")).body.data).toEqual([]);
});
