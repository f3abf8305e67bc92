import { describe, expect, test } from "vitest";
import { transactionalsService } from "../../test/support/services/transactionals.ts";
import { until } from "../../test/support/wait.ts";

const { it, make, identify, captured } = await transactionalsService();

const trigger = (channel: "push" | "sms", body: unknown) =>
  it.call("POST", `/data-gateway/transactionals/${channel}`, { body });
const device = (person_id: string, token: string, platform = "ios") =>
  it.call("PUT", "/data-gateway/v1/devices", { body: { person_id, platform, token } });
const delivery = async (id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`)).body;

describe("a text message", () => {
  const sms = (content: object) => make({ channel: "sms", content });

  test("goes to the person's own number, rendered, with its segments counted", async () => {
    await identify("ada", { phone: "+4915112345678", first_name: "Ada" });
    const { id } = await sms({ body: "Hi {{person.first_name}}, {{trigger.code}}" });
    const answer = await trigger("sms", {
      transactional_message_id: id,
      identifiers: { id: "ada" },
      message_data: { code: "1234" },
    });
    expect(answer).toMatchObject({ status: 202, body: { person_id: "ada", status: "queued" } });
    expect(await captured(answer.body.delivery_id)).toMatchObject({
      channel: "sms",
      recipient: "+4915112345678",
      message: { to: "+4915112345678", body: "Hi Ada, 1234" },
    });
    expect((await delivery(answer.body.delivery_id)).content).toEqual({ body: "Hi Ada, 1234", segments: 1 });
  });

  test("goes to the number in the call, else in the content, else of the person", async () => {
    await identify("bo", { phone: "+4915100000001" });
    const { id } = await sms({ body: "x", to: "{{trigger.number | default: ''}}" });
    const to = async (extra: object) => {
      const call = { transactional_message_id: id, identifiers: { id: "bo" }, ...extra };
      return (await captured((await trigger("sms", call)).body.delivery_id)).recipient;
    };
    expect(await to({ to: "+4915100000003", message_data: { number: "+4915100000002" } })).toBe("+4915100000003");
    expect(await to({ message_data: { number: "+49 151 00000002" } })).toBe("+4915100000002");
    expect(await to({})).toBe("+4915100000001");
  });

  test("needs no template", async () => {
    const answer = await trigger("sms", { identifiers: { phone: "+4915112340000" }, body: "Hello" });
    expect(answer).toMatchObject({ status: 202, body: { person_id: "+4915112340000" } });
    expect((await captured(answer.body.delivery_id)).message.body).toBe("Hello");
  });

  test.each([
    [{ identifiers: { id: "nobody" }, body: "x" }, 422, "recipient_missing"],
    [{ identifiers: { id: "nobody" }, to: "12", body: "x" }, 422, "recipient_invalid"],
    [{ identifiers: { id: "nobody" }, to: "+4915112345678" }, 422, "content_missing"],
    [{ identifiers: { id: "nobody" }, to: "+4915112345678", body: "{{trigger.code}}" }, 422, "message_data_missing"],
    [{ identifiers: { id: "nobody" }, to: "+4915112345678", body: "{{ ' ' }}" }, 422, "content_missing"],
    [{ identifiers: { id: "nobody" }, to: "+4915112345678", body: "x".repeat(1_601) }, 422, "template_error"],
    [{ identifiers: { id: "nobody" }, body: "x", subject: "y" }, 400, "invalid_request"],
  ])("%j is %i %s", async (body, status, code) => {
    expect(await trigger("sms", body)).toMatchObject({ status, body: { code } });
  });

  test("refuses a transactional of another channel", async () => {
    const { id } = await make();
    const call = { transactional_message_id: id, identifiers: { phone: "+4915112345678" } };
    expect(await trigger("sms", call)).toMatchObject({ status: 422, body: { code: "channel_mismatch" } });
  });
});

describe("a push", () => {
  const content = { title: "Hi {{person.first_name}}", message: "{{trigger.text}}", link: "app://{{trigger.text}}" };
  const push = (extra: object = {}) => make({ channel: "push", content: { ...content, ...extra } });
  const captures = async (id: string, count: number) =>
    until(async () => {
      const list = (await it.call("GET", "/api/v1/outbox?limit=200&channel=push")).body.data;
      const mine = list.filter((entry: { delivery_id: string }) => entry.delivery_id === id);
      return mine.length >= count ? mine : undefined;
    }, `${count} captures of ${id}`);
  const send = (id: string, person: string, extra: object = {}) =>
    trigger("push", {
      transactional_message_id: id,
      identifiers: { id: person },
      message_data: { text: "now" },
      ...extra,
    });

  test("goes to each device, as one delivery", async () => {
    await identify("cy", { first_name: "Cy" });
    await device("cy", "cy-phone");
    await device("cy", "cy-tablet", "android");
    const answer = await send((await push()).id, "cy", { custom_data: { order: 7 } });
    const list = await captures(answer.body.delivery_id, 2);
    expect(list.map((entry: { recipient: string }) => entry.recipient).sort()).toEqual(["cy-phone", "cy-tablet"]);
    expect(list[0].message).toMatchObject({
      title: "Hi Cy",
      message: "now",
      link: "app://now",
      custom_data: { order: 7 },
    });
    const sent = await until(async () => {
      const log = await delivery(answer.body.delivery_id);
      return log.status === "sent" ? log : undefined;
    }, "the delivery to be sent");
    expect(sent.events.at(-1).data.devices).toHaveLength(2);
  });

  test("goes to the device used last, or to a named one", async () => {
    await device("di", "di-old");
    await device("di", "di-new");
    const { id } = await push();
    const recipients = async (to: string) => {
      const answer = await send(id, "di", { to });
      return (await captures(answer.body.delivery_id, 1)).map((entry: { recipient: string }) => entry.recipient);
    };
    expect(await recipients("last_used")).toEqual(["di-new"]);
    expect(await recipients("di-old")).toEqual(["di-old"]);
  });

  test("leaves out an image and a link that are unusable after rendering", async () => {
    await device("ed", "ed-phone");
    const { id } = await push({ image_url: "{{trigger.text}}", link: "java{{trigger.text}}script:alert(1)" });
    const answer = await send(id, "ed", { message_data: { text: "" } });
    const [{ message }] = await captures(answer.body.delivery_id, 1);
    expect(message).not.toHaveProperty("image_url");
    expect(message).not.toHaveProperty("link");
  });

  test("can't be sent without a device, to another person's token, without a template, or larger than phones accept", async () => {
    const { id } = await push();
    await device("fay", "fay-phone");
    const code = async (answer: Promise<{ status: number; body: { code: string } }>) => {
      const { status, body } = await answer;
      return `${status} ${body.code}`;
    };
    expect(await code(send(id, "nobody"))).toBe("422 recipient_missing");
    expect(await code(send(id, "fay", { to: "cy-phone" }))).toBe("422 recipient_invalid");
    const raw = { identifiers: { id: "fay" }, title: "a", message: "b" };
    expect(await code(trigger("push", raw))).toBe("422 content_missing");
    expect(await code(send(id, "fay", { custom_data: { text: "x".repeat(4_000) } }))).toBe("422 template_error");
    expect(await code(send(id, "fay", { custom_data: [] }))).toBe("400 invalid_request");
  });
});
