import { type Static, Type } from "typebox";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, Duration, Instant, JsonObject, Line, Name, Nullable, OneOf, PersonId } from "../primitives.ts";
import { TimeOfDay } from "../hours.ts";

export const RenderType = OneOf(["modal", "banner", "inline", "inbox_card"]);
export type RenderType = Static<typeof RenderType>;

export const CtaAction = OneOf(["deep_link", "dismiss", "custom"]);
export const PersistenceMode = OneOf(["one_time", "persistent_until_dismissed"]);

const Cta = Closed({
  label: Line(100, { minLength: 1 }),
  action: CtaAction,
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
  start: Type.Optional(TimeOfDay),
  end: Type.Optional(TimeOfDay),
});

const Persistence = Closed({
  mode: Type.Optional(PersistenceMode),
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
/** Objects are merged: fields that are not named stay, null sets a field to its default. */
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
      action: CtaAction,
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
    mode: PersistenceMode,
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

const User = Type.Object({ type: OneOf(["broadcast", "campaign"]), id: Type.String(), name: Type.String() });
export type InAppMessageUser = Static<typeof User>;

export const InAppMessage = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  ...InAppDefinition.properties,
  warnings: Type.Array(Warning, { description: "Problems that the author should know." }),
  used_by: Type.Array(User, { description: "What sends this message: broadcasts and campaigns that are not over." }),
  created_at: Instant,
  updated_at: Instant,
});
const { body: _body, warnings: _warnings, used_by: _users, ...summary } = InAppMessage.properties;
/** In-app messages without their bodies and uses. */
export const InAppMessageList = listing({
  item: Type.Object(summary),
  finds: "a part of the name or the title, or the beginning of the id, in any case",
  sorts: authoredSorts,
  defaultSort: "-created_at",
  facets: { render_type: RenderType },
});

const previewed = {
  person_id: Type.Optional(PersonId),
  person: Type.Optional(JsonObject),
  trigger: Type.Optional(JsonObject),
};
export const InAppPreviewInput = Closed(previewed);
export const InAppDraftPreviewInput = Closed({ message: InAppMessageInput, ...previewed });
export const InAppTestSend = Closed({ person_id: PersonId, trigger: Type.Optional(JsonObject) });
export const InAppTestSent = Type.Object({ delivery_id: Type.String() });
