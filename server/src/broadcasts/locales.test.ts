import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { step } from "./fanout/fanout.ts";

// A broadcast's languages, topic and tracking.

const { it, clock, identify, define, removeUsed, sync } = await inAppService();
const { ground } = it.service;
const post = (path: string, body?: object) => it.call("POST", `/api/v1/broadcasts${path}`, body ? { body } : {});
const patch = (id: string, body: object) => it.call("PATCH", `/api/v1/broadcasts/${id}`, { body });
const email = (subject: string) => ({ subject, body: "<p>Hi</p>", from: "a@acme.test" });

async function draft(group: string, fields: object): Promise<string> {
  const audience = { attribute: "group", op: "eq", value: group };
  const answer = await post("", { name: "Test", channel: "email", audience, ...fields });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

/** Sends a broadcast, and returns each person's delivery by person_id. */
async function sent(id: string): Promise<Map<string, Record<string, unknown>>> {
  const answer = await post(`/${id}/send`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  while (await step(ground));
  const { data } = (await it.call("GET", `/api/v1/deliveries?source_id=${id}&limit=200`)).body;
  const said = new Map();
  for (const row of data) said.set(row.person_id, (await it.call("GET", `/api/v1/deliveries/${row.id}`)).body);
  return said;
}

describe("a broadcast in several languages", () => {
  test("sends each person the edition of their locale, else of their language, else the default, also in-app", async () => {
    const people = {
      a: { locale: "de-CH" },
      b: { locale: "pt_BR" },
      c: { locale: "fr" },
      d: { language: "DE" },
      e: {},
    };
    const address = (name: string) => ({ group: "all", email: `${name}@example.test` });
    for (const [name, attributes] of Object.entries(people)) await identify(name, { ...attributes, ...address(name) });
    const content = email("Default");
    const locales = { de: { content: email("Deutsch") }, "pt-BR": { content: email("Brasil") } };
    const id = await draft("all", { content, locales });
    expect((await post(`/${id}/preflight`)).body).toMatchObject({
      will_receive: 5,
      locales: { default: 2, de: 2, "pt-BR": 1 },
    });
    const subjects = [...(await sent(id))].map(([name, row]) => [name, (row.content as { subject: string }).subject]);
    const wanted = { a: "Deutsch", b: "Brasil", c: "Default", d: "Deutsch", e: "Default" };
    expect(Object.fromEntries(subjects)).toEqual(wanted);

    const said = { message_id: await define({ body: "Default" }) };
    const german = { message_id: await define({ body: "Deutsch" }) };
    const inApp = await draft("all", { channel: "in_app", ...said, locales: { "de-ch": german } });
    await sent(inApp);
    expect(await sync("a")).toMatchObject([{ content: { body: "Deutsch" } }]);
    expect(await sync("d")).toMatchObject([{ content: { body: "Default" } }]);
  });

  test("fixes the version of each template when it is sent, and the templates can't be deleted until then", async () => {
    await identify("t", { group: "templates", locale: "de", email: "t@example.test" });
    const made = await it.call("POST", "/api/v1/email-templates", {
      body: { name: "T", subject: "Erste", body: "<p>x</p>" },
    });
    const template = `/api/v1/email-templates/${made.body.id}`;
    const german = { content: { template_id: made.body.id, from: "a@acme.test" } };
    const variants = ["A", "B"].map((name) => ({ name, weight: 1, content: email(name), locales: { de: german } }));
    for (const fields of [{ content: email("Default"), locales: { de: german } }, { variants }]) {
      const id = await draft("templates", fields);
      expect((await it.call("DELETE", template)).body).toMatchObject({ code: "conflict", used_by: ["Test"] });
      await post(`/${id}/send`);
      await it.call("PATCH", template, { body: { subject: "Zweite" } });
      while (await step(ground));
      const { data } = (await it.call("GET", `/api/v1/deliveries?source_id=${id}`)).body;
      const { content } = (await it.call("GET", `/api/v1/deliveries/${data[0].id}`)).body;
      expect(content).toMatchObject({ subject: "Erste", template_id: made.body.id });
      const { locales, variants: shown } = (await it.call("GET", `/api/v1/broadcasts/${id}`)).body;
      const [{ de }] = [locales, ...(shown ?? []).map((one: { locales: object }) => one.locales)].filter(Boolean);
      expect(de).toEqual({ content: { ...german.content, template_version: content.template_version } });
      await it.call("PATCH", template, { body: { subject: "Erste" } });
    }
    expect((await it.call("DELETE", template)).status).toBe(204);
  });

  test("is previewed and tested as another person would get it", async () => {
    await identify("p", { locale: "de", email: "p@example.test" });
    const id = await draft("nobody", { content: email("Default"), locales: { de: { content: email("Deutsch") } } });
    const preview = async (fields: object) => (await post(`/${id}/preview`, { person_id: "p", ...fields })).body;
    expect(await preview({})).toMatchObject({ locale: "de", content: { subject: "Deutsch" } });
    expect(await preview({ locale: "de-AT" })).toMatchObject({ locale: "de", content: { subject: "Deutsch" } });
    for (const locale of ["fr", null])
      expect(await preview({ locale })).toMatchObject({ locale: null, content: { subject: "Default" } });
    expect(await preview({ locale: "?" })).toMatchObject({ status: 400, errors: [{ pointer: "/locale" }] });
    const test = await post(`/${id}/test-sends`, { person_id: "p", locale: null });
    const { content } = (await it.call("GET", `/api/v1/deliveries/${test.body.delivery_id}`)).body;
    expect(content).toMatchObject({ subject: "Default" });
  });

  test("whose message is removed is refused with the field's name, and fails if it was scheduled", async () => {
    const [base, german] = [await define(), await define()];
    const id = await draft("gone", { channel: "in_app", message_id: base, locales: { de: { message_id: german } } });
    const send_at = new Date(clock.now().getTime() + 60_000).toISOString();
    expect((await post(`/${id}/schedule`, { send_at, allow_empty: true })).status).toBe(200);
    await removeUsed(german);
    expect(await post(`/${id}/schedule`, { send_at })).toMatchObject({
      status: 422,
      body: { code: "content_missing", errors: [{ pointer: "/locales/de/message_id" }] },
    });
    clock.forward(60_000);
    while (await step(ground));
    expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^content_missing: /),
    });
  });
});

