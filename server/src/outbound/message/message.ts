import type { PushedChannel } from "@tidings/contract/messages/outbound";

/** A rendered email as it is kept with its delivery. Addresses are texts that `mailbox` accepted. */
export interface EmailMessage {
  from: string | null;
  reply_to?: string;
  cc?: string[];
  bcc?: string[];
  subject: string;
  preheader?: string;
  /** The email template that it was made of, and its version at that time. */
  template_id?: string;
  template_version?: number;
  body: string;
  plaintext_body?: string;
  headers?: Record<string, string>;
  /** What is tracked, see tracking/links.ts. */
  tracking?: { opens: boolean; clicks: boolean };
  /** Base64 of each file; cut from the row once it is sent. */
  attachments?: { name: string; base64: string }[];
  attachment_names?: string[];
}

/** A rendered push as it is kept with its delivery. */
export interface PushMessage {
  title: string;
  message: string;
  image_url?: string;
  link?: string;
  custom_data?: Record<string, unknown>;
}

/** A rendered text message as it is kept with its delivery. `segments` is what the operator will count. */
export interface SmsMessage {
  body: string;
  segments: number;
}

/** What each channel keeps of a message. */
export interface Contents {
  email: EmailMessage;
  push: PushMessage;
  sms: SmsMessage;
}
export type Content = Contents[PushedChannel];

/** One message to one person, to be queued. The same shape whatever sends it: a trigger, a broadcast or a campaign. */
export interface Message {
  workspaceId: string;
  personKey: string;
  deliveryId: string;
  channel: PushedChannel;
  source: "transactional" | "broadcast" | "campaign" | "test";
  sourceId: string | null;
  /** Of a source that sends several, which of them this is. */
  variant?: string | null;
  /** An address, a number in E.164; push: `all`, `last_used` or a device's token. */
  recipient: string | null;
  content: Content;
  /** `failed`: it could not be made for this person, as `reason` says. */
  status: "queued" | "suppressed" | "failed";
  reason?: string;
  queuedAt: Date;
  /** Undefined: at once. */
  dueAt?: Date;
  /** How long after it is due it may be handed over; undefined: for as long as it is repeated. */
  expiresInMs?: number;
  retainContent: boolean;
  /** For the log of its queueing. */
  note?: Record<string, unknown>;
  /** Never handed over again by itself where a provider may have it. */
  atMostOnce?: boolean;
  /** It respects what the person subscribed to, and belongs to a topic or to none. Asked again before what waited is sent. */
  respects?: { topicId: string | null } | undefined;
}

/** A delivery on its way: claimed, fenced by its lease, with everything that sending needs. */
export interface Job {
  workspaceId: string;
  personKey: string;
  deliveryId: string;
  channel: PushedChannel;
  recipient: string;
  /** One of many, see lane.ts. */
  bulk: boolean;
  /** Null where it is too big to be claimed in a batch: loaded when its turn comes. */
  content: Content | null;
  attempts: number;
  leaseId: string;
  atMostOnce: boolean;
  /** False: what it says is not to be kept anywhere once it is sent. */
  retainContent?: boolean;
  respects?: Message["respects"];
  /** For the log of the attempt. */
  note?: Record<string, unknown>;
  /** Time of performance.now() from which it is not handed over any more. */
  expiresBy?: number;
  /** It has waited for longer than all repeats of a delivery take together. */
  overdue: boolean;
  /** A process that is gone had begun to hand it over, and it may not be repeated. */
  undetermined: boolean;
}

/** A content as JSON, in pieces. Its files are put in as they are: base64 needs no escapes, and to look for some in 20 MiB takes 60 ms. */
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
