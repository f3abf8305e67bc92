import { createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { JSON_TYPE, type Kind, OTHER, one, type ReportedEvent, SECRET, seconds, standard } from "./call.ts";

const EMAIL: ReportedEvent["kind"][] = ["delivered", "hard", "soft", "complained", "opened", "clicked", "unknown"];

const sendgridKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });
const otherKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });

export const sendgrid: Kind = {
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
    const events = list.map((event, i) => ({
      email: event.to ?? "ada@example.test",
      timestamp: seconds(event.at),
      sg_event_id: `event-${event.delivery}-${event.kind}-${i}`,
      sg_message_id: "filter0001.16648.5515E0B88.0",
      delivery_id: event.delivery,
      ...names[event.kind],
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

export const postmark: Kind = {
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

export const mailgun: Kind = {
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

export const resend: Kind = {
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
