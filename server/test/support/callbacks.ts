import { createHash, createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

// Callbacks in the shapes that the providers document, signed as they sign, with keys of the test's own.

/** What is said, in our words. */
export interface Said {
  kind:
    | "delivered"
    | "hard"
    | "soft"
    | "complained"
    | "failed"
    | "opened"
    | "machine"
    | "clicked"
    | "unsubscribed"
    | "unknown";
  /** TypeID of the delivery. */
  delivery: string;
  at: Date;
  to?: string;
}

export interface Call {
  url: string;
  raw: string;
  headers: Record<string, string>;
}

export interface Kind {
  kind: string;
  channel: "email" | "sms";
  settings: Record<string, unknown>;
  credentials: Record<string, string>;
  /** The field without which callbacks are refused. */
  secret?: string;
  /** What this kind can say. */
  says: Said["kind"][];
  /** @param key a wrong one makes a call that must be refused */
  call(base: string, said: Said[], wrong?: boolean): Call;
}

const JSON_TYPE = { "content-type": "application/json" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
const EMAIL: Said["kind"][] = ["delivered", "hard", "soft", "complained", "opened", "clicked", "unknown"];

const sendgridKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });
const otherKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });

const sendgrid: Kind = {
  kind: "sendgrid",
  channel: "email",
  settings: {},
  secret: "webhook_public_key",
  credentials: {
    api_key: "SG.key",
    webhook_public_key: sendgridKeys.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  },
  says: [...EMAIL, "machine", "failed", "unsubscribed"],
  call(url, list, wrong) {
    const names = {
      delivered: { event: "delivered", response: "250 OK" },
      hard: { event: "bounce", type: "bounce", status: "5.1.1", reason: "550 5.1.1 no such user" },
      soft: { event: "bounce", type: "blocked", status: "4.0.0", reason: "blocked for now" },
      complained: { event: "spamreport" },
      failed: { event: "dropped", reason: "Bounced Address" },
      opened: { event: "open", useragent: "Mozilla/5.0", sg_machine_open: false },
      machine: { event: "open", useragent: "Mozilla/5.0", sg_machine_open: true },
      clicked: { event: "click", url: "https://acme.test/a" },
      unsubscribed: { event: "unsubscribe" },
      unknown: { event: "processed" },
    };
    const events = list.map((said, i) => ({
      email: said.to ?? "ada@example.test",
      timestamp: seconds(said.at),
      sg_event_id: `event-${said.delivery}-${said.kind}-${i}`,
      sg_message_id: "filter0001.16648.5515E0B88.0",
      delivery_id: said.delivery,
      ...names[said.kind],
    }));
    const raw = JSON.stringify(events);
    const timestamp = String(seconds(list[0]?.at ?? new Date()));
    const key: KeyObject = (wrong ? otherKeys : sendgridKeys).privateKey;
    const signature = createSign("sha256")
      .update(timestamp + raw)
      .sign(key, "base64");
    const prefix = "x-twilio-email-event-webhook";
    return {
      url,
      raw,
      headers: { ...JSON_TYPE, [`${prefix}-signature`]: signature, [`${prefix}-timestamp`]: timestamp },
    };
  },
};

const one = (list: Said[]): Said => list[0] as Said;

const postmark: Kind = {
  kind: "postmark",
  channel: "email",
  settings: {},
  secret: "webhook_password",
  credentials: { server_token: "token", webhook_password: "pa:ss word" },
  says: [...EMAIL, "unsubscribed"],
  call(url, list, wrong) {
    const { kind, delivery, at, to = "ada@example.test" } = one(list);
    const time = at.toISOString();
    const shapes = {
      delivered: { RecordType: "Delivery", DeliveredAt: time, Recipient: to, Details: "250 OK" },
      hard: {
        RecordType: "Bounce",
        Type: "HardBounce",
        TypeCode: 1,
        BouncedAt: time,
        Email: to,
        Description: "no such user",
      },
      soft: {
        RecordType: "Bounce",
        Type: "SoftBounce",
        TypeCode: 4096,
        BouncedAt: time,
        Email: to,
        Description: "full",
      },
      complained: { RecordType: "SpamComplaint", Type: "SpamComplaint", BouncedAt: time, Email: to },
      opened: { RecordType: "Open", FirstOpen: true, ReceivedAt: time, Recipient: to },
      clicked: { RecordType: "Click", ReceivedAt: time, Recipient: to, OriginalLink: "https://acme.test/a" },
      unsubscribed: {
        RecordType: "SubscriptionChange",
        ChangedAt: time,
        Recipient: to,
        Origin: "Recipient",
        SuppressSending: true,
        SuppressionReason: "ManualSuppression",
      },
      failed: {},
      machine: {},
      unknown: { RecordType: "Inbound" },
    };
    const raw = JSON.stringify({ MessageID: "883953f4", Metadata: { delivery_id: delivery }, ...shapes[kind] });
    const pair = Buffer.from(`tidings:${wrong ? "wrong" : "pa:ss word"}`).toString("base64");
    return { url, raw, headers: { ...JSON_TYPE, authorization: `Basic ${pair}` } };
  },
};

