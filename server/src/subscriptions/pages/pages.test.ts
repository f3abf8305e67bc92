import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { erasePerson, personKey } from "../../people/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { linkKeyFrom } from "../../platform/links.ts";
import { messageLinks, type Subject } from "./links.ts";

const it = await testService();
const { ground } = it.service;

let people = 0;
async function someone(more: Partial<Subject> = {}) {
  const person_id = `reader-${++people}`;
  await it.call("POST", "/data-gateway/v1/identify", {
    body: { person_id, attributes: { email: `${person_id}@example.test` } },
  });
  const { workspaceId } = it;
  const subject: Subject = { workspaceId, personKey: personKey(workspaceId, person_id), channel: "email", ...more };
  const links = messageLinks(ground, subject);
  const path = (url: string) => url.slice(ground.config.publicUrl.length);
  const states = async () => (await it.call("GET", `/api/v1/people/${person_id}/subscriptions`)).body;
  return {
    person_id,
    subject,
    states,
    unsubscribe: path(links.unsubscribe_url),
    preferences: path(links.preferences_url),
  };
}
const topicOf = async (name: string, more: Record<string, unknown> = {}) =>
  (await it.call("POST", "/api/v1/topics", { body: { name, default: "subscribed", ...more } })).body.id as string;
const look = (url: string) => it.call("GET", url, { key: null });
const post = (url: string, fields: Record<string, string | string[]>) => {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return it.call("POST", url, { key: null, raw: form.toString(), headers });
};
const ONE_CLICK = { "List-Unsubscribe": "One-Click" };

describe("unsubscribe", () => {
  test("opening the link changes nothing, whoever opens it and how often", async () => {
    const reader = await someone();
    for (let i = 0; i < 3; i++) {
      const page = await look(reader.unsubscribe);
      expect(page).toMatchObject({ status: 200 });
      expect(page.body).toContain("<button>Unsubscribe</button>");
    }
    const head = await it.service.app.inject({ method: "HEAD", url: reader.unsubscribe });
    expect(head.statusCode).toBe(200);
    expect((await reader.states()).channels.email).toBe(true);
  });

  test("one click in the mail program unsubscribes from the channel, without a redirect, and twice is once", async () => {
    const reader = await someone();
    for (let i = 0; i < 2; i++) expect((await post(reader.unsubscribe, ONE_CLICK)).status).toBe(200);
    expect(await reader.states()).toMatchObject({ subscribed: true, channels: { email: false, sms: true } });
    const { data } = (await it.call("GET", `/api/v1/people/${reader.person_id}/activity`)).body;
    const told = data.filter(({ type }: { type: string }) => type !== "person.identified");
    expect(told).toMatchObject([{ type: "person.unsubscribed", data: { channel: "email", source: "one_click" } }]);
  });

  test("mail programs may send the form as multipart", async () => {
    const reader = await someone();
    const raw = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    expect((await it.call("POST", reader.unsubscribe, { key: null, raw, headers })).status).toBe(200);
    expect((await reader.states()).channels.email).toBe(false);
  });

  test("a message with a topic unsubscribes from its topic alone, and the page takes it back", async () => {
    const id = await topicOf("Travel");
    const { body } = await it.call("GET", `/api/v1/topics/${id}`);
    const reader = await someone({ topicId: decodeId("top", body.id) as string });
    const page = await post(reader.unsubscribe, ONE_CLICK);
    expect(page.body).toContain("emails about “Travel”");
    expect(await reader.states()).toMatchObject({ channels: { email: true }, topics: { [id]: false } });
    const back = await post(reader.unsubscribe, { action: "resubscribe" });
    expect(back.body).toContain("You are subscribed");
    expect(await reader.states()).toMatchObject({ channels: { email: true }, topics: { [id]: true } });
  });

  test("a message whose topic is no more unsubscribes from the channel", async () => {
    const reader = await someone({ topicId: "0198a9c2-0000-7000-8000-000000000000" });
    expect((await post(reader.unsubscribe, ONE_CLICK)).status).toBe(200);
    expect((await reader.states()).channels.email).toBe(false);
  });

  test.each([
    ["an empty form", "application/x-www-form-urlencoded", ""],
    ["another word", "application/x-www-form-urlencoded", "List-Unsubscribe=Yes"],
    ["JSON", "application/json", '{"List-Unsubscribe":"One-Click"}'],
    ["JSON that is broken", "application/json", "{"],
    ["broken multipart", "multipart/form-data; boundary=x", "--y\r\n\r\n"],
    ["multipart without boundary", "multipart/form-data", "x"],
    ["text", "text/plain", "List-Unsubscribe=One-Click"],
    [
      "a file of that name",
      "multipart/form-data; boundary=x",
      `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"; filename="a"\r\n\r\nOne-Click\r\n--x--\r\n`,
    ],
  ])("%s changes nothing and answers with a page", async (_what, type, raw) => {
    const reader = await someone();
    const answer = await it.call("POST", reader.unsubscribe, { key: null, raw, headers: { "content-type": type } });
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect((await reader.states()).channels.email).toBe(true);
  });

  test("a body that no form has is refused", async () => {
    const reader = await someone();
    expect((await post(reader.unsubscribe, { ...ONE_CLICK, more: "x".repeat(20_000) })).status).toBe(413);
    expect((await reader.states()).channels.email).toBe(true);
  });
});

