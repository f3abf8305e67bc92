import { describe, expect, test } from "vitest";
import { waitingForLocks } from "../../test/support/database/locks.ts";
import { inAppService } from "../../test/support/services/in-app.ts";
import { until } from "../../test/support/wait.ts";
import { create } from "./definition/broadcast.ts";

const { it, clock, identify, define, sync } = await inAppService();
const { db } = it.service.ground;
const message = await define({ body: "Hello {{person.name}}" });
const audience = { attribute: "group", op: "eq", value: "x" };
const valid = { name: "Test", channel: "in_app", audience, message_id: message };
const post = (path: string, body?: object) => it.call("POST", `/api/v1/broadcasts${path}`, body ? { body } : {});
const allow = (allow_in_app: boolean) => it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app } });
const draft = async (fields: object = {}): Promise<string> => (await post("", { ...valid, ...fields })).body.id;

describe("a wrong broadcast", () => {
  test.each([
    ["no audience", { audience: undefined }, "/audience"],
    ["two audiences", { audience_id: "aud_01kgaaaaaaaaaaaaaaaaaaaaaa" }, "/audience"],
    ["an unknown audience", { audience: undefined, audience_id: "aud_01kgaaaaaaaaaaaaaaaaaaaaaa" }, "/audience_id"],
    ["a filter without a condition", { audience: { nonsense: 1 } }, "/audience"],
    ["an unknown topic", { audience: { subscribed: true, topic: "top_01kgaaaaaaaaaaaaaaaaaaaaaa" } }, "/audience"],
    ["a wrong operator", { audience: { all: [{ attribute: "a", op: "near", value: 1 }] } }, "/audience/all/0/op"],
    ["an unknown message", { message_id: "msg_01kgaaaaaaaaaaaaaaaaaaaaaa" }, "/message_id"],
    ["an unknown channel", { channel: "pigeon" }, "/channel"],
    ["a rate of 0", { rate_per_second: 0 }, "/rate_per_second"],
    ["an unknown field", { colour: "red" }, "/colour"],
  ])("%s is a 400 that names the field", async (_name, fields, pointer) => {
    const answer = await post("", { ...valid, ...fields });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });

  test("a change is checked in the same way, and a saved audience replaces the filter", async () => {
    const id = await draft();
    const patch = (body: object) => it.call("PATCH", `/api/v1/broadcasts/${id}`, { body });
    for (const [body, pointer] of [
      [{ audience: { nonsense: 1 } }, "/audience"],
      [{ audience_id: "aud_01kgaaaaaaaaaaaaaaaaaaaaaa" }, "/audience_id"],
      [{ message_id: "msg_01kgaaaaaaaaaaaaaaaaaaaaaa" }, "/message_id"],
      [{ channel: "in_app" }, "/channel"],
    ] as const) {
      const answer = await patch(body);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    }
    const saved = (await it.call("POST", "/api/v1/audiences", { body: { name: "Saved", filter: audience } })).body.id;
    expect((await patch({ audience_id: saved })).body).toMatchObject({ audience_id: saved, audience: null });
    expect((await it.call("DELETE", `/api/v1/audiences/${saved}`)).body).toMatchObject({
      code: "conflict",
      used_by: [{ type: "broadcast", id, name: "Test" }],
    });
    expect((await patch({ audience: { not: { audience: saved } } })).body).toMatchObject({ audience_id: null });
    expect((await it.call("DELETE", `/api/v1/audiences/${saved}`)).status).toBe(409);
    await patch({ audience });
    expect((await it.call("DELETE", `/api/v1/audiences/${saved}`)).status).toBe(204);
  });

  test("a topic by which it chooses people can't be removed until it is over", async () => {
    const topic = (await it.call("POST", "/api/v1/topics", { body: { name: "News", default: "subscribed" } })).body.id;
    const id = await draft({ audience: { all: [audience, { not: { subscribed: true, topic } }] } });
    const remove = () => it.call("DELETE", `/api/v1/topics/${topic}`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: "conflict", used_by: ["Test"] } });
    expect((await it.call("DELETE", `/api/v1/broadcasts/${id}`)).status).toBe(204);
    expect((await remove()).status).toBe(204);
  });

  test.each([
    ["audience", () => it.call("POST", "/api/v1/audiences", { body: { name: "Chosen", filter: audience } })],
    ["topic", () => it.call("POST", "/api/v1/topics", { body: { name: "Chosen", default: "subscribed" } })],
  ] as const)("the %s that it names is not removed while it is being stored", async (kind, make) => {
    const { id } = (await make()).body;
    const chosen = kind === "topic" ? { subscribed: true, topic: id } : { any: [{ audience: id }] };
    const path = `/api/v1/${kind}s/${id}`;
    let removal: ReturnType<typeof it.call> | undefined;
    await db.transaction(async (tx) => {
      await create(tx, it.workspaceId, { ...valid, channel: "in_app", audience: chosen }, clock.now());
      removal = it.call("DELETE", path);
      await until(async () => (await waitingForLocks(db)) > 0, "a removal that waits");
    });
    expect(await removal).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  test("its in-app messages can't be removed until it is over, in any variant and language", async () => {
    const [base, german, other] = [await define(), await define(), await define()];
    const id = await draft({
      message_id: undefined,
      variants: [
        { name: "A", weight: 1, message_id: base, locales: { de: { message_id: german } } },
        { name: "B", weight: 1, message_id: base },
      ],
    });
    const plain = await draft({ name: "Plain", message_id: other });
    const remove = (one: string) => it.call("DELETE", `/api/v1/in-app-messages/${one}`);
    for (const [one, name] of [
      [base, "Test"],
      [german, "Test"],
      [other, "Plain"],
    ] as const)
      expect(await remove(one)).toMatchObject({
        status: 409,
        body: { code: "conflict", used_by: [{ type: "broadcast", name }] },
      });
    const { status, body } = await it.call("GET", `/api/v1/in-app-messages/${german}`);
    expect([status, body.used_by]).toEqual([200, [{ type: "broadcast", id, name: "Test" }]]);
    const send_at = new Date(clock.now().getTime() + 60_000).toISOString();
    expect((await post(`/${plain}/schedule`, { send_at, allow_empty: true })).status).toBe(200);
    expect((await remove(other)).status).toBe(409);
    expect((await post(`/${plain}/cancel`)).status).toBe(200);
    await it.call("DELETE", `/api/v1/broadcasts/${id}`);
    for (const one of [base, german, other]) expect((await remove(one)).status, one).toBe(204);
  });

  test("with in-app switched off it is not created, scheduled or sent", async () => {
    const id = await draft();
    await allow(false);
    const send_at = new Date(clock.now().getTime() + 60_000).toISOString();
    for (const answer of [
      await post("", valid),
      await post(`/${id}/send`),
      await post(`/${id}/schedule`, { send_at }),
      await post(`/${id}/test-sends`, { person_id: "p" }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { code: "in_app_disabled" } });
    await allow(true);
    expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body.status).toBe("draft");
  });

  test("a time in the past, or years ahead, is refused", async () => {
    const id = await draft();
    for (const send_at of [
      "2026-03-10T12:00:00.000Z",
      "2020-01-01T00:00:00Z",
      "2030-01-01T00:00:00Z",
      "2026-02-30T00:00:00Z",
    ])
      expect(await post(`/${id}/schedule`, { send_at })).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
  });

  test("a move that is impossible in its status is 409 wrong_status, and changes nothing", async () => {
    const id = await draft();
    for (const verb of ["pause", "resume", "cancel", "recall"])
      expect(await post(`/${id}/${verb}`)).toMatchObject({
        status: 409,
        body: { code: "wrong_status", current: "draft" },
      });
    await post(`/${id}/send`, { allow_empty: true });
    const send_at = new Date(clock.now().getTime() + 60_000).toISOString();
    expect(await post(`/${id}/send`)).toMatchObject({ status: 409, body: { code: "wrong_status" } });
    expect(await post(`/${id}/schedule`, { send_at })).toMatchObject({ status: 409, body: { code: "wrong_status" } });
    expect(await it.call("PATCH", `/api/v1/broadcasts/${id}`, { body: { name: "x" } })).toMatchObject({ status: 409 });
    expect(await it.call("DELETE", `/api/v1/broadcasts/${id}`)).toMatchObject({ status: 409 });
    expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body).toMatchObject({ status: "sending", name: "Test" });
  });
});

