import { type Static, Type } from "typebox";
import {
  Closed,
  Duration,
  Instant,
  JsonObject,
  Line,
  ListOf,
  ListQuery,
  Name,
  Nullable,
  OneOf,
  Open,
  PersonId,
} from "./primitives.ts";
import { ClockTime } from "./workspaces.ts";

export const RenderType = OneOf(["modal", "banner", "inline", "inbox_card"]);
export type RenderType = Static<typeof RenderType>;

const Cta = Closed({
  label: Line(100, { minLength: 1 }),
  action: OneOf(["deep_link", "dismiss", "custom"]),
  value: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 4_096,
        description: "The deep link's address (Liquid allowed), or the custom payload. Required for both.",
      }),
    ),
  ),
});

const ScreenPattern = Line(200, {
  minLength: 1,
  description: "A screen's exact name; `*` stands for any run of characters.",
});
const Screens = Closed({
  include: Type.Optional(Type.Array(ScreenPattern, { maxItems: 100 })),
  exclude: Type.Optional(Type.Array(ScreenPattern, { maxItems: 100 })),
});

const QuietHours = Closed({
  enabled: Type.Optional(Type.Boolean()),
  timezone_mode: Type.Optional(OneOf(["workspace", "device"])),
  start: Type.Optional(ClockTime),
  end: Type.Optional(ClockTime),
});

const Persistence = Closed({
  mode: Type.Optional(OneOf(["one_time", "persistent_until_dismissed"])),
  per: Type.Optional({
    ...OneOf(["person", "delivery"]),
    description:
      "Whose max_impressions and min_interval: of a person over all deliveries of the message, or of each delivery.",
  }),
  max_impressions: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100_000 }))),
  min_interval: Type.Optional(Nullable(Duration)),
});

const fields = {
  name: Name,
  render_type: RenderType,
  title: Type.Optional(Nullable(Type.String({ maxLength: 1_000 }))),
  body: Type.String({ minLength: 1, maxLength: 50_000 }),
  image_url: Type.Optional(Nullable(Line(2_048))),
  cta: Type.Optional(Nullable(Cta)),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  expiry: Type.Optional(Nullable(Duration)),
  screens: Type.Optional(Nullable(Screens)),
  quiet_hours: Type.Optional(Nullable(QuietHours)),
  persistence: Type.Optional(Nullable(Persistence)),
};

export const InAppMessageInput = Closed(fields);
export type InAppMessageInput = Static<typeof InAppMessageInput>;
/** Objects are merged: fields that are not named stay, null gives one its default. */
export const InAppMessagePatch = Type.Partial(
  Type.Object({ ...fields, cta: Type.Optional(Nullable(Type.Partial(Cta))) }),
  {
    additionalProperties: false,
  },
);
export type InAppMessagePatch = Static<typeof InAppMessagePatch>;

/** A definition with every default written out, as versions keep it. */
export const InAppDefinition = Type.Object({
  name: Type.String(),
  render_type: RenderType,
  title: Nullable(Type.String()),
  body: Type.String(),
  image_url: Nullable(Type.String()),
  cta: Nullable(
    Type.Object({
      label: Type.String(),
      action: OneOf(["deep_link", "dismiss", "custom"]),
      value: Nullable(Type.String()),
    }),
  ),
  priority: Type.Integer(),
  expiry: Nullable(Duration),
  screens: Type.Object({ include: Type.Array(Type.String()), exclude: Type.Array(Type.String()) }),
  quiet_hours: Nullable(
    Type.Object({
      enabled: Type.Boolean(),
      timezone_mode: OneOf(["workspace", "device"]),
      start: Type.String(),
      end: Type.String(),
    }),
  ),
  persistence: Type.Object({
    mode: OneOf(["one_time", "persistent_until_dismissed"]),
    per: OneOf(["person", "delivery"]),
    max_impressions: Nullable(Type.Integer()),
    min_interval: Nullable(Duration),
  }),
});
export type InAppDefinition = Static<typeof InAppDefinition>;

const Warning = Type.Object({
  code: OneOf(["screen_near_miss"]),
  message: Type.String(),
  field: Type.String(),
});
export type InAppWarning = Static<typeof Warning>;

export const InAppMessage = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  ...InAppDefinition.properties,
  warnings: Type.Optional(Type.Array(Warning, { description: "What its author should know; not shown in lists." })),
  created_at: Instant,
  updated_at: Instant,
});
export const InAppMessageList = ListOf(InAppMessage);

export const InAppPreviewInput = Closed({
  person_id: Type.Optional(PersonId),
  person: Type.Optional(JsonObject),
  trigger: Type.Optional(JsonObject),
});
export const InAppTestSend = Closed({ person_id: PersonId, trigger: Type.Optional(JsonObject) });
export const InAppTestSent = Type.Object({ delivery_id: Type.String() });

const content = Type.Object({
  title: Nullable(Type.String()),
  body: Type.String(),
  image_url: Nullable(Type.String()),
});
const ctas = Type.Array(
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    action: Type.String(),
    value: Type.Optional(Type.String()),
  }),
);
const persistence = Type.Object({
  mode: Type.String(),
  max_impressions_total: Type.Optional(Type.Integer()),
  min_interval_seconds: Type.Optional(Type.Integer()),
});
const shown = { message_id: Type.String(), render_type: RenderType, priority: Type.Integer(), content, ctas };
export const InAppPreview = Type.Object({
  ...shown,
  persistence,
  left_out: Type.Array(Type.String(), { description: "Parts that came out unusable for this person, e.g. image_url." }),
});
const message = { delivery_id: Type.String(), ...shown, expires_at: Nullable(Instant), persistence };
export const SyncMessages = Type.Array(Type.Object(message));

