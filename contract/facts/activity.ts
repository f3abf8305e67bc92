import { type Static, Type } from "typebox";
import { listing, MOST_COUNTED } from "../lists.ts";
import { Dictionary, Instant, JsonObject, Line, ListOf, ListQuery, Nullable, OneOf, PersonId } from "../primitives.ts";

export const Channel = OneOf(["email", "push", "sms", "in_app"]);
export type Channel = Static<typeof Channel>;
export const Source = OneOf(["transactional", "broadcast", "campaign", "test"]);
export type Source = Static<typeof Source>;

export const ActivityEntry = Type.Object({
  id: Type.String(),
  type: Type.String({
    description: "`<channel, person or campaign>.<what>`, e.g. `in_app.impression`, `campaign.entered`.",
  }),
  at: Instant,
  delivery_id: Nullable(Type.String()),
  channel: Nullable(Channel),
  source: Nullable(Source),
  source_id: Nullable(Type.String()),
  step_id: Nullable(Type.String({ description: "The step of a campaign." })),
  message_id: Nullable(Type.String()),
  data: JsonObject,
});
const Kind = Type.Optional(
  Type.String({
    maxLength: 60,
    pattern: "^[a-z_]+\\.[a-z_]+$",
    "x-says": "must be a kind such as in_app.impression",
    description: "E.g. `in_app.impression`.",
  }),
);
export const ActivityFilter = {
  channel: Type.Optional(Channel),
  type: Kind,
  since: Type.Optional(Instant),
  until: Type.Optional(Type.Unsafe<string>({ ...Instant, description: "Only before this time." })),
};
export const ActivityQuery = Type.Object({ ...ListQuery, ...ActivityFilter });
export const ActivityExportQuery = Type.Object(ActivityFilter);
export type ActivityExportQuery = Static<typeof ActivityExportQuery>;
export const ActivityList = ListOf(ActivityEntry);

/** The states of all channels. Opened and clicked are not states but times. */
const DeliveryStatus = OneOf([
  "queued",
  "sending",
  "sent",
  "delivered",
  "bounced",
  "complained",
  "failed",
  "suppressed",
  "canceled",
  "shown",
  "dismissed",
  "expired",
]);
export type DeliveryStatus = Static<typeof DeliveryStatus>;

const names = {
  source_name: Nullable(Type.String({ description: "The name that its source has now; null after it was removed." })),
  message_name: Nullable(Type.String({ description: "The name that its in-app message has now." })),
};

export const Timeline = ListOf(
  Type.Object({
    ...ActivityEntry.properties,
    ...names,
    status: Nullable(Type.Unsafe<DeliveryStatus>({ ...DeliveryStatus, description: "What its message is now." })),
  }),
);
export const TimelineQuery = Type.Object({
  ...ListQuery,
  types: Type.Optional(
    Type.String({
      maxLength: 1_000,
      pattern: "^[a-z_]+\\.([a-z_]+|\\*)( *, *[a-z_]+\\.([a-z_]+|\\*))*$",
      "x-says": "must be kinds such as person.identified and families such as email.*, separated by commas",
      description: "Kinds and families, separated by commas, e.g. `person.*,email.opened`. Default: all.",
    }),
  ),
  since: Type.Optional(Instant),
  until: Type.Optional(Type.Unsafe<string>({ ...Instant, description: "Only before this time." })),
});