describe("before a broadcast is sent", () => {
  test("the preflight tells who gets it, and who does not and why", async () => {
    for (const name of ["p1", "p2", "p3", "p4"]) await identify(name, { group: "x", name });
    await it.call("PATCH", "/api/v1/people/p3/subscriptions", { body: { subscribed: false } });
    await it.call("PATCH", "/api/v1/people/p4/subscriptions", { body: { channels: { in_app: false } } });
    const answer = await post(`/${await draft()}/preflight`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      audience: 4,
      will_receive: 2,
      excluded: { unsubscribed: 1, channel_unsubscribed: 1 },
      samples: { unsubscribed: ["p3"], channel_unsubscribed: ["p4"] },
    });
    expect(answer.body.samples.will_receive.toSorted()).toEqual(["p1", "p2"]);
    const all = await post(`/${await draft({ subscription_preference: "all" })}/preflight`);
    expect(all.body).toMatchObject({ audience: 4, will_receive: 4, excluded: {} });
  });

  test("a preview and a test send show it for one person", async () => {
    await identify("tester", { name: "Tess" });
    const id = await draft();
    expect((await post(`/${id}/preview`, { person_id: "tester" })).body).toMatchObject({
      content: { body: "Hello Tess" },
    });
    expect((await post(`/${id}/preview`, { person_id: "nobody" })).body.code).toBe("person_not_found");
    const sent = await post(`/${id}/test-sends`, { person_id: "tester" });
    expect(sent.status).toBe(202);
    expect(await sync("tester")).toMatchObject([
      { delivery_id: sent.body.delivery_id, content: { body: "Hello Tess" } },
    ]);
    expect((await it.call("GET", `/api/v1/broadcasts/${id}/metrics`)).body.sent).toBe(0);
  });
});
