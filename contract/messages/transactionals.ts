import { type Static, Type } from "typebox";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, Dictionary, Instant, JsonObject, Line, Name, Nullable, OneOf, OrderedAs } from "../primitives.ts";
import { PushedChannel } from "./outbound.ts";

/** The longest text of a template, which may contain Liquid; the content slice limits what one render may cost. */
const Text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options });
const Subject = Line(2_000, { minLength: 1, description: "Supports Liquid; at most 255 characters after rendering." });
const Sender = Line(400, { minLength: 1, examples: ["Acme <hello@acme.test>"] });

export const EmailContent = Closed({
  subject: Subject,
  preheader: Type.Optional(Line(2_000, { description: "The line that inboxes show after the subject." })),
  body: Text(524_288, { minLength: 1, description: "HTML." }),
  plaintext_body: Type.Optional(Text(524_288, { description: "Derived from the HTML by default." })),
  from: Type.Optional(Sender),
  reply_to: Type.Optional(Sender),
});
export type EmailContent = Static<typeof EmailContent>;

/** Content that comes from an email template, with the parts that replace the template's own. */
export const TemplateContent = Closed({
  template_id: Line(100, { description: "An email template: its newest version at the time of the call." }),
  subject: Type.Optional(Subject),
  preheader: Type.Optional(Line(2_000)),
  from: Type.Optional(Sender),
  reply_to: Type.Optional(Sender),
});

const PushTitle = Text(1_000, { minLength: 1 });
const PushText = Text(4_000, { minLength: 1 });
export const PushContent = Closed({
  title: PushTitle,
  message: PushText,
  image_url: Type.Optional(Line(2_000)),
  link: Type.Optional(Line(2_000)),
});
export type PushContent = Static<typeof PushContent>;

const SmsText = Text(4_000, { minLength: 1, description: "At most 1,600 characters after rendering." });
export const SmsContent = Closed({
  body: SmsText,
  to: Type.Optional(Line(200, { description: "Instead of the person's own number." })),
});
export type SmsContent = Static<typeof SmsContent>;

export const SubscriptionPreference = OneOf(["subscribed", "all"], {
  description: "`all` also includes people who unsubscribed: only for messages with a legal basis.",
});
export type SubscriptionPreference = Static<typeof SubscriptionPreference>;

/** A trigger name. It never has the form of an id, because `transactional_message_id` takes both. */
export const TriggerName = Type.Unsafe<string | null>({
  type: ["string", "null"],
  pattern: "^\\s*(?!tx_)[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\s][^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$",
  "x-says": "must have printable characters only, on one line, and must not begin with `tx_`, as ids do",
  maxLength: 200,
  examples: ["order_confirmation"],
  description:
    "Any text of 1 to 200 printable characters, unique within the workspace. It is trimmed, and must not begin with `tx_`, as ids do.",
});

export const Tracking = Closed(
  { opens: Type.Boolean(), clicks: Type.Boolean() },
  { description: "Email: what is tracked. Default: nothing." },
);
export const TopicId = Nullable(Line(100, { description: "The topic that the message belongs to." }));
const AtMostOnce = Type.Boolean({
  description:
    "For one-time codes: where a provider may have taken it and did not say so, it is never sent again, and fails as undetermined.",
});

const fields = {
  name: Name,
  trigger_name: Type.Optional(TriggerName),
  subscription_preference: SubscriptionPreference,
  topic_id: Type.Optional(TopicId),
  tracking: Type.Optional(Tracking),
  at_most_once: Type.Optional(AtMostOnce),
};

/** One schema for each channel, chosen by `channel`, so that an error names the field and not "no variant matches". */
export const contents = { email: EmailContent, push: PushContent, sms: SmsContent } as const;

/** Validated by the channel's schema in `contents`, or as the content of a template. */
const Content = Type.Unsafe<Record<string, unknown>>({ ...JsonObject, "x-shape": "Content" });

export const TransactionalInput = Closed(
  { ...fields, channel: PushedChannel, content: Content },
  { "x-variants": "channel" },
);
export type TransactionalInput = Static<typeof TransactionalInput>;

export const TransactionalPatch = Closed({
  name: Type.Optional(Name),
  trigger_name: Type.Optional(TriggerName),
  subscription_preference: Type.Optional(SubscriptionPreference),
  topic_id: Type.Optional(TopicId),
  tracking: Type.Optional(Tracking),
  at_most_once: Type.Optional(AtMostOnce),
  content: Type.Optional(Content),
});
export type TransactionalPatch = Static<typeof TransactionalPatch>;

const Warning = Type.Object({
  code: OneOf(["reaches_unsubscribed", "attribute_often_missing", "sender_missing"]),
  message: Type.String(),
  field: Type.Optional(Type.String()),
});
export type Warning = Static<typeof Warning>;

const summary = {
  id: Type.String(),
  name: Type.String(),
  trigger_name: Nullable(Type.String()),
  subscription_preference: SubscriptionPreference,
  topic_id: TopicId,
  tracking: Tracking,
  at_most_once: AtMostOnce,
  channel: PushedChannel,
  version: Type.Integer({ description: "Increases by one with each change of the content." }),
  created_at: Instant,
  updated_at: Instant,
};
export const Transactional = Type.Object({
  ...summary,
  content: OrderedAs("Content"),
  warnings: Type.Array(Warning, { description: "Problems that the author should know." }),
});
/** Transactionals without their content. */
export const TransactionalList = listing({
  item: Type.Object(summary),
  finds: "a part of the name or of the trigger name, or the beginning of the id, in any case",
  sorts: authoredSorts,
  defaultSort: "-created_at",
  facets: { channel: PushedChannel },
});

