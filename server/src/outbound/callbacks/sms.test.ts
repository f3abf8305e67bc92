import { createHash } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import type { Call } from "../../../test/support/callbacks/call.ts";
import {
  http,
  httpCall,
  twilio,
  twilioCall,
  vonage,
  vonageCall,
  vonageGet,
} from "../../../test/support/callbacks/sms.ts";
import { callbackService, PUBLIC } from "../../../test/support/services/callbacks.ts";

// Callbacks of text messages: the signatures of Vonage, and the keywords STOP and START.

const { it, clock, setUp, post, of, logged, suppressions } = await callbackService();

test("Vonage may also sign with a token over the body", async () => {
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

describe("Vonage by GET", () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    it.call("GET", url.slice(PUBLIC.length), { key: null, headers });
  const receipt = (delivery: string) => ({
    msisdn: "4915112345678",
    status: "delivered",
    "err-code": "0",
    "client-ref": delivery,
    "message-timestamp": "2026-05-01 11:59:58",
    note: "a=b&c d+e",
  });

  test("a receipt counts as by POST, once", async () => {
    const { url, key, delivery } = await setUp(vonage);
    const address = vonageGet(url, receipt(delivery));
    for (let i = 0; i < 3; i++) expect(await get(address)).toMatchObject({ status: 200, body: {} });
    expect(await of(key, delivery)).toMatchObject({ status: "delivered", delivered_at: "2026-05-01T11:59:58.000Z" });
    expect(await logged(key, delivery)).toEqual(["sms.delivered"]);
  });

  test("STOP by GET puts the number on the suppression list", async () => {
    const { url, key } = await setUp(vonage);
    expect((await get(vonageGet(url, { msisdn: "4915112345678", text: "Stop" }))).status).toBe(200);
    expect(await suppressions(key)).toEqual([{ address: "+4915112345678", reason: "stop", source: "vonage" }]);
  });

  test("a wrong signature, no signature, a changed parameter, and a token that does not cover the address are refused", async () => {
    const { url, key, delivery } = await setUp(vonage);
    const good = vonageGet(url, receipt(delivery));
    const token = await new SignJWT({ payload_hash: createHash("sha256").update("").digest("hex") })
      .setProtectedHeader({ alg: "HS256" })
      .sign(Buffer.from("vonage-signature"));
    const unsigned = `${url}?${new URLSearchParams(receipt(delivery))}`;
    for (const [address, headers] of [
      [vonageGet(url, receipt(delivery), "wrong")],
      [unsigned],
      [good.replace("status=delivered", "status=failed")],
      [`${good}&sig=another`],
      [`${good}&status=failed`],
      [unsigned, { authorization: `Bearer ${token}` }],
    ] as [string, Record<string, string>?][])
      expect(await get(address, headers), address).toMatchObject({
        status: 401,
        body: { code: "callback_unverified" },
      });
    expect(await of(key, delivery)).toMatchObject({ status: "sent" });
  });

  test("the other kinds call only by POST, and no kind by HEAD", async () => {
    for (const kind of [twilio, http]) {
      const { url } = await setUp(kind);
      expect(await get(url)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    const { url, key, delivery } = await setUp(vonage);
    const address = vonageGet(url, receipt(delivery)).slice(PUBLIC.length);
    expect((await it.service.app.inject({ method: "HEAD", url: address })).statusCode).toBe(404);
    expect(await of(key, delivery)).toMatchObject({ status: "sent" });
  });
});

describe("keywords by SMS", () => {
  const FROM = "+4915112345678";
  const kindOf = { twilio, vonage, http };
  const inbound: Record<string, (url: string, word: string) => Call> = {
    twilio: (url, word) =>
      twilioCall(url, { MessageSid: "SM2", From: FROM, To: "+15005550006", Body: word, SmsStatus: "received" }),
    vonage: (url, word) =>
      vonageCall(url, { msisdn: FROM.slice(1), to: "15005550006", messageId: "1", text: word, type: "text" }),
    http: (url, word) => httpCall(url, [{ type: word.trim().toLowerCase(), number: FROM }], clock.now()),
  };

  test.each(Object.keys(inbound))(
    "%s: STOP puts the number on the suppression list, START removes it",
    async (name) => {
      const { url, key, sent } = await setUp(kindOf[name as keyof typeof kindOf]);
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
    },
  );

  test.each(Object.keys(inbound))("%s: a START that is sent again does not undo a later STOP", async (name) => {
    const { url, key } = await setUp(kindOf[name as keyof typeof kindOf]);
    const call = (word: string) => (inbound[name] as (url: string, word: string) => Call)(url, word);
    const start = call("START");
    for (const one of [start, call("STOP"), start])
      expect(await post(one), one.raw as string).toMatchObject({ status: 200 });
    expect(await suppressions(key)).toMatchObject([{ address: FROM, reason: "stop" }]);
  });

  test("a START that is older than the STOP loses, however late it arrives, and a later one wins", async () => {
    const { url, key } = await setUp(http);
    const say = async (type: string, minutes: number) => {
      const event = { type, number: FROM, at: new Date(clock.now().getTime() + minutes * 60_000).toISOString() };
      expect((await post(httpCall(url, [event], clock.now()))).status).toBe(200);
      return (await suppressions(key)).length;
    };
    expect(await say("stop", -30)).toBe(1);
    expect(await say("start", -40)).toBe(1);
    expect(await say("stop", -10)).toBe(1);
    expect(await say("start", -20)).toBe(1);
    expect(await say("start", -5)).toBe(0);
    expect(await say("stop", 60)).toBe(1);
    expect(await say("start", 0)).toBe(0);
  });

  test("a call of Vonage that was signed more than 25 hours ago is refused", async () => {
    const { url, key } = await setUp(vonage);
    const seconds = Math.floor(clock.now().getTime() / 1_000);
    for (const [timestamp, status] of [
      [seconds - 26 * 3_600, 401],
      [seconds - 24 * 3_600, 200],
    ] as const) {
      const call = vonageCall(url, { msisdn: FROM.slice(1), text: "STOP", timestamp: String(timestamp) });
      expect((await post(call)).status).toBe(status);
    }
    expect(await suppressions(key)).toHaveLength(1);
  });

  test("START does not end a suppression that the workspace itself made", async () => {
    const { url, key } = await setUp(twilio);
    const body = { channel: "sms", address: FROM };
    expect((await it.call("POST", "/api/v1/suppressions", { key, body })).status).toBeLessThan(300);
    await post((inbound.twilio as (url: string, word: string) => Call)(url, "START"));
    expect(await suppressions(key)).toMatchObject([{ address: FROM, reason: "manual" }]);
  });
});