describe("the preference page", () => {
  test("shows each topic and channel as it is, and saves what is ticked", async () => {
    const travel = await topicOf("Trains & <b>boats</b>", { description: 'With "quotes"' });
    const tips = await topicOf("Tips", { default: "unsubscribed" });
    const reader = await someone();
    const { body } = await look(reader.preferences);
    expect(body).toContain("Trains &amp; &lt;b&gt;boats&lt;/b&gt;<small>With &quot;quotes&quot;</small>");
    expect(body).not.toContain("<b>");
    expect(body).toMatch(new RegExp(`name="on" value="${travel}" checked`));
    expect(body).toMatch(new RegExp(`name="on" value="${tips}">`));
    expect(body).toContain(" at r•••@example.test");
    const saved = await post(reader.preferences, {
      action: "save",
      shown: ["email", "sms", "push", travel, tips],
      on: ["email", "push", tips],
    });
    expect(saved.body).toContain('<p role="status">Saved.</p>');
    expect(await reader.states()).toMatchObject({
      subscribed: true,
      channels: { email: true, sms: false, push: true },
      topics: { [travel]: false, [tips]: true },
    });
  });

  test("writes nothing that it did not show, and nothing that is no topic or channel", async () => {
    const later = await topicOf("Made later");
    const reader = await someone();
    await post(reader.preferences, {
      action: "save",
      shown: ["email", "top_nonsense", "__proto__", "subscribed"],
      on: [],
    });
    expect(await reader.states()).toMatchObject({
      subscribed: true,
      channels: { email: false },
      topics: { [later]: true },
    });
    const [row] = await ground.db.query<{ preferences: object }>({
      text: "select preferences from people where person_key = $1",
      values: [reader.subject.personKey],
    });
    expect(row?.preferences).toEqual({ email: false });
  });

  test("unsubscribes from everything and takes it back, and what was chosen stays", async () => {
    const reader = await someone();
    await post(reader.preferences, { action: "save", shown: ["email", "sms", "push"], on: ["email"] });
    expect((await post(reader.preferences, { action: "unsubscribe_all" })).body).toContain("Subscribe again");
    expect(await reader.states()).toMatchObject({ subscribed: false });
    expect((await look(reader.preferences)).body).toContain("unsubscribed from all messages");
    await post(reader.preferences, { action: "resubscribe" });
    expect(await reader.states()).toMatchObject({
      subscribed: true,
      channels: { email: true, sms: false, push: false },
    });
  });

  test("a form without an action changes nothing", async () => {
    const reader = await someone();
    const before = await reader.states();
    for (const action of [[], "delete"]) await post(reader.preferences, { action, shown: "email" });
    expect(await reader.states()).toEqual(before);
  });
});