const mailgun: Kind = {
  kind: "mailgun",
  channel: "email",
  settings: { domain: "mg.acme.test" },
  secret: "webhook_signing_key",
  credentials: { api_key: "key-1", webhook_signing_key: "signing-key-1" },
  says: [...EMAIL, "machine", "failed", "unsubscribed"],
  call(url, list, wrong) {
    const { kind, delivery, at, to = "ada@example.test" } = one(list);
    const names = {
      delivered: { event: "delivered" },
      hard: {
        event: "failed",
        severity: "permanent",
        reason: "bounce",
        "delivery-status": { code: 550, message: "no such user" },
      },
      soft: { event: "failed", severity: "temporary", reason: "generic", "delivery-status": { code: 451 } },
      complained: { event: "complained" },
      failed: { event: "failed", severity: "permanent", reason: "old" },
      opened: { event: "opened", "client-info": { "client-type": "browser", bot: "" } },
      machine: { event: "opened", "client-info": { "client-type": "browser", bot: "apple" } },
      clicked: { event: "clicked", url: "https://acme.test/a", "client-info": {} },
      unsubscribed: { event: "unsubscribed" },
      unknown: { event: "accepted" },
    };
    const timestamp = String(seconds(at));
    const token = "f".repeat(50);
    const key = wrong ? "wrong-key" : "signing-key-1";
    const signature = createHmac("sha256", key)
      .update(timestamp + token)
      .digest("hex");
    const event = {
      id: `id-${delivery}-${kind}`,
      timestamp: at.getTime() / 1_000,
      recipient: to,
      "user-variables": { delivery_id: delivery },
      ...names[kind],
    };
    return {
      url,
      raw: JSON.stringify({ signature: { timestamp, token, signature }, "event-data": event }),
      headers: JSON_TYPE,
    };
  },
};

/** Standard Webhooks 1.0. */
function standard(prefix: string, secret: string, raw: string, at: Date): Record<string, string> {
  const id = `msg_${createHash("sha256").update(raw).digest("hex").slice(0, 20)}`;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key)
    .update(`${id}.${seconds(at)}.${raw}`)
    .digest("base64");
  return {
    ...JSON_TYPE,
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(seconds(at)),
    [`${prefix}-signature`]: `v1,${signature}`,
  };
}

const SECRET = `whsec_${Buffer.from("thirty-two bytes of a shared key").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("thirty-two bytes of another keys").toString("base64")}`;

const resend: Kind = {
  kind: "resend",
  channel: "email",
  settings: {},
  secret: "webhook_secret",
  credentials: { api_key: "re_1", webhook_secret: SECRET },
  says: [...EMAIL, "failed"],
  call(url, list, wrong) {
    const { kind, delivery, at, to = "ada@example.test" } = one(list);
    const bounce = (type: string) => ({ bounce: { type, subType: "General", message: "no such user" } });
    const [type, extra = {}]: [string, object?] = {
      delivered: ["email.delivered"],
      hard: ["email.bounced", bounce("Permanent")],
      soft: ["email.bounced", bounce("Transient")],
      complained: ["email.complained"],
      failed: ["email.failed", { failed: { reason: "reached_daily_quota" } }],
      opened: ["email.opened"],
      clicked: ["email.clicked", { click: { link: "https://acme.test/a", timestamp: at.toISOString() } }],
      unsubscribed: ["email.unknown"],
      machine: ["email.unknown"],
      unknown: ["contact.created"],
    }[kind] as [string, object?];
    const data = { email_id: "56761188", to: [to], tags: { delivery_id: delivery }, ...extra };
    const raw = JSON.stringify({ type, created_at: at.toISOString(), data });
    return { url, raw, headers: standard("svix", wrong ? OTHER : SECRET, raw, at) };
  },
};

const twilio: Kind = {
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

/** Any call of Twilio's: status or inbound. */
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

const vonage: Kind = {
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

/** Any call of Vonage's: receipt or inbound. */
export function vonageCall(url: string, form: Record<string, string>, secret = "vonage-signature"): Call {
  const all: Record<string, string> = { ...form, timestamp: "1760000000", nonce: "n1" };
  const text = Object.keys(all)
    .sort()
    .map((name) => `&${name}=${all[name]?.replaceAll(/[&=]/g, "_")}`)
    .join("");
  const sig = createHmac("sha256", secret).update(text).digest("hex").toUpperCase();
  return { url, raw: JSON.stringify({ ...all, sig }), headers: JSON_TYPE };
}

const http: Kind = {
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

/** Any call of a gateway's own. */
export function httpCall(url: string, events: unknown, at: Date, wrong = false): Call {
  const raw = JSON.stringify({ events });
  return { url, raw, headers: standard("webhook", wrong ? OTHER : SECRET, raw, at) };
}

/** All kinds but Amazon's, whose certificate comes from Amazon. */
export const kinds: Kind[] = [sendgrid, postmark, mailgun, resend, twilio, vonage, http];
