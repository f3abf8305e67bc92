// What goes over the wire is named as it is there; the service's OpenAPI document tells the rest.

/** An ISO 8601 time, or a Date. */
export type Instant = string | Date;

/** Exactly one of the three. */
export type Identifiers =
  | { id: string; email?: never; phone?: never }
  | { id?: never; email: string; phone?: never }
  | { id?: never; email?: never; phone: string };

/** One email to one person: of a saved transactional (`transactional_message_id`), or with its content in the call. */
export interface EmailTrigger {
  /** Id or trigger name. Without it `subject` and `body` are the content. */
  transactional_message_id?: string;
  identifiers: Identifiers;
  /** `{{trigger.field}}` in the content. */
  message_data?: Record<string, unknown>;
  /** Address instead of the person's own. */
  to?: string;
  subject?: string;
  /** HTML. */
  body?: string;
  plaintext_body?: string;
  preheader?: string;
  from?: string;
  reply_to?: string;
  cc?: string[];
  bcc?: string[];
  headers?: Record<string, string>;
  /** File name to bytes, or to base64. */
  attachments?: Record<string, string | Uint8Array>;
  /** Whom it reaches where the content stands in the call: those who are subscribed (where it is left out), or all. */
  subscription_preference?: "subscribed" | "all";
  /** Up to 30 days ahead. */
  send_at?: Instant;
  /** Seconds after which it is not sent any more: a code that is void by then. */
  expires_in?: number;
  /** The rendered content is not kept after sending. */
  disable_message_retention?: boolean;
}

/** One push to one person, of a saved transactional. */
export interface PushTrigger {
  /** Id or trigger name. */
  transactional_message_id?: string;
  identifiers: Identifiers;
  /** `{{trigger.field}}` in the content. */
  message_data?: Record<string, unknown>;
  /** `all` devices of the person (where it is left out), the one `last_used`, or a device token. */
  to?: string;
  title?: string;
  message?: string;
  image_url?: string;
  link?: string;
  /** For the application. */
  custom_data?: Record<string, unknown>;
  /** Up to 30 days ahead. */
  send_at?: Instant;
  /** Seconds after which it is not sent any more: a code that is void by then. */
  expires_in?: number;
  /** The rendered content is not kept after sending. */
  disable_message_retention?: boolean;
}

/** One text message to one person: of a saved transactional, or with its content in the call. */
export interface SmsTrigger {
  /** Id or trigger name. Without it `body` is the content. */
  transactional_message_id?: string;
  identifiers: Identifiers;
  /** `{{trigger.field}}` in the content. */
  message_data?: Record<string, unknown>;
  /** Number instead of the person's own. */
  to?: string;
  body?: string;
  /** Whom it reaches where the content stands in the call: those who are subscribed (where it is left out), or all. */
  subscription_preference?: "subscribed" | "all";
  /** Up to 30 days ahead. */
  send_at?: Instant;
  /** Seconds after which it is not sent any more: a code that is void by then. */
  expires_in?: number;
  /** The rendered content is not kept after sending. */
  disable_message_retention?: boolean;
}

/** A call of a batch: that of its channel, with the channel's name. */
export type BatchTriggerItem =
  | ({ channel: "email" } & EmailTrigger)
  | ({ channel: "push" } & PushTrigger)
  | ({ channel: "sms" } & SmsTrigger);

/** What became of one call of a batch. `status` is 202, or that of the problem that `code`, `detail` and `errors` tell of. */
export interface TriggerResult {
  status: number;
  delivery_id?: string;
  person_id?: string;
  suppressed?: boolean;
  reason?: string;
  queued_at?: string;
  code?: string;
  detail?: string;
  errors?: { pointer?: string; parameter?: string; message?: string }[];
}

export interface Triggered {
  delivery_id: string;
  person_id: string;
  /** `failed`: it can't be sent, as `reason` says: a push that no provider takes to the device. */
  status: "queued" | "suppressed" | "failed";
  /** Why it is suppressed. */
  reason?: string;
  queued_at: string;
}

export interface Identify {
  person_id: string;
  /** Merged into what is known; null removes. `email`, `phone`, `timezone`, `locale` and `subscribed` are known by name. */
  attributes?: Record<string, unknown>;
  ts?: Instant;
}

export interface Identified {
  person_id: string;
  created: boolean;
}

export interface Track {
  person_id: string;
  /** `screen_view` goes to the screen catalog only. */
  eventName: string;
  properties?: Record<string, unknown>;
  ts?: Instant;
  /** Counts once within 7 days. Made where it is left out, so that a retry does not count twice. */
  event_id?: string;
}

export interface Tracked {
  event_id?: string;
  /** False for a repeat, and for a `screen_view`. */
  recorded: boolean;
  screen?: { name: string; accepted: boolean; reason?: "empty" | "too_long" | "technical_name" | "too_many" };
}

export type BatchItem = ({ type: "identify" } & Identify) | ({ type: "track" } & Track);

/** What became of one item, in the order of the items. */
export interface BatchResult {
  status: number;
  code?: string;
}

export type Device = { person_id: string; app_version?: string } & (
  | { platform: "ios" | "android"; token: string }
  | { platform: "web"; token: string }
  | { platform: "web"; subscription: { endpoint: string; keys: { p256dh: string; auth: string } } }
);

export interface DeviceRemoval {
  person_id: string;
  token: string;
}
