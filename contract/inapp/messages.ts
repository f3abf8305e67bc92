import { type Static, Type } from "typebox";
import { CtaAction, PersistenceMode, RenderType } from "./definition.ts";
import { Instant, ListQuery, Nullable, OneOf, Open, PersonId } from "../primitives.ts";

const content = Type.Object({
  title: Nullable(Type.String()),
  body: Type.String(),
  image_url: Nullable(Type.String()),
});
export const ShownCta = Type.Object({
  id: Type.String(),
  label: Type.String(),
  action: CtaAction,
  value: Type.Optional(Type.String({ description: "The address of a deep link, or the custom payload." })),
});
const persistence = Type.Object({
  mode: PersistenceMode,
  max_impressions_total: Type.Optional(Type.Integer()),
  min_interval_seconds: Type.Optional(Type.Integer()),
});
const drawn = {
  render_type: RenderType,
  priority: Type.Integer(),
  content,
  ctas: Type.Array(ShownCta),
};
const shown = { message_id: Type.String(), ...drawn };
const preview = {
  persistence,
  left_out: Type.Array(Type.String(), {
    description: "Parts that are unusable after rendering for this person, e.g. image_url.",
  }),
};
export const InAppPreview = Type.Object({ ...shown, ...preview });
/** Of a message that is not saved, so that it has no id yet. */
export const InAppDraftPreview = Type.Object({ ...drawn, ...preview });
const message = { delivery_id: Type.String(), ...shown, expires_at: Nullable(Instant), persistence };
export const ShownMessage = Type.Object(message);
export const SyncMessages = Type.Array(ShownMessage);

/** The context of a sync: the device's screen and time zone. */
export const look = {
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

// Some clients send null for values that they do not know.
const note = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));
/** Optional context of a report; it is only logged. */
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
  recorded: Type.Boolean({ description: "False for a repeated report, which changes nothing." }),
});

/** Items are validated one by one: a bad one must not block a queue that a device kept offline. */
export const InteractionBatch = Open({
  person_id: PersonId,
  items: Type.Array(Type.Unsafe<object>({ type: "object", "x-shape": "Interaction" }), { minItems: 1, maxItems: 100 }),
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
  unread: Type.Optional(OneOf(["true", "false"], { description: "`true`: only unread cards." })),
});
export type InboxQuery = Static<typeof InboxQuery>;
export const InboxItem = Type.Object({ ...message, read_at: Nullable(Instant) });
export const Inbox = Type.Object({
  data: Type.Array(InboxItem),
  next_cursor: Nullable(Type.String()),
  unread_count: Type.Integer({ description: "Of the whole inbox, not of this page." }),
});

export const MessageRecalled = Type.Object({
  recalled: Type.Integer(),
  more: Type.Boolean({ description: "True if more deliveries remain than one call recalls: repeat the call." }),
});
export const DeliveryRecalled = Type.Object({
  delivery_id: Type.String(),
  status: Type.String(),
  recalled: Type.Boolean({ description: "False if the delivery had ended before." }),
});