describe("links", () => {
  const paths = ["/preferences/", "/unsubscribe/"];

  test("of somebody who was merged, and merged again, are those of the person who stays", async () => {
    const [phone, laptop, known] = [await someone(), await someone(), await someone()];
    const merge = (from: string, into: string) => it.call("POST", `/api/v1/people/${from}/merge`, { body: { into } });
    expect((await merge(phone.person_id, laptop.person_id)).status).toBe(200);
    expect((await merge(laptop.person_id, known.person_id)).status).toBe(200);
    expect((await look(phone.preferences)).body).toContain("Email");
    expect((await post(phone.unsubscribe, ONE_CLICK)).status).toBe(200);
    expect((await known.states()).channels.email).toBe(false);
  });

  test("of somebody who was erased show a page and change nothing", async () => {
    const reader = await someone();
    await erasePerson(it.service.ground, { workspaceId: it.workspaceId, personId: reader.person_id, now: new Date() });
    for (const url of [reader.preferences, reader.unsubscribe]) {
      for (const answer of [await look(url), await post(url, { ...ONE_CLICK, action: "unsubscribe_all" })]) {
        expect(answer.status).toBe(410);
        expect(answer.body).toContain("no longer have any data about you");
      }
    }
  });

  test("of another installation, altered or made up show a page", async () => {
    const { subject, unsubscribe } = await someone();
    const foreign = { ...ground, linkKey: linkKeyFrom(randomBytes(32)) };
    const token = messageLinks(foreign, subject).unsubscribe_url.split("/").at(-1) as string;
    const altered = unsubscribe
      .split("/")
      .at(-1)
      ?.replace(/.$/, (last) => (last === "_" ? "-" : "_")) as string;
    for (const path of paths) {
      for (const text of [token, altered, "x", "%00", "..%2f..", "a".repeat(290)]) {
        for (const answer of [await look(path + text), await post(path + text, ONE_CLICK)]) {
          expect(answer.status).toBe(404);
          expect(answer.headers["content-type"]).toContain("text/html");
        }
      }
    }
  });

  test("fit into a header line and say nothing of whom they are for", async () => {
    const uuid = "0198a9c2-0000-7000-8000-000000000000";
    const { subject, unsubscribe } = await someone({ topicId: uuid, deliveryId: uuid });
    expect(unsubscribe.length).toBeLessThan(220);
    const bytes = Buffer.from(unsubscribe.split("/").at(-1) as string, "base64url").toString("latin1");
    expect(bytes).not.toContain("email");
    expect(bytes).not.toContain(Buffer.from(subject.personKey.replaceAll("-", ""), "hex").toString("base64url"));
  });

  test("of one person never write another's states", async () => {
    const [one, other] = [await someone(), await someone()];
    await post(one.preferences, { action: "unsubscribe_all" });
    expect((await other.states()).subscribed).toBe(true);
  });
});

test("every page forbids scripts, frames, indexing, keeping and telling its address", async () => {
  const reader = await someone();
  for (const url of [reader.preferences, reader.unsubscribe, "/unsubscribe/nonsense"]) {
    const { headers, body } = await look(url);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
      "x-content-type-options": "nosniff",
    });
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers["set-cookie"]).toBeUndefined();
    expect(body).not.toMatch(/<script|javascript:|style=|https?:\/\//);
    expect(body).toContain('<html lang="en">');
  }
});

test("a link that is opened without end is held back for a minute", async () => {
  const { unsubscribe } = await someone();
  let asked = 0;
  while ((await look(unsubscribe)).status === 200) expect(++asked).toBeLessThan(200);
  expect(asked).toBeGreaterThanOrEqual(60);
  const held = await look(unsubscribe);
  expect([held.status, held.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
  expect((await look((await someone()).unsubscribe)).status).toBe(200);
});