/** Where a client looks from. */
const look = {
  screen: Type.Optional(Type.String({ maxLength: 1_000, description: "Current screen, for page rules." })),
  timezone: Type.Optional(Type.String({ maxLength: 256, description: "IANA zone of the device, for quiet hours." })),
  tz_offset_minutes: Type.Optional(
    Type.Integer({ minimum: -1_440, maximum: 1_440, description: "UTC offset of the device: 120 is UTC+02:00." }),
  ),
};
export const SyncQuery = Type.Object({
  person_id: PersonId,
  ...look,
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
});
export type SyncQuery = Static<typeof SyncQuery>;
export const StreamQuery = Type.Object({ person_id: PersonId });

export const InteractionType = OneOf(["impression", "click", "dismiss"]);
export type InteractionType = Static<typeof InteractionType>;

// Some clients write null for what they do not know.
const note = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));
/** What a report may say beside what happened; it is for the log alone. */
const notes = {
  screen: note(1_000),
  platform: note(100),
  app_version: note(100),
  action_id: note(200),
  reason: note(500),
  ts: Type.Optional(Nullable(Instant)),
};
export const InteractionInput = Open({
  person_id: PersonId,
  ...notes,
});
export type InteractionInput = Static<typeof InteractionInput>;
export const Interacted = Type.Object({
  delivery_id: Type.String(),
  status: Type.String(),
  recorded: Type.Boolean({ description: "False for a repetition that can't mean anything new." }),
});

/** Items are checked one by one: a bad one must not hold back a queue that was kept offline. */
export const InteractionBatch = Open({
  person_id: PersonId,
  items: Type.Array(Type.Object({}), { minItems: 1, maxItems: 100 }),
});
export const InteractionItem = Open({
  delivery_id: Type.String({ maxLength: 100 }),
  type: InteractionType,
  event_id: Type.String({ minLength: 1, maxLength: 255 }),
  ...notes,
});
export type InteractionItem = Static<typeof InteractionItem>;
export const InteractionResults = Type.Object({
  results: Type.Array(
    Type.Object({
      event_id: Nullable(Type.String()),
      status: Nullable(Type.String()),
      recorded: Type.Boolean(),
      code: Type.Optional(Type.String()),
    }),
  ),
});

export const InboxQuery = Type.Object({
  person_id: PersonId,
  ...ListQuery,
  unread: Type.Optional(OneOf(["true", "false"], { description: "`true`: only the cards that are not read yet." })),
});
export type InboxQuery = Static<typeof InboxQuery>;
export const Inbox = Type.Object({
  data: Type.Array(Type.Object({ ...message, read_at: Nullable(Instant) })),
  next_cursor: Nullable(Type.String()),
  unread_count: Type.Integer({ description: "Of the whole inbox, not of this page." }),
});

export const MessageRecalled = Type.Object({
  recalled: Type.Integer(),
  more: Type.Boolean({ description: "There are more than one call takes back: repeat it." }),
});
export const DeliveryRecalled = Type.Object({
  delivery_id: Type.String(),
  status: Type.String(),
  recalled: Type.Boolean({ description: "False where it had ended before." }),
});

export const ExplainQuery = Type.Object({
  ...ListQuery,
  ...look,
  at: Type.Optional(Type.String({ ...Instant, description: "As if it were this time; now where absent." })),
});
export type ExplainQuery = Static<typeof ExplainQuery>;
export const Gate = OneOf(["screen", "quiet_hours", "expiry", "impressions", "interval", "cap", "status"]);
export type Gate = Static<typeof Gate>;
export const Explanations = ListOf(
  Type.Object({
    delivery_id: Type.String(),
    message_id: Type.String(),
    eligible: Type.Boolean(),
    reason: Nullable(Type.String({ description: "The first gate that fails, in one sentence." })),
    gates: Type.Array(Type.Object({ gate: Gate, pass: Type.Boolean(), detail: Type.String() })),
    next_eligible_at: Nullable(Type.String({ description: "When time alone makes it eligible, where that is known." })),
  }),
);
/** As of the explainer; what it leaves out is what the last sync said. */
export const TraceQuery = Type.Object({ ...look, at: ExplainQuery.properties.at });
export type TraceQuery = Static<typeof TraceQuery>;
const heldBy = Type.Array(Type.Object({ gate: Gate, detail: Type.String() }));
export const InAppTestTrace = Type.Object({
  delivery_id: Type.String(),
  message_id: Type.String(),
  person_id: Nullable(Type.String()),
  status: Type.String(),
  queued_at: Instant,
  fetched_at: Nullable(Type.String({ ...Instant, description: "When a sync first returned it." })),
  shown_at: Nullable(Instant),
  clicked_at: Nullable(Instant),
  dismissed_at: Nullable(Instant),
  expires_at: Nullable(Instant),
  held_by: {
    ...heldBy,
    description:
      "The gates that hold it back now, or at `at`: from the screen and zone of the query, else from those of the last sync.",
  },
  next_eligible_at: Nullable(Type.String({ description: "When time alone makes it eligible, where that is known." })),
  last_sync: Nullable(
    Type.Object(
      {
        at: Instant,
        screen: Nullable(Type.String()),
        timezone: Nullable(Type.String()),
        tz_offset_minutes: Nullable(Type.Integer()),
        returned: Type.Boolean(),
        held_by: heldBy,
      },
      { description: "The last sync that came to it: from where, and which gates held it back there and then." },
    ),
  ),
});
export const NearMisses = Type.Object({
  data: Type.Array(
    Type.Object({
      person_id: Type.String(),
      screen: Nullable(Type.String()),
      last_seen: Instant,
      count: Type.Integer(),
    }),
  ),
});