const fields = {
  id: Type.String(),
  person_id: Nullable(Type.String({ description: "Null after the person was erased." })),
  channel: Channel,
  source: Source,
  source_id: Nullable(Type.String()),
  ...names,
  step_id: Nullable(Type.String({ description: "The step of the campaign that sent it." })),
  step_position: Nullable(
    Type.Integer({
      description: "Which of the step's messages it is: 0 its own, 1 the first of `escalate`, and so on.",
    }),
  ),
  variant: Nullable(
    Type.String({ description: "The variant, for a broadcast or a step of a campaign with an A/B split." }),
  ),
  message_id: Nullable(Type.String()),
  status: DeliveryStatus,
  reason: Nullable(Type.String()),
  recipient: Nullable(Type.String()),
  priority: Type.Integer(),
  queued_at: Instant,
  due_at: Nullable(Instant),
  sent_at: Nullable(Instant),
  delivered_at: Nullable(Instant),
  bounced_at: Nullable(Instant),
  complained_at: Nullable(Instant),
  unsubscribed_at: Nullable(Instant),
  failed_at: Nullable(Type.Unsafe<string>({ ...Instant, description: "When it failed or was suppressed." })),
  shown_at: Nullable(Instant),
  opened_at: Nullable(Instant),
  clicked_at: Nullable(Instant),
  dismissed_at: Nullable(Instant),
  expires_at: Nullable(Instant),
  impressions: Type.Integer(),
  attempts: Type.Integer(),
  provider: Nullable(Type.String()),
  provider_message_id: Nullable(Type.String({ description: "The provider's own id of the message." })),
};
const events = Type.Array(Type.Object({ type: Type.String(), at: Instant, data: JsonObject }));
export const Delivery = Type.Object(fields);
export const DeliveryDetail = Type.Object({ ...fields, content: Nullable(JsonObject), events });
/** The numbers of one source: a delivery counts once in each state that it has had. */
export const Metrics = Type.Object({
  sent: Type.Integer(),
  delivered: Type.Integer(),
  shown: Type.Integer(),
  opened: Type.Integer(),
  clicked: Type.Integer(),
  dismissed: Type.Integer(),
  bounced: Type.Integer(),
  unsubscribed: Type.Integer(),
  failed: Type.Integer({ description: "Failed or suppressed." }),
});
export type Metrics = Static<typeof Metrics>;
export const MetricsByVariant = Type.Object({
  ...Metrics.properties,
  variants: Type.Optional(
    Dictionary(Metrics, { description: "For a source with an A/B split: the numbers of each variant." }),
  ),
});
/** Why deliveries of one source did not arrive. */
export const Failures = Type.Object({
  data: Type.Array(
    Type.Object({
      status: Type.Unsafe<DeliveryStatus>({ ...DeliveryStatus, description: "`failed`, `suppressed` or `bounced`." }),
      reason: Nullable(Type.String()),
      count: Type.Integer(),
    }),
    { description: "The 50 most frequent reasons, the most frequent first." },
  ),
  exact: Type.Boolean({ description: `False if only the newest ${MOST_COUNTED} were counted.` }),
});
export type Failures = Static<typeof Failures>;
export const MetricsQuery = Type.Object({
  channel: Type.Optional(Channel),
  since: Type.Optional(Instant),
  until: Type.Optional(Type.Unsafe<string>({ ...Instant, description: "Queued before this time." })),
});

const DeliveryFilter = {
  channel: Type.Optional(Channel),
  source: Type.Optional(Source),
  source_id: Type.Optional(
    Type.String({ maxLength: 100, description: "Id of the source that sent it, e.g. `tx_...`." }),
  ),
  step: Type.Optional(Line(50, { description: "Only the messages of this step of a campaign; needs `source_id`." })),
  variant: Type.Optional(
    Line(50, { description: "Only this variant of a broadcast, or of a step of a campaign, with an A/B split." }),
  ),
  status: Type.Optional(DeliveryStatus),
  reason: Type.Optional(Line(1_000, { description: "Only with exactly this reason." })),
  person_id: Type.Optional(PersonId),
  since: Type.Optional(Type.Unsafe<string>({ ...Instant, description: "Queued at this time or later." })),
  until: Type.Optional(Type.Unsafe<string>({ ...Instant, description: "Queued before this time." })),
  undetermined: Type.Optional(
    Type.Boolean({
      description: "Only `at_most_once` deliveries that failed although a provider may have accepted them.",
    }),
  ),
  metric: Type.Optional(
    OneOf(Object.keys(Metrics.properties) as (keyof Metrics)[], {
      description: "Only deliveries that count in this number of analytics.",
    }),
  ),
  from: Type.Optional(
    Type.Unsafe<string>({ ...Instant, description: "Only with `metric`: which count in it at this time or later." }),
  ),
  to: Type.Optional(
    Type.Unsafe<string>({ ...Instant, description: "Only with `metric`: which count in it before this time." }),
  ),
};
const { status: _status, channel: _channel, ...more } = DeliveryFilter;
/** Deliveries without their content. */
export const DeliveryList = listing({
  item: Type.Object({ ...fields, events: Type.Optional({ ...events, description: "With `include=events`." }) }),
  finds:
    "the whole person_id, email or phone number of the recipient, or the whole id of the delivery or of its source",
  mostQ: 256,
  sorts: ["queued_at"],
  defaultSort: "-queued_at",
  facets: { status: DeliveryStatus, channel: Channel },
  more: {
    ...more,
    include: Type.Optional(OneOf(["events"], { description: "Adds the events of each delivery, oldest first." })),
  },
  mostCounted: MOST_COUNTED,
});
export const DeliveryExportQuery = Type.Object(DeliveryFilter);
export type DeliveryExportQuery = Static<typeof DeliveryExportQuery>;
export const EventExportQuery = Type.Object({ ...DeliveryFilter, type: Kind });