describe("editions that are refused", () => {
  const locales = (tags: object) => ({ content: email("x"), locales: tags });
  const one = { content: email("x") };
  const two = (b: object, a: object = {}) => ({
    variants: [
      { name: "A", weight: 1, ...one, ...a },
      { name: "B", weight: 1, ...one, ...b },
    ],
  });
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`de-x-${i}`, one]));

  test.each<[string, object, string]>([
    ["a tag that is none", locales({ "not a tag": one }), "/locales/not a tag"],
    ["a tag with a slash", locales({ "de/AT": one }), "/locales/de~1AT"],
    ["the word default", locales({ default: one }), "/locales/default"],
    ["a tag that is there twice", locales({ "pt-BR": one, "PT-br": one }), "/locales/PT-br"],
    ["51 languages", locales(many), "/locales"],
    ["a language without content", locales({ de: {} }), "/locales/de/content"],
    ["a message in a language", locales({ de: { message_id: "msg_x" } }), "/locales/de/message_id"],
    ["content of another channel", locales({ de: { content: { body: "x" } } }), "/locales/de/content/subject"],
    ["a field nobody knows", locales({ de: { ...one, colour: "red" } }), "/locales/de/colour"],
    ["one variant", { variants: two({}).variants.slice(1) }, "/variants"],
    ["two of one name", two({ name: "A" }), "/variants/1/name"],
    ["a name that begins like none", two({ name: "__proto__" }), "/variants/1/name"],
    ["a weight of nothing", two({ weight: 0 }), "/variants/1/weight"],
    ["a weight in parts", two({ weight: 1.5 }), "/variants/1/weight"],
    ["a variant without content", two({ content: undefined }), "/variants/1/content"],
    ["a bad tag in a variant", two({ locales: { "": one } }), "/variants/1/locales/"],
    [
      "a sender that is none, deep down",
      two({ locales: { de: { content: { ...email("x"), from: "me" } } } }),
      "/variants/1/locales/de/content/from",
    ],
    ["variants beside content", { ...two({}), ...one }, "/content"],
    ["variants beside languages", { ...two({}), locales: { de: one } }, "/locales"],
    ["a holdout over half", { ...one, holdout_percent: 50.01 }, "/holdout_percent"],
    ["a holdout with three decimals", { ...one, holdout_percent: 0.125 }, "/holdout_percent"],
    ["a topic that is nowhere", { ...one, topic_id: "top_01kgaaaaaaaaaaaaaaaaaaaaaa" }, "/topic_id"],
    ["a topic that is no id", { ...one, topic_id: "news" }, "/topic_id"],
    ["half a tracking", { ...one, tracking: { opens: true } }, "/tracking/clicks"],
  ])("%s is a 400 that names the field, of a new one and of a change", async (_what, fields, pointer) => {
    const made = await post("", { name: "T", channel: "email", audience: { all: [] }, ...fields });
    expect(made).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(made.body.errors[0].pointer).toBe(pointer);
    const id = await draft("nobody", one);
    const before = (await it.call("GET", `/api/v1/broadcasts/${id}`)).body;
    expect((await patch(id, fields)).body.errors?.[0].pointer).toBe(pointer);
    expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body).toEqual(before);
  });

  test("Liquid that does not parse and an unknown template name their place in the input", async () => {
    const all = { name: "T", channel: "email", audience: { all: [] } };
    const places: [at: string, said: (content: object) => object][] = [
      ["", (content) => ({ content })],
      ["/locales/de", (content) => ({ ...one, locales: { de: { content } } })],
      ["/variants/1", (content) => two({ content })],
      ["/variants/1/locales/de", (content) => two({ locales: { de: { content } } })],
    ];
    for (const [at, said] of places) {
      expect(await post("", { ...all, ...said(email("{{ person.")) })).toMatchObject({
        status: 422,
        body: { code: "template_error", errors: [{ pointer: `${at}/content/subject` }] },
      });
      expect(await post("", { ...all, ...said({ template_id: "tpl_01kgaaaaaaaaaaaaaaaaaaaaaa" }) })).toMatchObject({
        body: { code: "template_not_found", errors: [{ pointer: `${at}/content/template_id` }] },
      });
    }
  });

  test("variants and content replace each other, and languages stay until they are changed", async () => {
    const id = await draft("nobody", { ...one, locales: { de: one } });
    expect((await patch(id, { content: email("y") })).body).toMatchObject({
      content: email("y"),
      locales: { de: one },
    });
    expect((await patch(id, { locales: null })).body).toMatchObject({ content: email("y"), locales: null });
    const split = (await patch(id, { variants: two({}).variants, holdout_percent: 12.34 })).body;
    expect(split).toMatchObject({ content: null, locales: null, holdout_percent: 12.34, ...two({}) });
    expect((await patch(id, { locales: { de: one } })).body.errors[0].pointer).toBe("/locales");
    expect((await patch(id, { variants: null })).body.errors[0].pointer).toBe("/content");
    expect((await patch(id, { ...one, variants: null })).body).toMatchObject({ ...one, variants: null, locales: null });
  });
});