export const PreviewInput = Closed({
  person_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  person: Type.Optional(JsonObject),
  message_data: Type.Optional(JsonObject),
});
export type PreviewInput = Static<typeof PreviewInput>;
export const Preview = Type.Object({
  content: JsonObject,
  missing: Type.Array(Type.String(), { description: "Required trigger fields that are missing in the data." }),
});

/** A content that is being written, for a preview of it. */
export const DraftPreviewInput = Closed(
  { ...PreviewInput.properties, channel: PushedChannel, content: Content },
  { "x-variants": "channel" },
);
export type DraftPreviewInput = Static<typeof DraftPreviewInput>;
export const DraftPreview = Type.Object({
  ...Preview.properties,
  contract: Type.Unsafe<Record<string, unknown>>({
    ...JsonObject,
    description: "JSON Schema of the `message_data` that the content reads.",
  }),
});

/** A call from the product API, whose sessions have no secret key. */
export const SendInput = Closed({
  person_id: Type.String({ minLength: 1, maxLength: 256 }),
  message_data: Type.Optional(JsonObject),
});

const Identifiers = Closed(
  {
    id: Type.Optional(Line(256, { minLength: 1 })),
    email: Type.Optional(Line(320, { minLength: 1 })),
    phone: Type.Optional(Line(64, { minLength: 1 })),
  },
  { minProperties: 1, maxProperties: 1, description: "One of `id` (the person_id), `email` and `phone`." },
);

const Recipients = Type.Array(Line(400, { minLength: 1 }), { maxItems: 50 });

const common = {
  transactional_message_id: Type.Optional(
    Line(200, { minLength: 1, description: "Id or trigger name. Without it the call contains the content." }),
  ),
  identifiers: Identifiers,
  message_data: Type.Optional(JsonObject),
  send_at: Type.Optional(Instant),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_592_000,
      description: "Seconds after the call, or after `send_at`, after which it is no longer sent and fails.",
    }),
  ),
  disable_message_retention: Type.Optional(Type.Boolean()),
};

const raw = {
  subscription_preference: Type.Optional(
    Type.Unsafe<Static<typeof SubscriptionPreference>>({
      ...SubscriptionPreference,
      description: "For content in the call only: a transactional has its own. Default: `subscribed`.",
    }),
  ),
};

export const EmailTrigger = Closed({
  ...common,
  ...raw,
  to: Type.Optional(Line(400, { minLength: 1, description: "Sends to this address instead of the person's own." })),
  subject: Type.Optional(Subject),
  body: Type.Optional(Text(524_288, { minLength: 1 })),
  plaintext_body: Type.Optional(Text(524_288)),
  preheader: Type.Optional(Line(2_000)),
  from: Type.Optional(Sender),
  reply_to: Type.Optional(Sender),
  cc: Type.Optional(Recipients),
  bcc: Type.Optional(Recipients),
  headers: Type.Optional(
    Type.Record(Type.String({ pattern: "^[A-Za-z0-9-]{1,76}$" }), Line(900), {
      maxProperties: 50,
      additionalProperties: false,
    }),
  ),
  attachments: Type.Optional(
    Dictionary(Type.String(), { maxProperties: 50, description: "File names, each with its content in base64." }),
  ),
});
export type EmailTrigger = Static<typeof EmailTrigger>;

export const PushTrigger = Closed({
  ...common,
  to: Type.Optional(
    Line(4_096, {
      minLength: 1,
      description: "`all` devices of the person (the default), the `last_used` one, or a device token.",
    }),
  ),
  title: Type.Optional(PushTitle),
  message: Type.Optional(PushText),
  image_url: Type.Optional(Line(2_000)),
  link: Type.Optional(Line(2_000)),
  custom_data: Type.Optional(JsonObject),
});
export type PushTrigger = Static<typeof PushTrigger>;

export const SmsTrigger = Closed({
  ...common,
  ...raw,
  to: Type.Optional(Line(64, { minLength: 1, description: "Sends to this number instead of the person's own." })),
  body: Type.Optional(SmsText),
});
export type SmsTrigger = Static<typeof SmsTrigger>;

export const BatchTrigger = Closed({
  items: Type.Array(Type.Unsafe<BatchItem>({ ...JsonObject, "x-shape": "TriggerItem" }), {
    minItems: 1,
    maxItems: 100,
    description: "Each item is the body of a trigger call, with its `channel`: email, push or sms.",
  }),
});
/** An item of a batch before its validation. */
export type BatchItem = Record<string, unknown>;

export const Triggered = Type.Object({
  delivery_id: Type.String(),
  person_id: Type.String(),
  status: OneOf(["queued", "suppressed", "failed"], {
    description: "`failed`: it can't be sent and `reason` says why, e.g. no provider serves the device of a push.",
  }),
  reason: Type.Optional(Type.String()),
  queued_at: Instant,
});
export type Triggered = Static<typeof Triggered>;

export const BatchResult = Type.Object({
  status: Type.Integer({
    description: "The status that a single call would get: 202, or the status of its problem.",
  }),
  delivery_id: Type.Optional(Type.String()),
  person_id: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  queued_at: Type.Optional(Instant),
  suppressed: Type.Optional(Type.Boolean({ description: "True if the delivery is suppressed, not queued." })),
  code: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(JsonObject)),
});
export type BatchResult = Static<typeof BatchResult>;
export const BatchTriggered = Type.Object({ results: Type.Array(BatchResult) });
