// The fields have the names that they have on the wire; the service's OpenAPI document describes each of them.

/** An ISO 8601 time, or a Date. */
export type Instant = string | Date;

/** Names a person: exactly one of `id` (the person_id), `email` and `phone`. */
export type Identifiers =
  | { id: string; email?: never; phone?: never }
  | { id?: never; email: string; phone?: never }
  | { id?: never; email?: never; phone: string };

/** One email to one person: from a saved transactional (`transactional_message_id`), or with its content in the call. */
export interface EmailTrigger {
  /** Id or trigger name. Without it `subject` and `body` are the content. */
  transactional_message_id?: string;
  identifiers: Identifiers;
  /** Values that the content reads as `{{trigger.field}}`. */
  message_data?: Record<string, unknown>;
  /** Send to this address instead of the person's own. */
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
  /** File names, each with its content as bytes or as base64. */
  attachments?: Record<string, string | Uint8Array>;
  /** For content in the call: `subscribed` (the default) leaves out a person who unsubscribed, `all` does not. */
  subscription_preference?: "subscribed" | "all";
  /** When to send it: at most 30 days from now. */
  send_at?: Instant;
  /** Seconds after which it is no longer sent, for example the lifetime of a login code. */
  expires_in?: number;
  /** Don't keep the rendered content after sending. */
  disable_message_retention?: boolean;
}

/** One push to one person, from a saved transactional. */
export interface PushTrigger {
  /** Id or trigger name. */
  transactional_message_id?: string;
  identifiers: Identifiers;
  /** Values that the content reads as `{{trigger.field}}`. */
  message_data?: Record<string, unknown>;
  /** `all` devices of the person (the default), the `last_used` one, or a device token. */
  to?: string;
  title?: string;
  message?: string;
  image_url?: string;
  link?: string;
  /** Data that the application gets with the push. */
  custom_data?: Record<string, unknown>;
  /** When to send it: at most 30 days from now. */
  send_at?: Instant;
  /** Seconds after which it is no longer sent, for example the lifetime of a login code. */
  expires_in?: number;
  /** Don't keep the rendered content after sending. */
  disable_message_retention?: boolean;
}

/** One text message to one person: from a saved transactional, or with its content in the call. */
export interface SmsTrigger {
  /** Id or trigger name. Without it `body` is the content. */
  transactional_message_id?: string;
  identifiers: Identifiers;
  /** Values that the content reads as `{{trigger.field}}`. */
  message_data?: Record<string, unknown>;
  /** Send to this number instead of the person's own. */
  to?: string;
  body?: string;
  /** For content in the call: `subscribed` (the default) leaves out a person who unsubscribed, `all` does not. */
  subscription_preference?: "subscribed" | "all";
  /** When to send it: at most 30 days from now. */
  send_at?: Instant;
  /** Seconds after which it is no longer sent, for example the lifetime of a login code. */
  expires_in?: number;
  /** Don't keep the rendered content after sending. */
  disable_message_retention?: boolean;
}

/** One item of `trigger.batch`: the trigger of its channel, with the channel's name. */
export type BatchTriggerItem =
  | ({ channel: "email" } & EmailTrigger)
  | ({ channel: "push" } & PushTrigger)
  | ({ channel: "sms" } & SmsTrigger);

/** The result of one item of `trigger.batch`. `status` is 202, or the HTTP status of the problem in `code`, `detail` and `errors`. */
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
  /** `failed`: it can't be sent and `reason` says why, e.g. no provider serves the device of a push. */
  status: "queued" | "suppressed" | "failed";
  /** Why it is suppressed or failed. */
  reason?: string;
  queued_at: string;
}

export interface Identify {
  person_id: string;
  /**
   * Merged into the person's attributes; null removes one. `email`, `phone`, `timezone`, `locale` and `subscribed` have a
   * meaning of their own.
   */
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
  /** Events with the same id within 7 days count once. Made for you where it is left out, so that a retry does not count twice. */
  event_id?: string;
}

export interface Tracked {
  event_id?: string;
  /** False for a repeat, and for a `screen_view`. */
  recorded: boolean;
  screen?: { name: string; accepted: boolean; reason?: "empty" | "too_long" | "technical_name" | "too_many" };
}

export type BatchItem = ({ type: "identify" } & Identify) | ({ type: "track" } & Track);

/** The result of one item of a batch. The results are in the order of the items. */
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
