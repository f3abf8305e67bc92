import { createHmac } from "node:crypto";
import { type Call, JSON_TYPE, type Kind, OTHER, one, SECRET, standard } from "./call.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

export const twilio: Kind = {
  kind: "twilio",
  channel: "sms",
  settings: { account_sid: "AC0123456789", from: "+15005550006" },
  credentials: { auth_token: "twilio-token-1" },
  says: ["delivered", "hard", "failed", "unknown"],
  call(base, list, wrong) {
    const { kind, delivery } = one(list);
    const [state, code] = {
      delivered: ["delivered"],
      hard: ["undelivered", "30005"],
      failed: ["failed", "30008"],
      unknown: ["sending"],
    }[kind as "delivered"] as [string, string?];
    const form = {
      MessageSid: "SM1",
      AccountSid: "AC0123456789",
      MessageStatus: state,
      ...(code && { ErrorCode: code }),
    };
    return twilioCall(`${base}?delivery=${delivery}`, form, wrong ? "wrong" : "twilio-token-1");
  },
};

/** Returns a call of Twilio: status or inbound. */
export function twilioCall(url: string, form: Record<string, string>, token = "twilio-token-1"): Call {
  const text = Object.keys(form)
    .sort()
    .map((name) => name + form[name])
    .join("");
  const signature = createHmac("sha1", token)
    .update(url + text)
    .digest("base64");
  return { url, raw: new URLSearchParams(form).toString(), headers: { ...FORM, "x-twilio-signature": signature } };
}

export const vonage: Kind = {
  kind: "vonage",
  channel: "sms",
  settings: { from: "Acme" },
  secret: "signature_secret",
  credentials: { api_key: "abcd1234", api_secret: "s", signature_secret: "vonage-signature" },
  says: ["delivered", "hard", "failed", "unknown"],
  call(url, list, wrong) {
    const { kind, delivery, at } = one(list);
    const [status, code] = {
      delivered: ["delivered", "0"],
      hard: ["failed", "9"],
      failed: ["expired", "1"],
      unknown: ["buffered", "0"],
    }[kind as "delivered"] as [string, string];
    const form = {
      msisdn: "4915112345678",
      messageId: "0A0000000123ABCD1",
      status,
      "err-code": code,
      "client-ref": delivery,
      "message-timestamp": at.toISOString().slice(0, 19).replace("T", " "),
      note: "a=b&c",
    };
    return vonageCall(url, form, wrong ? "wrong" : undefined);
  },
};

/** The time of the tests' clock, in seconds: 2026-05-01T12:00:00Z. */
const NOON = "1777636800";

/** Returns a call of Vonage: receipt or inbound. */
export function vonageCall(url: string, form: Record<string, string>, secret = "vonage-signature"): Call {
  return { url, raw: JSON.stringify(signedForm(form, secret)), headers: JSON_TYPE };
}

/** Returns the address of such a call by GET, which is the default of an account. */
export function vonageGet(url: string, form: Record<string, string>, secret = "vonage-signature"): string {
  return `${url}?${new URLSearchParams(signedForm(form, secret))}`;
}

function signedForm(form: Record<string, string>, secret: string): Record<string, string> {
  const all: Record<string, string> = { timestamp: NOON, nonce: "n1", ...form };
  const text = Object.keys(all)
    .sort()
    .map((name) => `&${name}=${all[name]?.replaceAll(/[&=]/g, "_")}`)
    .join("");
  const sig = createHmac("sha256", secret).update(text).digest("hex").toUpperCase();
  return { ...all, sig };
}

export const http: Kind = {
  kind: "http",
  channel: "sms",
  settings: { url: "https://gateway.acme.test/sms" },
  secret: "signing_secret",
  credentials: { bearer_token: "b", signing_secret: SECRET },
  says: ["delivered", "hard", "soft", "failed", "unknown"],
  call(url, list, wrong) {
    const events = list.map(({ kind, delivery, at }) => ({
      id: delivery,
      type: kind === "hard" || kind === "soft" ? "bounced" : kind,
      permanent: kind === "hard",
      at: at.toISOString(),
    }));
    return httpCall(url, events, one(list).at, wrong);
  },
};

/** Returns a call of an operator's own gateway. */
export function httpCall(url: string, events: unknown, at: Date, wrong = false): Call {
  const raw = JSON.stringify({ events });
  return { url, raw, headers: standard("webhook", wrong ? OTHER : SECRET, raw, at) };
}
