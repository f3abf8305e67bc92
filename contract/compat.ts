import { type Static, Type } from "typebox";
import { Dictionary, JsonObject, Line, Nullable, OneOf, Open, PersonId } from "./primitives.ts";

// The requests of other products' clients, as far as we read them, and our answers. Unknown fields are ignored.

/** Ids that Customer.io accepts as numbers too. */
const Id = Type.Union([Type.String(), Type.Number()]);
const UnixSeconds = Type.Number({ minimum: 0, maximum: 253_402_300_799 });

/** Customer.io's answer to every call that has no answer of its own. */
export const CustomerioDone = Type.Object({});
export const CustomerioError = Type.Object({
  meta: Type.Object({ error: Type.String({ description: "What is wrong, and how to correct it." }) }),
});

export const CustomerioIdentifiers = Open(
  { id: Type.Optional(Id), email: Type.Optional(Type.String()), cio_id: Type.Optional(Type.String()) },
  { description: "One of them; `id` wins over `cio_id`, and that over `email`." },
);
export type CustomerioIdentifiers = Static<typeof CustomerioIdentifiers>;

const sendFields = {
  identifiers: CustomerioIdentifiers,
  transactional_message_id: Type.Optional(Id),
  message_data: Type.Optional(JsonObject),
  to: Type.Optional(Type.String()),
  send_at: Type.Optional(UnixSeconds),
  disable_message_retention: Type.Optional(Type.Boolean()),
  queue_draft: Type.Optional(Type.Boolean()),
};
const text = Type.Optional(Type.String());
const Addresses = Type.Optional(
  Type.Union([Type.String({ maxLength: 25_000 }), Type.Array(Type.String(), { maxItems: 50 })]),
);

export const CustomerioEmail = Open({
  ...sendFields,
  subject: text,
  body: text,
  body_plain: text,
  plaintext_body: text,
  preheader: text,
  from: text,
  reply_to: text,
  cc: Addresses,
  bcc: Addresses,
  headers: Type.Optional(JsonObject),
  attachments: Type.Optional(Dictionary(Type.String())),
});
export type CustomerioEmail = Static<typeof CustomerioEmail>;

export const CustomerioPush = Open({
  ...sendFields,
  title: text,
  message: text,
  image_url: text,
  link: text,
  custom_data: Type.Optional(JsonObject),
});
export type CustomerioPush = Static<typeof CustomerioPush>;

export const CustomerioSms = Open({ ...sendFields, body: text });
export type CustomerioSms = Static<typeof CustomerioSms>;

export const CustomerioSent = Type.Object({
  delivery_id: Type.String(),
  queued_at: Type.Integer({ description: "Unix seconds." }),
});

/** The person in a path: a person_id, an email address, or `cio_` and the person key. */
export const CustomerioPath = Type.Object({ id: PersonId });
export const CustomerioDevicePath = Type.Object({ id: PersonId, "*": Line(4096, { minLength: 1 }) });

export const CustomerioSearch = Open({ email: Line(320) });
export const CustomerioAttributesQuery = Open({ id_type: Type.Optional(OneOf(["id", "email", "cio_id"])) });
export const CustomerioFound = Type.Object({
  results: Type.Array(Type.Object({ email: Nullable(Type.String()), id: Type.String(), cio_id: Type.String() })),
});
export const CustomerioPerson = Type.Object({
  customer: Type.Object({
    id: Type.String(),
    identifiers: Type.Object({ id: Type.String(), email: Nullable(Type.String()), cio_id: Type.String() }),
    attributes: JsonObject,
    timestamps: Dictionary(Type.Integer(), { description: "When each attribute was set, in Unix seconds." }),
    unsubscribed: Type.Boolean(),
    devices: Type.Array(Type.Object({ id: Type.String(), platform: Type.String(), last_used: Type.Integer() })),
  }),
});
export const CustomerioRegion = Type.Object({
  url: Type.String(),
  region: Type.String(),
  environment_id: Type.Integer(),
});

/** The attributes of an identify, at the top of the body. */
export const CustomerioAttributes = JsonObject;

export const CustomerioEvent = Open({
  name: Line(200, { minLength: 1 }),
  type: Type.Optional(Type.String()),
  data: Type.Optional(JsonObject),
  timestamp: Type.Optional(UnixSeconds),
  id: Type.Optional(Line(200, { minLength: 1 })),
});
export type CustomerioEvent = Static<typeof CustomerioEvent>;

export const CustomerioDevice = Open({
  device: Open({ id: Type.String(), platform: Type.String(), attributes: Type.Optional(JsonObject) }),
});
export type CustomerioDevice = Static<typeof CustomerioDevice>;

export const CustomerioMerge = Open({ primary: CustomerioIdentifiers, secondary: CustomerioIdentifiers });

/** One operation of the second version of their track API. */
export const CustomerioOperation = Open({
  type: Type.String(),
  action: Type.String(),
  identifiers: Type.Optional(CustomerioIdentifiers),
  // For a merge: the person who stays, and the one who is merged into them.
  primary: Type.Optional(CustomerioIdentifiers),
  secondary: Type.Optional(CustomerioIdentifiers),
  attributes: Type.Optional(JsonObject),
  device: Type.Optional(Open({ token: text, id: text, platform: text, attributes: Type.Optional(JsonObject) })),
  name: text,
  id: text,
  timestamp: Type.Optional(UnixSeconds),
});
export type CustomerioOperation = Static<typeof CustomerioOperation>;
export const CustomerioBatch = Open({ batch: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 1000 }) });
export const CustomerioBatchErrors = Type.Object({
  errors: Type.Array(
    Type.Object({
      batch_index: Type.Integer(),
      reason: Type.String(),
      field: Type.String(),
      message: Type.String(),
    }),
  ),
});

/** A Segment batch. Segment allows 500 KB, about 2,500 small messages. Messages are validated one by one: a bad one does not affect the others. */
export const SegmentBatch = Open({
  batch: Type.Array(Type.Unknown(), { maxItems: 2_500 }),
  sentAt: Type.Optional(Type.Unknown()),
});
export const SegmentMessage = Open({ sentAt: Type.Optional(Type.Unknown()) });
export const SegmentTaken = Type.Object({ success: Type.Literal(true) });
export const SegmentError = Type.Object({
  success: Type.Literal(false),
  code: Type.String({ description: "An error code, as on the routes of Tidings." }),
  message: Type.String(),
});
/** Settings of the browser's client. We set only the part that says where to send. */
export const SegmentSettings = JsonObject;
export const SegmentSettingsPath = Type.Object({ key: Type.String({ pattern: "^tid_pub_[A-Za-z0-9_-]{1,100}$" }) });

/** A device's report about a push. */
export const CustomerioPushEvent = Open({
  delivery_id: Type.String({ maxLength: 200 }),
  event: Type.String({ maxLength: 100 }),
  device_id: Type.Optional(Type.String({ maxLength: 4_096, description: "The token of the device that reports." })),
  timestamp: Type.Optional(UnixSeconds),
});
/** A report about a delivery of any channel. */
export const CustomerioMetric = Open({
  delivery_id: Type.String({ maxLength: 200 }),
  metric: Type.String({ maxLength: 100 }),
  timestamp: Type.Optional(UnixSeconds),
  recipient: Type.Optional(Line(400)),
  reason: Type.Optional(Line(1_000)),
  href: Type.Optional(Line(2_000)),
});
export const CustomerioUnsubscribe = Open({ unsubscribe: Type.Optional(Type.Boolean()) });
