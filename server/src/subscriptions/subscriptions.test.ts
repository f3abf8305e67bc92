import { describe, expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";

const it = await testService();
const theirs = await it.another("Theirs");
const identify = (person_id: string, attributes = {}) =>
  it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes } });
const makeTopic = async (body: Record<string, unknown>) => {
  const answer = await it.call("POST", "/api/v1/topics", { body: { default: "subscribed", ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const states = (person: string) => it.call("GET", `/api/v1/people/${person}/subscriptions`);
const change = (person: string, body: unknown) => it.call("PATCH", `/api/v1/people/${person}/subscriptions`, { body });
const log = async (person: string) =>
  (await it.call("GET", `/api/v1/people/${person}/activity`)).body.data.map((entry: { type: string; data: object }) => [
    entry.type,
    entry.data,
  ]);

describe("topics", () => {
  test("a topic is made, shown, listed, changed and removed", async () => {
    const made = await makeTopic({ name: "News", description: "Once a month" });
    expect(made).toMatchObject({ name: "News", description: "Once a month", default: "subscribed" });
    expect(made.id).toMatch(/^top_/);
    expect((await it.call("GET", `/api/v1/topics/${made.id}`)).body).toEqual(made);
    const patched = await it.call("PATCH", `/api/v1/topics/${made.id}`, {
      body: { name: "Newsletter", description: null, default: "unsubscribed" },
    });
    expect(patched.body).toMatchObject({ name: "Newsletter", description: null, default: "unsubscribed" });
    expect((await it.call("GET", "/api/v1/topics")).body.data).toEqual([patched.body]);
    expect((await it.call("DELETE", `/api/v1/topics/${made.id}`)).status).toBe(204);
    expect((await it.call("GET", `/api/v1/topics/${made.id}`)).status).toBe(404);
    expect((await it.call("DELETE", `/api/v1/topics/${made.id}`)).status).toBe(404);
  });

  test("two topics of a workspace never have one name, whatever its case", async () => {
    await makeTopic({ name: "Offers" });
    const again = await it.call("POST", "/api/v1/topics", { body: { name: "OFFERS", default: "subscribed" } });
    expect(again).toMatchObject({ status: 409, body: { code: "conflict", errors: [{ pointer: "/name" }] } });
    const elsewhere = { key: theirs.secretKey, body: { name: "Offers", default: "subscribed" } };
    expect((await it.call("POST", "/api/v1/topics", elsewhere)).status).toBe(201);
  });

  test.each([
    [{ default: "subscribed" }, "/name"],
    [{ name: "X" }, "/default"],
    [{ name: "X", default: "maybe" }, "/default"],
    [{ name: "a\nb", default: "subscribed" }, "/name"],
    [{ name: "X", default: "subscribed", colour: "red" }, "/colour"],
  ])("%j is refused, naming %s", async (body, pointer) => {
    const answer = await it.call("POST", "/api/v1/topics", { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ pointer }] } });
  });

  test("the hundred and first is refused", async () => {
    const { secretKey: key } = await it.another("Many");
    const make = (i: number) =>
      it.call("POST", "/api/v1/topics", { key, body: { name: `T${i}`, default: "subscribed" } });
    for (let i = 0; i < 100; i++) expect((await make(i)).status).toBe(201);
    expect(await make(100)).toMatchObject({ status: 409, body: { code: "limit_reached" } });
  });
});

describe("a person's states", () => {
  test("are all on until something is chosen, and topics as their default", async () => {
    const on = await makeTopic({ name: "On" });
    const off = await makeTopic({ name: "Off", default: "unsubscribed" });
    await identify("fresh");
    expect((await states("fresh")).body).toMatchObject({
      person_id: "fresh",
      subscribed: true,
      channels: { email: true, push: true, sms: true, in_app: true },
      topics: { [on.id]: true, [off.id]: false },
      suppressed: [],
    });
  });

  test("change one by one, and the log tells each change once", async () => {
    const topic = await makeTopic({ name: "Tips" });
    await identify("chooser");
    await change("chooser", { channels: { email: false }, topics: { [topic.id]: false } });
    await change("chooser", { channels: { email: false } });
    const answer = await change("chooser", { subscribed: false, channels: { sms: false, email: true } });
    expect(answer.body).toMatchObject({
      subscribed: false,
      channels: { email: true, push: true, sms: false, in_app: true },
      topics: { [topic.id]: false },
    });
    expect((await states("chooser")).body).toEqual(answer.body);
    const entries = (await log("chooser")).filter(([type]: [string]) => type.endsWith("subscribed"));
    expect(entries).toHaveLength(5);
    expect(entries).toEqual(
      expect.arrayContaining([
        ["person.unsubscribed", { source: "api" }],
        ["person.unsubscribed", { channel: "sms", source: "api" }],
        ["person.subscribed", { channel: "email", source: "api" }],
        ["person.unsubscribed", { channel: "email", source: "api" }],
        ["person.unsubscribed", { topic_id: topic.id, source: "api" }],
      ]),
    );
  });

  test("two choices at once both stay", async () => {
    await identify("hasty");
    await Promise.all([
      change("hasty", { channels: { email: false } }),
      change("hasty", { channels: { sms: false } }),
      change("hasty", { channels: { push: false } }),
    ]);
    expect((await states("hasty")).body.channels).toEqual({ email: false, sms: false, push: false, in_app: true });
  });

  test("identify keeps them", async () => {
    await identify("keeper");
    await change("keeper", { channels: { email: false } });
    await identify("keeper", { first_name: "Ada" });
    expect((await states("keeper")).body.channels.email).toBe(false);
  });

  test("show which of the person's addresses are suppressed", async () => {
    await identify("bouncer", { email: "bouncer@example.test", phone: "+4915112345678" });
    const body = { channel: "sms", address: "+49 151 12345678", reason: "stop" };
    await it.call("POST", "/api/v1/suppressions", { body });
    expect((await states("bouncer")).body.suppressed).toEqual([{ channel: "sms", reason: "stop" }]);
  });

  test("of a person or a topic that is not there are refused", async () => {
    expect(await states("nobody")).toMatchObject({ status: 404, body: { code: "person_not_found" } });
    expect(await change("nobody", { subscribed: false })).toMatchObject({ status: 404 });
    await identify("careful");
    const foreign = (
      await it.call("POST", "/api/v1/topics", {
        key: theirs.secretKey,
        body: { name: "Foreign", default: "subscribed" },
      })
    ).body.id;
    for (const id of [foreign, "top_nonsense", "email"]) {
      expect(await change("careful", { topics: { [id]: false } })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: `/topics/${id}` }] },
      });
    }
    expect(await change("careful", { channels: { fax: false } })).toMatchObject({ status: 400 });
    expect(await change("careful", { subscribed: "no" })).toMatchObject({ status: 400 });
  });
});
