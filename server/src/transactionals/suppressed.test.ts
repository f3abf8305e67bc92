import { describe, expect, test } from "vitest";
import { transactionalsService } from "../../test/support/services/transactionals.ts";
import { until } from "../../test/support/wait.ts";

const { it, make, send, raw, identify, captured } = await transactionalsService();
const { db } = it.service.ground;

let people = 0;
async function someone(attributes: Record<string, unknown> = {}) {
  const id = `p${++people}`;
  const email = `${id}@example.test`;
  await identify(id, { email, phone: `+4915100001${String(people).padStart(3, "0")}`, ...attributes });
  return { id, email, choose: (body: unknown) => it.call("PATCH", `/api/v1/people/${id}/subscriptions`, { body }) };
}
const suppress = (address: string, reason = "complaint", channel = "email") =>
  it.call("POST", "/api/v1/suppressions", { body: { channel, address, reason } });
const delivery = async (id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`)).body;
const ended = (id: string) =>
  until(async () => {
    const row = await delivery(id);
    return ["queued", "sending"].includes(row.status) ? undefined : row;
  }, `the end of ${id}`);
const topicOf = async (name: string, state = "subscribed") =>
  (await it.call("POST", "/api/v1/topics", { body: { name, default: state } })).body.id as string;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
/** Makes a person's scheduled deliveries due now. */
const due = (person: string) =>
  db.execute({
    text: "update deliveries d set due_at = now() from people p where p.person_key = d.person_key and p.person_id = $1 and d.status = 'queued'",
    values: [person],
  });

describe("an address on the suppression list", () => {
  test.each(["hard_bounce", "complaint", "manual"])(
    "gets nothing, also with the preference all: %s",
    async (reason) => {
      const person = await someone();
      await suppress(person.email.toUpperCase(), reason);
      const everybody = await make({ subscription_preference: "all", content: { subject: "S", body: "B" } });
      for (const body of [
        { transactional_message_id: everybody.id, identifiers: { id: person.id } },
        raw({ identifiers: { id: person.id } }),
        raw({ identifiers: { id: (await someone()).id }, to: person.email }),
      ]) {
        const answer = await send(body);
        expect(answer).toMatchObject({ status: 202, body: { status: "suppressed", reason } });
        const row = await delivery(answer.body.delivery_id);
        expect(row).toMatchObject({ status: "suppressed", reason, attempts: 0 });
        expect(row.events).toMatchObject([{ type: "email.suppressed", data: { reason } }]);
      }
      const counted = await it.call("GET", `/api/v1/transactionals/${everybody.id}/failures`);
      expect(counted.body).toEqual({ data: [{ status: "suppressed", reason, count: 1 }], exact: true });
    },
  );

  test("gets nothing if the call names it, in any form", async () => {
    const person = await someone();
    await suppress(person.email);
    await suppress("+4915199999902", "stop", "sms");
    const status = async (body: Record<string, unknown>) => (await send(raw(body))).body.status;
    expect(await status({ identifiers: { email: person.email.toUpperCase() } })).toBe("suppressed");
    expect(await status({ identifiers: { email: "else@example.test" }, to: `Ada <${person.email}>` })).toBe(
      "suppressed",
    );
    expect(await status({ identifiers: { email: "else@example.test" }, to: person.email.toUpperCase() })).toBe(
      "suppressed",
    );
    // The message does not go to the address that names the person.
    expect(await status({ identifiers: { email: person.email }, to: "else@example.test" })).toBe("queued");
    const sms = (body: object) =>
      it.call("POST", "/data-gateway/transactionals/sms", { body: { body: "Hi", ...body } });
    const phone = "+49 151 99999902";
    expect((await sms({ identifiers: { phone } })).body.status).toBe("suppressed");
    expect((await sms({ identifiers: { id: person.id }, to: phone })).body.status).toBe("suppressed");
    expect((await sms({ identifiers: { phone }, to: "+4915199999903" })).body.status).toBe("queued");
  });

  test("gets no text message after STOP, and gets one again after START", async () => {
    const person = await someone({ phone: "+4915199999901" });
    await suppress("+4915199999901", "stop", "sms");
    const call = { identifiers: { id: person.id }, body: "Hello" };
    const sms = () => it.call("POST", "/data-gateway/transactionals/sms", { body: call });
    expect((await sms()).body).toMatchObject({ status: "suppressed", reason: "stop" });
    await it.call("DELETE", `/api/v1/suppressions?channel=sms&address=${encodeURIComponent("+4915199999901")}`);
    expect((await sms()).body).toMatchObject({ status: "queued" });
    expect((await send(raw({ identifiers: { id: person.id } }))).body.status).toBe("queued");
  });

  test("of another workspace suppresses nothing in this one", async () => {
    const person = await someone();
    const { secretKey: key } = await it.another();
    await it.call("POST", "/api/v1/suppressions", { key, body: { channel: "email", address: person.email } });
    expect((await send(raw({ identifiers: { id: person.id } }))).body.status).toBe("queued");
  });

  test("is left out of cc and bcc, as the log shows", async () => {
    const person = await someone();
    await suppress("cc@example.test", "hard_bounce");
    await suppress("bcc@example.test");
    const answer = await send(
      raw({
        identifiers: { id: person.id },
        cc: ["Carl <CC@example.test>", "kept@example.test"],
        bcc: ["bcc@example.test"],
      }),
    );
    expect(answer.body.status).toBe("queued");
    const { message } = await captured(answer.body.delivery_id);
    expect(JSON.stringify(message)).toContain("kept@example.test");
    expect(JSON.stringify(message)).not.toMatch(/b?cc@example/i);
    const { events } = await delivery(answer.body.delivery_id);
    expect(events[0].data.left_out).toEqual([
      { address: "CC@example.test", reason: "hard_bounce" },
      { address: "bcc@example.test", reason: "complaint" },
    ]);
  });

  test("has its own result in a batch, and the same one in a repeat with the same key", async () => {
    const [good, bad] = [await someone(), await someone()];
    await suppress(bad.email, "hard_bounce");
    const items = [good, bad].map(({ id }) => ({ channel: "email", ...raw({ identifiers: { id } }) }));
    const batch = () =>
      it.call("POST", "/data-gateway/transactionals/batch", {
        body: { items },
        headers: { "idempotency-key": "suppressed-batch" },
      });
    const first = await batch();
    expect(first.body.results).toMatchObject([{ suppressed: false }, { suppressed: true, reason: "hard_bounce" }]);
    expect((await batch()).body).toEqual(first.body);
    const once = () => send(raw({ identifiers: { id: bad.id } }), { "idempotency-key": "suppressed-once" });
    const answer = await once();
    expect(answer.body.status).toBe("suppressed");
    expect((await once()).body).toEqual(answer.body);
  });
});

describe("a person's subscription", () => {
  test("holds back messages that respect it, with the widest reason, and no others", async () => {
    const topic_id = await topicOf("News");
    const news = await make({ topic_id, content: { subject: "S", body: "B" } });
    const plain = await make({ content: { subject: "S", body: "B" } });
    const forced = await make({ topic_id, subscription_preference: "all", content: { subject: "S", body: "B" } });
    const person = await someone();
    const results = async () => {
      const ids = [news.id, plain.id, forced.id];
      const calls = ids.map((id) => send({ transactional_message_id: id, identifiers: { id: person.id } }));
      return (await Promise.all(calls)).map(({ body }) => body.reason ?? body.status);
    };
    expect(await results()).toEqual(["queued", "queued", "queued"]);
    await person.choose({ topics: { [topic_id]: false } });
    expect(await results()).toEqual(["topic_unsubscribed", "queued", "queued"]);
    await person.choose({ channels: { email: false } });
    expect(await results()).toEqual(["channel_unsubscribed", "channel_unsubscribed", "queued"]);
    await person.choose({ subscribed: false });
    expect(await results()).toEqual(["unsubscribed", "unsubscribed", "queued"]);
    expect((await send(raw({ identifiers: { id: person.id } }))).body.reason).toBe("unsubscribed");
  });

  test("to a topic that is off by default must be given first", async () => {
    const topic_id = await topicOf("Beta", "unsubscribed");
    const { id } = await make({ topic_id, content: { subject: "S", body: "B" } });
    const person = await someone();
    const call = { transactional_message_id: id, identifiers: { id: person.id } };
    expect((await send(call)).body.reason).toBe("topic_unsubscribed");
    await person.choose({ topics: { [topic_id]: true } });
    expect((await send(call)).body.status).toBe("queued");
    const nobody = { transactional_message_id: id, identifiers: { email: "unknown-yet@example.test" } };
    expect((await send(nobody)).body.reason).toBe("topic_unsubscribed");
  });

  test("can only be asked for a topic that exists, and the topic can't be removed while it is used", async () => {
    const topic_id = await topicOf("Used");
    const { id } = await make({ topic_id });
    expect(await it.call("DELETE", `/api/v1/topics/${topic_id}`)).toMatchObject({ status: 409 });
    for (const bad of ["top_nonsense", `${topic_id.slice(0, -4)}zzzz`]) {
      expect(await it.call("PATCH", `/api/v1/transactionals/${id}`, { body: { topic_id: bad } })).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ pointer: "/topic_id" }] },
      });
    }
    expect((await it.call("PATCH", `/api/v1/transactionals/${id}`, { body: { topic_id: null } })).status).toBe(200);
    expect((await it.call("DELETE", `/api/v1/topics/${topic_id}`)).status).toBe(204);
  });
});

describe("a scheduled message", () => {
  test("goes to nobody who unsubscribed or was suppressed meanwhile", async () => {
    const topic_id = await topicOf("Later");
    const { id } = await make({ topic_id, content: { subject: "S", body: "B" } });
    const [stays, leaves, bounces] = [await someone(), await someone(), await someone()];
    const queued = await Promise.all(
      [stays, leaves, bounces].map((person) =>
        send({ transactional_message_id: id, identifiers: { id: person.id }, send_at: inAnHour() }),
      ),
    );
    expect(queued.map(({ body }) => body.status)).toEqual(["queued", "queued", "queued"]);
    await leaves.choose({ topics: { [topic_id]: false } });
    await suppress(bounces.email, "hard_bounce");
    for (const person of [stays, leaves, bounces]) await due(person.id);
    const rows = await Promise.all(queued.map(({ body }) => ended(body.delivery_id)));
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
      ["sent", null],
      ["suppressed", "topic_unsubscribed"],
      ["suppressed", "hard_bounce"],
    ]);
    expect(rows[1].attempts).toBe(0);
    expect(rows[1].events.map(({ type }: { type: string }) => type)).toEqual(["email.queued", "email.suppressed"]);
  });

  test("goes to people who unsubscribed meanwhile, with the preference all", async () => {
    const { id } = await make({ subscription_preference: "all", content: { subject: "S", body: "B" } });
    const person = await someone();
    const { body } = await send({
      transactional_message_id: id,
      identifiers: { id: person.id },
      send_at: inAnHour(),
    });
    await person.choose({ subscribed: false });
    await due(person.id);
    expect(await ended(body.delivery_id)).toMatchObject({ status: "sent" });
  });

  test.each([
    ["small", {}],
    ["with an attachment", { attachments: { "a.txt": Buffer.from("x".repeat(90_000)).toString("base64") } }],
  ])("leaves out copies that were suppressed meanwhile: %s", async (what, extra) => {
    const person = await someone();
    const copy = `copy-${what.length}@example.test`;
    const { body } = await send(
      raw({ identifiers: { id: person.id }, cc: [copy, "stays@example.test"], send_at: inAnHour(), ...extra }),
    );
    await suppress(copy);
    await due(person.id);
    expect(await ended(body.delivery_id)).toMatchObject({ status: "sent" });
    const { message } = await captured(body.delivery_id);
    expect(JSON.stringify(message)).toContain("stays@example.test");
    expect(JSON.stringify(message)).not.toContain(copy);
    const { events } = await delivery(body.delivery_id);
    expect(events.at(-1)).toMatchObject({
      type: "email.sent",
      data: { left_out: [{ address: copy, reason: "complaint" }] },
    });
  });
});

describe("the unsubscribe link of an email", () => {
  const headersOf = async (id: string) => (await captured(id)).message.headers as Record<string, string>;

  test("is in its headers and works by one click, for templates and raw content", async () => {
    const topic_id = await topicOf("Way out");
    const { id } = await make({ topic_id, content: { subject: "S", body: "B" } });
    const person = await someone();
    const calls = [
      { transactional_message_id: id, identifiers: { id: person.id } },
      raw({ identifiers: { id: person.id } }),
    ];
    for (const call of calls) {
      const headers = await headersOf((await send(call)).body.delivery_id);
      expect(headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
      const [, url = ""] = /^<(http[^>]+)>$/.exec(headers["List-Unsubscribe"] ?? "") ?? [];
      const answer = await it.call("POST", new URL(url).pathname, {
        key: null,
        raw: "List-Unsubscribe=One-Click",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect(answer.status).toBe(200);
    }
    const { body } = await it.call("GET", `/api/v1/people/${person.id}/subscriptions`);
    expect(body).toMatchObject({ subscribed: true, channels: { email: false }, topics: { [topic_id]: false } });
  });

  test("is left out with the preference all, and a call's own header stays", async () => {
    const { id } = await make({ subscription_preference: "all", content: { subject: "S", body: "B" } });
    const person = await someone();
    const sent = await send({ transactional_message_id: id, identifiers: { id: person.id } });
    expect((await headersOf(sent.body.delivery_id))["List-Unsubscribe"]).toBeUndefined();
    const own = { "list-unsubscribe": "<mailto:out@example.test>", "X-Mine": "1" };
    const kept = await send(raw({ identifiers: { id: person.id }, headers: own }));
    expect(await headersOf(kept.body.delivery_id)).toEqual(own);
  });

  test("has no target in a preview", async () => {
    const { id } = await make({ content: { subject: "S", body: '<a href="{{unsubscribe_url}}">out</a>' } });
    const { body } = await it.call("POST", `/api/v1/transactionals/${id}/preview`, { body: {} });
    expect(body.content.body).toBe('<a href="#">out</a>');
  });

  test("is available to the content of every channel", async () => {
    const person = await someone();
    const body = '<a href="{{preferences_url}}">choose</a> {{unsubscribe_url}}';
    const email = await send(raw({ identifiers: { id: person.id }, body }));
    expect((await captured(email.body.delivery_id)).message.html).toMatch(
      /href="http[^"]+\/preferences\/[\w-]+">choose<\/a> http\S+\/unsubscribe\/[\w-]+/,
    );
    const sms = await it.call("POST", "/data-gateway/transactionals/sms", {
      body: { identifiers: { id: person.id }, body: "Out: {{unsubscribe_url}}" },
    });
    expect((await captured(sms.body.delivery_id)).message.body).toMatch(/^Out: http\S+\/unsubscribe\//);
  });
});
