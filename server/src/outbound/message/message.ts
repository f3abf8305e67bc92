import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { StepOrigin } from "../../activity/index.ts";

/** A rendered email as it is stored with its delivery. Addresses are texts that `mailbox` accepted. */
export interface EmailMessage {
  from: string | null;
  reply_to?: string;
  cc?: string[];
  bcc?: string[];
  subject: string;
  preheader?: string;
  /** The email template that it was rendered from, and its version at that time. */
  template_id?: string;
  template_version?: number;
  body: string;
  plaintext_body?: string;
  headers?: Record<string, string>;
  /** What is tracked, see tracking/links.ts. */
  tracking?: { opens: boolean; clicks: boolean };
  /** Each file in base64; deleted from the row once the email is sent. */
  attachments?: { name: string; base64: string }[];
  attachment_names?: string[];
}

/** A rendered push as it is stored with its delivery. */
export interface PushMessage {
  title: string;
  message: string;
  image_url?: string;
  link?: string;
  custom_data?: Record<string, unknown>;
}

/** A rendered text message as it is stored with its delivery. `segments` is the number that the network operator will count. */
export interface SmsMessage {
  body: string;
  segments: number;
}

/** The stored content of each channel. */
export interface Contents {
  email: EmailMessage;
  push: PushMessage;
  sms: SmsMessage;
}
export type Content = Contents[PushedChannel];

/** One message to one person, to be queued. A trigger, a broadcast and a campaign all use this shape. */
export interface Message {
  workspaceId: string;
  personKey: string;
  deliveryId: string;
  channel: PushedChannel;
  source: "transactional" | "broadcast" | "campaign" | "test";
  sourceId: string | null;
  step?: StepOrigin;
  /** The variant of the source's message, where it has several. */
  variant?: string | null;
  /** An address, a number in E.164; push: `all`, `last_used` or a device's token. */
  recipient: string | null;
  content: Content;
  /** `failed`: it could not be composed for this person; `reason` says why. */
  status: "queued" | "suppressed" | "failed";
  reason?: string;
  queuedAt: Date;
  /** Undefined: it is due at once. */
  dueAt?: Date;
  /** For how long after its due time it may be handed over; undefined: for as long as it is repeated. */
  expiresInMs?: number;
  retainContent: boolean;
  /** Added to the log entry of its queueing. */
  note?: Record<string, unknown>;
  /** Never repeated automatically once a provider may have it. */
  atMostOnce?: boolean;
  topicId?: string | null;
  /** It respects the person's subscription, which is checked again before a message that waited is sent. */
  respects?: boolean;
}

/** A claimed delivery, fenced by its lease, with everything that sending needs. */
export interface Job {
  workspaceId: string;
  personKey: string;
  deliveryId: string;
  channel: PushedChannel;
  recipient: string;
  /** One of many, see lane.ts. */
  bulk: boolean;
  /** Null where it is too big for a claim: it is loaded when the delivery's turn comes. */
  content: Content | null;
  attempts: number;
  leaseId: string;
  atMostOnce: boolean;
  /** False: its content must not be kept anywhere once it is sent. */
  retainContent?: boolean;
  /** It respects the person's subscription, and belongs to this topic or to none. */
  respects?: { topicId: string | null };
  /** Added to the log entry of the attempt. */
  note?: Record<string, unknown>;
  /** Time of performance.now() from which it must not be handed over any more. */
  expiresBy?: number;
  /** It has waited for longer than all repeats of a delivery take together. */
  overdue: boolean;
  /** A process that died had begun to hand it over, and it must not be repeated. */
  undetermined: boolean;
}

/** Returns a content as JSON, in pieces. Files are inserted as they are: base64 needs no escapes, and a search for them in 20 MiB takes 60 ms. */
export function jsonOf(content: Content): string | string[] {
  if (!("attachments" in content) || !content.attachments) return JSON.stringify(content);
  const { attachments, ...rest } = content;
  const files = attachments.flatMap(({ name, base64 }, i) => [
    `${i === 0 ? "" : ","}{"name":${JSON.stringify(name)},"base64":"`,
    base64,
    '"}',
  ]);
  return [`${JSON.stringify(rest).slice(0, -1)},"attachments":[`, ...files, "]}"];
}

/** Returns a text of unknown origin as PostgreSQL accepts it: on one line of at most 300 characters, without NUL and half surrogate pairs. */
export const logText = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .slice(0, 300)
    .toWellFormed();