describe("a topic", () => {
  test("decides who gets it, has a one-click unsubscribe, is tracked, and can't be removed while it is used", async () => {
    const topic = (await it.call("POST", "/api/v1/topics", { body: { name: "News", default: "subscribed" } })).body.id;
    for (const name of ["on", "off"]) await identify(name, { group: "topic", email: `${name}@example.test` });
    await it.call("PATCH", "/api/v1/people/off/subscriptions", { body: { topics: { [topic]: false } } });
    const tracking = { opens: true, clicks: false };
    const id = await draft("topic", { content: email("x"), topic_id: topic, tracking });
    expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body).toMatchObject({ topic_id: topic, tracking });
    expect((await post(`/${id}/preflight`)).body).toMatchObject({
      will_receive: 1,
      excluded: { topic_unsubscribed: 1 },
      samples: { topic_unsubscribed: ["off"] },
    });
    const remove = () => it.call("DELETE", `/api/v1/topics/${topic}`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: "conflict", used_by: ["Test"] } });
    const rows = await sent(id);
    expect(rows.get("off")).toMatchObject({ status: "suppressed", reason: "topic_unsubscribed" });
    const content = rows.get("on")?.content as { tracking: object; headers: Record<string, string> };
    expect(content.tracking).toEqual(tracking);
    const link = new URL((content.headers["List-Unsubscribe"] ?? "").slice(1, -1));
    const payload = "List-Unsubscribe=One-Click";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const clicked = await it.service.app.inject({ method: "POST", url: link.pathname, payload, headers });
    expect(clicked.statusCode).toBe(200);
    const states = (await it.call("GET", "/api/v1/people/on/subscriptions")).body;
    expect(states).toMatchObject({ channels: { email: true }, topics: { [topic]: false } });

    const inApp = await draft("topic", { channel: "in_app", message_id: await define(), topic_id: topic });
    expect((await sent(inApp)).get("on")).toMatchObject({ status: "failed", reason: "topic_unsubscribed" });
    expect((await remove()).status).toBe(204);
    expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body).toMatchObject({ status: "sent", topic_id: null });
  });
});
