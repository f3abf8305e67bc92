import { createHash, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  type Call,
  httpCall,
  type Kind,
  kinds,
  type Said,
  twilioCall,
  vonageCall,
} from "../../../test/support/callbacks.ts";
import { testClock, testService } from "../../../test/support/service.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";

const PUBLIC = "https://tidings.example.test";
const clock = testClock("2026-05-01T12:00:00Z");
const it = await testService({ clock, env: { PUBLIC_URL: PUBLIC } });
const { db } = it.service.ground;

/** A workspace with one provider and a delivery that it took. */
async function setUp(kind: Kind, credentials: Record<string, string> = kind.credentials) {
  const made = await it.another();
  const { settings, channel } = kind;
  const body = { name: "P", channel, kind: kind.kind, settings, credentials };
  const provider = await it.call("POST", "/api/v1/providers", { key: made.secretKey, body });
  expect(provider.status, JSON.stringify(provider.body)).toBe(201);
  const url = `${PUBLIC}/callbacks/${kind.kind}/${provider.body.id}`;
  const sent = (extra: object = {}) => send(made.secretKey, channel, extra);
  return { ...made, url, sent, delivery: await sent(), key: made.secretKey };
}

/** A delivery that a provider took; nothing works in this process, so the test says so. */
async function send(key: string, channel: "email" | "sms", extra: object = {}): Promise<string> {
  const person = { id: "ada", ...extra };
  const to = channel === "email" ? "ada@example.test" : "+4915112345678";
  const content = channel === "email" ? { from: "hello@acme.test", subject: "Hi", body: "<p>Hi</p>" } : { body: "Hi" };
  const body = { identifiers: person, to, ...content };
  const answer = await it.call("POST", `/data-gateway/transactionals/${channel}`, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const id = answer.body.delivery_id as string;
  await db.execute(sql`
    update deliveries set status = 'sent', sent_at = ${clock.now()}, due_at = null where id = ${decodeId("dlv", id)}`);
  return id;
}

const post = ({ url, raw, headers }: Call) => it.call("POST", url.slice(PUBLIC.length), { key: null, raw, headers });

const of = async (key: string, id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`, { key })).body;
const logged = async (key: string, id: string): Promise<string[]> =>
  (await of(key, id)).events
    .map((event: { type: string }) => event.type)
    .filter((type: string) => !type.endsWith("queued"));
const suppressions = async (key: string) => {
  const { data } = (await it.call("GET", "/api/v1/suppressions", { key })).body;
  return data.map(({ address, reason, source }: Record<string, string>) => ({ address, reason, source }));
};

const ENDS: Record<Said["kind"], { status: string; event?: string; reason?: string }> = {
  delivered: { status: "delivered", event: "delivered" },
  hard: { status: "bounced", event: "bounced", reason: "hard_bounce" },
  soft: { status: "sent", event: "bounced" },
  complained: { status: "complained", event: "complained", reason: "complaint" },
  failed: { status: "failed", event: "failed" },
  opened: { status: "sent", event: "opened" },
  machine: { status: "sent", event: "opened" },
  clicked: { status: "sent", event: "clicked" },
  unsubscribed: { status: "sent", event: "unsubscribed" },
  unknown: { status: "sent" },
};

describe.each(kinds)("callbacks of $kind", (kind) => {
  const { channel } = kind;

  test.each(kind.says)("%s: the delivery, its log and the suppression list say so, once", async (said) => {
    const { key, url, delivery } = await setUp(kind);
    const call = kind.call(url, [{ kind: said, delivery, at: clock.now() }]);
    for (let i = 0; i < 3; i++) expect(await post(call)).toMatchObject({ status: 200, body: {} });
    const { status, event, reason } = ENDS[said];
    expect((await of(key, delivery)).status).toBe(status);
    expect(await logged(key, delivery)).toEqual(event === undefined ? [] : [`${channel}.${event}`]);
    const address = channel === "email" ? "ada@example.test" : "+4915112345678";
    expect(await suppressions(key)).toEqual(reason === undefined ? [] : [{ address, reason, source: kind.kind }]);
  });

  test("a wrong signature is refused and changes nothing", async () => {
    const { key, url, delivery } = await setUp(kind);
    const said = { kind: "hard", delivery, at: clock.now() } as const;
    expect(await post(kind.call(url, [said], true))).toMatchObject({
      status: 401,
      body: { code: "callback_unverified" },
    });
    const { headers: _, ...unsigned } = kind.call(url, [said]);
    if (kind.kind !== "mailgun" && kind.kind !== "vonage") {
      const headers = { "content-type": "application/json" };
      expect((await post({ ...unsigned, headers })).body.code).toBe("callback_unverified");
    }
    const tampered = kind.call(url, [said]);
    if (kind.kind !== "mailgun" && kind.kind !== "postmark") {
      tampered.raw = tampered.raw.replace(/5|bounced/, "6");
      expect((await post(tampered)).body.code).toBe("callback_unverified");
    }
    expect(await of(key, delivery)).toMatchObject({ status: "sent" });
    expect(await suppressions(key)).toEqual([]);
  });

  test("a delivery of another workspace, an unknown one and none at all are passed over with 200", async () => {
    const [mine, theirs] = [await setUp(kind), await setUp(kind)];
    for (const delivery of [theirs.delivery, "dlv_00000000000000000000000000", "nothing"]) {
      expect((await post(kind.call(mine.url, [{ kind: "hard", delivery, at: clock.now() }]))).status).toBe(200);
    }
    expect(await of(theirs.key, theirs.delivery)).toMatchObject({ status: "sent" });
    expect([await suppressions(mine.key), await suppressions(theirs.key)]).toEqual([[], []]);
  });

  if (kind.secret !== undefined)
    test("without its secret callbacks are refused, and the answer says which to set", async () => {
      const { [kind.secret as string]: _, ...without } = kind.credentials;
      const { url, delivery } = await setUp(kind, without);
      const answer = await post(kind.call(url, [{ kind: "delivered", delivery, at: clock.now() }]));
      expect(answer).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
      expect(answer.body.detail).toContain(`credentials.${kind.secret}`);
    });

  test("what no provider sends is a problem and no fault of ours", async () => {
    const { url } = await setUp(kind);
    for (const raw of ["", "{", "[]", "null", '"x"', "\0", "a=%zz&b"]) {
      const answer = await it.call("POST", url.slice(PUBLIC.length), { key: null, raw: raw || " " });
      expect([400, 401], `${raw} ${JSON.stringify(answer.body)}`).toContain(answer.status);
    }
    const big = await it.call("POST", url.slice(PUBLIC.length), { key: null, raw: "x".repeat(1_100_000) });
    expect(big).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});

const sendgrid = kinds.find(({ kind }) => kind === "sendgrid") as Kind;
const at = (ms: number) => new Date(clock.now().getTime() + ms);

test("an unknown provider, another kind's address and a kind that never calls back are 404", async () => {
  const { url, key } = await setUp(sendgrid);
  const call = sendgrid.call(url, []);
  const body = { name: "L", channel: "email", kind: "local" };
  const local = (await it.call("POST", "/api/v1/providers", { key, body })).body.id;
  for (const other of [
    url.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    url.replace("/sendgrid/", "/postmark/"),
    `${PUBLIC}/callbacks/sendgrid/x`,
    `${PUBLIC}/callbacks/constructor/${local}`,
    `${PUBLIC}/callbacks/local/${local}`,
  ])
    expect(await post({ ...call, url: other }), other).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test("events that come in the wrong order, in one call or in several, end in the same and keep their own times", async () => {
  const { url, sent, key, delivery } = await setUp(sendgrid);
  const [open, spam, delivered] = (["opened", "complained", "delivered"] as const).map((kind, i) => ({
    kind,
    delivery,
    at: at(-1_000 * (i + 1)),
  })) as [Said, Said, Said];
  for (const said of [open, spam, delivered]) await post(sendgrid.call(url, [said]));
  const second = await sent();
  await post(
    sendgrid.call(
      url,
      [delivered, spam, open].map((said) => ({ ...said, delivery: second })),
    ),
  );
  for (const id of [delivery, second]) {
    expect(await of(key, id)).toMatchObject({ status: "complained", opened_at: at(-1_000).toISOString() });
    const { events } = await of(key, id);
    const times = Object.fromEntries(events.map((event: { type: string; at: string }) => [event.type, event.at]));
    expect(times["email.delivered"]).toBe(at(-3_000).toISOString());
    expect(times["email.complained"]).toBe(at(-2_000).toISOString());
  }
});

test("a call with a thousand events of many deliveries is one batch", async () => {
  const { url, sent, key } = await setUp(sendgrid);
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push(await sent());
  const events = Array.from({ length: 1_000 }, (_, i): Said => {
    const kind = (["opened", "delivered", "clicked"] as const)[i % 3] as Said["kind"];
    return { kind, delivery: ids[i % 20] as string, at: at(-i) };
  });
  expect((await post(sendgrid.call(url, events))).status).toBe(200);
  for (const id of ids) expect((await of(key, id)).status).toBe("delivered");
});

test("what arrived is not sent again though its hand-off never ended, and stays as it is", async () => {
  const { url, sent, key, delivery } = await setUp(sendgrid);
  const waiting = await sent();
  const set = (id: string, status: string, lease: boolean) =>
    db.execute(sql`update deliveries set status = ${status}, sent_at = null, due_at = now() + interval '1 hour',
      lease_id = case when ${lease} then gen_random_uuid() end where id = ${decodeId("dlv", id)}`);
  await set(delivery, "queued", false);
  await set(waiting, "sending", true);
  await post(
    sendgrid.call(
      url,
      [delivery, waiting].map((id) => ({ kind: "delivered", delivery: id, at: clock.now() })),
    ),
  );
  expect(await of(key, delivery)).toMatchObject({
    status: "delivered",
    due_at: null,
    sent_at: clock.now().toISOString(),
  });
  // In somebody's hands: the end of the hand-off makes it delivered.
  expect((await of(key, waiting)).status).toBe("sending");
});

test.each(["suppressed", "canceled"])("what is %s stays so, whatever is told of it", async (status) => {
  const { url, key, delivery } = await setUp(sendgrid);
  await db.execute(sql`update deliveries set status = ${status} where id = ${decodeId("dlv", delivery)}`);
  await post(sendgrid.call(url, [{ kind: "delivered", delivery, at: clock.now() }]));
  expect((await of(key, delivery)).status).toBe(status);
});

test("a bounce of a copy leaves the delivery as it is, and puts the copy's address on the list", async () => {
  const { url, key, delivery } = await setUp(sendgrid);
  await post(sendgrid.call(url, [{ kind: "hard", delivery, at: clock.now(), to: "Copy@example.test" }]));
  expect((await of(key, delivery)).status).toBe("sent");
  expect(await suppressions(key)).toEqual([
    { address: "copy@example.test", reason: "hard_bounce", source: "sendgrid" },
  ]);
});

test("an address that was taken off the list does not come back by a call that is repeated", async () => {
  const { url, key, delivery } = await setUp(sendgrid);
  const call = sendgrid.call(url, [{ kind: "hard", delivery, at: clock.now() }]);
  await post(call);
  await it.call("DELETE", "/api/v1/suppressions?channel=email&address=ada@example.test", { key });
  expect(await suppressions(key)).toEqual([]);
  await post(call);
  expect(await suppressions(key)).toEqual([]);
});

test("who unsubscribes at the provider gets no more email, and other channels as before", async () => {
  const { url, key, delivery } = await setUp(sendgrid);
  await post(sendgrid.call(url, [{ kind: "unsubscribed", delivery, at: clock.now() }]));
  const { body } = await it.call("GET", "/api/v1/people/ada/subscriptions", { key });
  expect(body).toMatchObject({ subscribed: true, channels: { email: false, sms: true } });
});

test("a machine's open stands in the log and is no open, one of a person is", async () => {
  const { url, key, delivery } = await setUp(sendgrid);
  await post(sendgrid.call(url, [{ kind: "machine", delivery, at: clock.now() }]));
  expect(await of(key, delivery)).toMatchObject({ opened_at: null });
  expect((await of(key, delivery)).events.at(-1)).toMatchObject({ type: "email.opened", data: { machine: true } });
  await post(sendgrid.call(url, [{ kind: "opened", delivery, at: clock.now() }]));
  expect((await of(key, delivery)).opened_at).toBe(clock.now().toISOString());
});

test("calls that come at the same time about the same deliveries count each event once", async () => {
  const { url, sent, key } = await setUp(sendgrid);
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push(await sent());
  const events = ids.flatMap((delivery): Said[] => [
    { kind: "delivered", delivery, at: clock.now() },
    { kind: "hard", delivery, at: clock.now() },
  ]);
  const calls = Array.from({ length: 8 }, (_, i) => sendgrid.call(url, i % 2 ? events : events.toReversed()));
  const answers = await Promise.all(calls.map(post));
  expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
  for (const id of ids) {
    expect((await of(key, id)).status).toBe("bounced");
    expect((await logged(key, id)).toSorted()).toEqual(["email.bounced", "email.delivered"]);
  }
});

test.each(["no key", generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }) as string])(
  "a verification key that is none is told as such: %j",
  async (webhook_public_key) => {
    const { url, delivery } = await setUp(sendgrid, { api_key: "SG.key", webhook_public_key });
    const answer = await post(sendgrid.call(url, [{ kind: "hard", delivery, at: clock.now() }]));
    expect(answer).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
  },
);

test("Vonage may sign with a token over the body instead", async () => {
  const vonage = kinds.find(({ kind }) => kind === "vonage") as Kind;
  const { url, key, delivery } = await setUp(vonage);
  const raw = JSON.stringify({ status: "delivered", "client-ref": delivery, "err-code": "0" });
  const payload_hash = createHash("sha256").update(raw).digest("hex");
  const call = async (secret: string, body: string) => {
    const token = await new SignJWT({ payload_hash }).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(secret));
    return post({ url, raw: body, headers: { "content-type": "application/json", authorization: `Bearer ${token}` } });
  };
  expect((await call("another-signature", raw)).status).toBe(401);
  expect((await call("vonage-signature", raw.replace("delivered", "rejected"))).status).toBe(401);
  expect((await of(key, delivery)).status).toBe("sent");
  expect((await call("vonage-signature", raw)).status).toBe(200);
  expect((await of(key, delivery)).status).toBe("delivered");
});

test("a copy of an old call is refused where each repeat is signed anew", async () => {
  for (const name of ["resend", "http", "mailgun"]) {
    const kind = kinds.find((one) => one.kind === name) as Kind;
    const { url, delivery } = await setUp(kind);
    const old = kind.call(url, [{ kind: "delivered", delivery, at: at(-10 * 3_600_000) }]);
    expect(await post(old), name).toMatchObject({ status: 401, body: { code: "callback_unverified" } });
  }
});

describe("words by SMS", () => {
  const FROM = "+4915112345678";
  const inbound: Record<string, (url: string, word: string) => Call> = {
    twilio: (url, word) =>
      twilioCall(url, { MessageSid: "SM2", From: FROM, To: "+15005550006", Body: word, SmsStatus: "received" }),
    vonage: (url, word) =>
      vonageCall(url, { msisdn: FROM.slice(1), to: "15005550006", messageId: "1", text: word, type: "text" }),
    http: (url, word) => httpCall(url, [{ type: word.trim().toLowerCase(), number: FROM }], clock.now()),
  };

  test.each(Object.keys(inbound))("%s: STOP puts the number on the list, START takes it off", async (name) => {
    const { url, key, sent } = await setUp(kinds.find(({ kind }) => kind === name) as Kind);
    const say = async (word: string) =>
      expect((await post((inbound[name] as never as (u: string, w: string) => Call)(url, word))).status).toBe(200);
    await say("hello");
    expect(await suppressions(key)).toEqual([]);
    await say(" stop ");
    await say("STOP");
    expect(await suppressions(key)).toEqual([{ address: FROM, reason: "stop", source: name }]);
    const body = { identifiers: { id: "ada" }, to: FROM, body: "Hi" };
    const held = await it.call("POST", "/data-gateway/transactionals/sms", { key, body });
    expect(held.body).toMatchObject({ status: "suppressed", reason: "stop" });
    await say("Start");
    expect(await suppressions(key)).toEqual([]);
    await sent();
  });

  test("START does not take back what the workspace itself decided", async () => {
    const { url, key } = await setUp(kinds.find(({ kind }) => kind === "twilio") as Kind);
    const body = { channel: "sms", address: FROM };
    expect((await it.call("POST", "/api/v1/suppressions", { key, body })).status).toBeLessThan(300);
    await post((inbound.twilio as (url: string, word: string) => Call)(url, "START"));
    expect(await suppressions(key)).toMatchObject([{ address: FROM, reason: "manual" }]);
  });
});
