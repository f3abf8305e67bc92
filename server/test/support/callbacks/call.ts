import { createHash, createHmac } from "node:crypto";

// Callbacks in the shapes that the providers document, signed as the providers sign, with the tests' own keys.

/** The event, in the words of Tidings. */
export interface ReportedEvent {
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
  /** The events that this kind can report. */
  says: ReportedEvent["kind"][];
  /** @param key a wrong one creates a call that must be refused */
  call(base: string, events: ReportedEvent[], wrong?: boolean): Call;
}

export const JSON_TYPE = { "content-type": "application/json" };
export const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
export const one = (list: ReportedEvent[]): ReportedEvent => list[0] as ReportedEvent;

/** Standard Webhooks 1.0. */
export function standard(prefix: string, secret: string, raw: string, at: Date): Record<string, string> {
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

export const SECRET = `whsec_${Buffer.from("thirty-two bytes of a shared key").toString("base64")}`;
export const OTHER = `whsec_${Buffer.from("thirty-two bytes of another keys").toString("base64")}`;
