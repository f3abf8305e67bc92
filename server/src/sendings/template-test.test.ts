import { expect, test } from "vitest";
import { TEMPLATES, templatesService } from "../../test/support/services/templates.ts";

const { it, template } = await templatesService();
const known = (body: object) => it.call("POST", "/data-gateway/v1/identify", { body });
await known({ person_id: "ada", attributes: { email: "ada@example.test", first_name: "Ada", subscribed: false } });
await known({ person_id: "none", attributes: { first_name: "Nobody" } });
const words = { subject: "{{person.first_name}}: {{trigger.order}}", from: "shop@acme.test" };
const { id } = await template(words);
const tried = (body: object, of = id) => it.call("POST", `${TEMPLATES}/${of}/test-sends`, { body });

test("a template is sent as one person would get it: to that person, though they unsubscribed, or to another address", async () => {
  const data = { message_data: { order: "A-1" } };
  for (const [body, recipient] of [
    [{ person_id: "ada", ...data }, "ada@example.test"],
    [{ person_id: "ada", to: "Author <author@acme.test>", ...data }, "author@acme.test"],
  ] as const) {
    const answer = await tried(body);
    expect(answer.status).toBe(202);
    const { body: sent } = await it.call("GET", `/api/v1/deliveries/${answer.body.delivery_id}`);
    expect(sent).toMatchObject({ source: "test", recipient, person_id: "ada" });
    expect(sent.content).toMatchObject({ subject: "Ada: A-1", template_id: id, template_version: 1 });
  }
});

test("a test that can't be sent says why: nobody, no address, a wrong one, a suppressed one, no template", async () => {
  expect((await tried({ person_id: "who" })).body.code).toBe("person_not_found");
  expect((await tried({ person_id: "none" })).body.code).toBe("recipient_missing");
  expect((await tried({ person_id: "none", to: "a@b.test, c@d.test" })).body.errors).toMatchObject([
    { pointer: "/to" },
  ]);
  expect((await tried({ person_id: "ada" }, "tpl_gone")).status).toBe(404);
  const body = { channel: "email", address: "left@acme.test" };
  await it.call("POST", "/api/v1/suppressions", { body });
  const answer = await tried({ person_id: "none", to: "left@acme.test" });
  const { body: row } = await it.call("GET", `/api/v1/deliveries/${answer.body.delivery_id}`);
  expect(row).toMatchObject({ status: "suppressed", reason: "manual" });
});
