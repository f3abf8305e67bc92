import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { transactionalsService } from "../../test/support/transactionals.ts";
import { until } from "../../test/support/wait.ts";

const { it, make, send, identify } = await transactionalsService();

const contract = async (id: string) => (await it.call("GET", `/api/v1/transactionals/${id}/contract`)).body;

describe("the contract", () => {
  const body = `Hi {{person.first_name}}, {{trigger.order.id}} {{ trigger.order.note | default: "" }}
    {% for line in trigger.lines %}{{line.name}}{% endfor %}{% if trigger.gift %}{{trigger.gift.text}}{% endif %}`;

  test("is a JSON Schema of what the content reads: required unless it has a default or is tested", async () => {
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
    if (!valid) expect(answer.body.code).toBe("message_data_missing");
  });

  test("knows the fields of the template, and those called __proto__", async () => {
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

describe("warnings", () => {
  const codes = async (content: object, extra: object = {}) =>
    (await make({ content, ...extra })).warnings.map((warning: { code: string; field?: string }) =>
      [warning.code, warning.field].filter(Boolean).join(" "),
    );

  test("an attribute that many people lack is warned of, unless the content gives a default", async () => {
    for (let i = 0; i < 12; i++) await identify(`w${i}`, { plan: "pro", ...(i % 2 && { nick: "x" }) });
    const body = "{{person.plan}} {{person.nick}} {{person.email | default: '-'}} {{person.person_id}}";
    expect(await codes({ subject: "s", body })).toEqual(["attribute_often_missing person.nick"]);
    expect(await codes({ subject: "s", body: "{{person.nick | default: 'you'}}" })).toEqual([]);
  });

  test("so is reaching people who unsubscribed", async () => {
    const content = { subject: "s", body: "b" };
    const { id, warnings } = await make({ content, subscription_preference: "all" });
    expect(warnings).toMatchObject([{ code: "reaches_unsubscribed" }]);
    const changed = await it.call("PATCH", `/api/v1/transactionals/${id}`, {
      body: { subscription_preference: "subscribed" },
    });
    expect(changed.body.warnings).toEqual([]);
  });
});

test("metrics count what the deliveries are, and agree with their list", async () => {
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
