import { describe, expect, test } from "vitest";
import { transactionalsService } from "../../test/support/services/transactionals.ts";

const { it, make, identify } = await transactionalsService();

describe("transactionals", () => {
  test("are created, read, listed, changed and removed; new content raises the version", async () => {
    const one = await make({ name: "A", content: { from: "hello@acme.test", subject: "s", body: "b" } });
    expect(one).toMatchObject({ id: expect.stringMatching(/^tx_/), version: 1, channel: "email" });
    const url = `/api/v1/transactionals/${one.id}`;
    expect((await it.call("GET", url)).body).toEqual(one);
    const { warnings, content: _, ...listed } = one;
    expect(warnings).toEqual([]);
    expect((await it.call("GET", "/api/v1/transactionals")).body.data[0]).toEqual(listed);
    expect((await it.call("PATCH", url, { body: { name: "B" } })).body).toMatchObject({ name: "B", version: 1 });
    const content = { subject: "New", body: "New" };
    // Equal content makes no new version, nor does an empty PATCH.
    for (const body of [{ content }, { content: { body: "New", subject: "New" } }, {}])
      expect((await it.call("PATCH", url, { body })).body).toMatchObject({ content, version: 2 });
    expect((await it.call("DELETE", url)).status).toBe(204);
    for (const method of ["GET", "DELETE"] as const) expect((await it.call(method, url)).status).toBe(404);
  });

  test("refuse the same trigger name twice with 409 conflict, but not in another workspace", async () => {
    await make({ trigger_name: "receipt" });
    const two = await make({ trigger_name: null });
    for (const answer of [
      await it.call("POST", "/api/v1/transactionals", {
        body: {
          name: "X",
          trigger_name: "receipt",
          subscription_preference: "all",
          channel: "email",
          content: { subject: "a", body: "b" },
        },
      }),
      await it.call("PATCH", `/api/v1/transactionals/${two.id}`, { body: { trigger_name: "receipt" } }),
    ])
      expect(answer).toMatchObject({ status: 409, body: { code: "conflict", errors: [{ pointer: "/trigger_name" }] } });
    const other = await it.another();
    await make({ trigger_name: "receipt" }, other.secretKey);
  });

  test("of another workspace are 404, like an invented id", async () => {
    const { id } = await make();
    const other = await it.another();
    for (const path of [id, "tx_01h455vb4pex5vsknk084sn02q", "tx_x", "nonsense"]) {
      for (const method of ["GET", "PATCH", "DELETE"] as const) {
        const answer = await it.call(method, `/api/v1/transactionals/${path}`, {
          key: other.secretKey,
          ...(method === "PATCH" && { body: { name: "x" } }),
        });
        expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
      }
    }
  });

  test.each([
    [{ content: { subject: "a" } }, "/content/body"],
    [{ content: { subject: "a", body: "b", nonsense: 1 } }, "/content/nonsense"],
    [{ content: { subject: "a\r\nBcc: x@y.z", body: "b" } }, "/content/subject"],
    [{ content: { subject: "a", body: "b", from: "x@y.z, evil@y.z" } }, "/content/from"],
    [{ channel: "push", content: { title: "a" } }, "/content/message"],
    [{ channel: "in_app", content: {} }, "/channel"],
    [{ trigger_name: "  " }, "/trigger_name"],
    [{ trigger_name: "two\nlines" }, "/trigger_name"],
    [{ trigger_name: "n".repeat(201) }, "/trigger_name"],
    [{ trigger_name: " tx_order" }, "/trigger_name"],
    [{ trigger_name: "tx_order" }, "/trigger_name"],
    [{ subscription_preference: "none" }, "/subscription_preference"],
    [{ unknown: true }, "/unknown"],
  ])("%j is refused, naming %s", async (wrong, pointer) => {
    const body = {
      name: "A",
      subscription_preference: "all",
      channel: "email",
      content: { subject: "a", body: "b" },
      ...wrong,
    };
    const answer = await it.call("POST", "/api/v1/transactionals", { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ pointer }] } });
  });

  test("refuse Liquid that does not parse as template_error with line and column", async () => {
    const content = { subject: "a", body: "fine\n{% include '.env' %}" };
    const answer = await it.call("POST", "/api/v1/transactionals", {
      body: { name: "A", subscription_preference: "all", channel: "email", content },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: "template_error", part: "body", line: 2, column: 1 } });
    expect(answer.body.errors).toMatchObject([{ pointer: "/content/body" }]);
  });

  test("have a preview that renders for a person and lists the missing data", async () => {
    await identify("preview-1", { first_name: "Ada <b>" });
    const { id } = await make();
    const answer = await it.call("POST", `/api/v1/transactionals/${id}/preview`, { body: { person_id: "preview-1" } });
    expect(answer.body).toEqual({
      content: { subject: "Order ", body: "<p>Hi Ada &lt;b&gt;, </p>" },
      missing: ["order"],
    });
    const made = await it.call("POST", `/api/v1/transactionals/${id}/preview`, {
      body: { person: { first_name: "Eve" }, message_data: { order: 1 } },
    });
    expect(made.body).toEqual({ content: { subject: "Order 1", body: "<p>Hi Eve, 1</p>" }, missing: [] });
    const nobody = await it.call("POST", `/api/v1/transactionals/${id}/preview`, { body: { person_id: "nobody" } });
    expect(nobody).toMatchObject({ status: 404, body: { code: "person_not_found" } });
  });

  test("have a preview of a content that is not saved, with what it reads", async () => {
    await identify("preview-2", { first_name: "Ada" });
    const content = { body: "Hi {{person.first_name}}, {{trigger.code}} {{trigger.place | default: 'here'}}" };
    const ask = (body: object) => it.call("POST", "/api/v1/transactionals/draft-preview", { body });
    const answer = await ask({ channel: "sms", content, person_id: "preview-2" });
    expect(answer.body).toMatchObject({
      content: { body: "Hi Ada,  here" },
      missing: ["code"],
      contract: { properties: { code: {}, place: {} }, required: ["code"] },
    });
    const wrong = await ask({ channel: "sms", content: { body: "{% fi %}" } });
    expect(wrong).toMatchObject({ status: 422, body: { code: "template_error", line: 1 } });
    expect(await ask({ channel: "email", content })).toMatchObject({ status: 400 });
    const absent = await ask({ channel: "email", content: { template_id: "tpl_none" } });
    expect(absent.body.code).toBe("template_not_found");
  });

  test("are sent to a person by the product API as by a trigger call", async () => {
    await identify("try-1", { email: "try-1@acme.test" });
    const { id } = await make();
    const path = `/api/v1/transactionals/${id}/send`;
    const once = { headers: { "idempotency-key": "try-1" }, body: { person_id: "try-1", message_data: { order: 7 } } };
    const sent = await it.call("POST", path, once);
    expect(sent).toMatchObject({ status: 202, body: { person_id: "try-1", status: "queued" } });
    expect((await it.call("POST", path, once)).body.delivery_id).toBe(sent.body.delivery_id);
    const delivery = await it.call("GET", `/api/v1/deliveries/${sent.body.delivery_id}`);
    expect(delivery.body).toMatchObject({ source: "transactional", source_id: id, content: { subject: "Order 7" } });
    const bare = await it.call("POST", path, { body: { person_id: "try-1" } });
    expect(bare).toMatchObject({ status: 422, body: { code: "message_data_missing" } });
    const gone = await it.call("POST", "/api/v1/transactionals/tx_none/send", { body: { person_id: "try-1" } });
    expect(gone.status).toBe(404);
  });
});
