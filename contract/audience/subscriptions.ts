import { type Static, Type } from "typebox";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, Instant, Line, ListOf, ListQuery, Name, Nullable, OneOf, Dictionary, Tagged } from "../primitives.ts";

export const TopicDefault = OneOf(["subscribed", "unsubscribed"], {
  description: "The state for a person who never chose.",
});
export type TopicDefault = Static<typeof TopicDefault>;
const Description = Nullable(Line(500, { minLength: 1, description: "Shown on the preference page." }));

const Exempt = Type.Boolean({
  description: "Broadcasts and campaigns of this topic are neither held back by `marketing_limits` nor counted.",
});

export const TopicInput = Closed({
  name: Name,
  description: Type.Optional(Description),
  default: TopicDefault,
  exempt_from_limits: Type.Optional(Exempt),
});
export type TopicInput = Static<typeof TopicInput>;
export const TopicPatch = Closed({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  default: Type.Optional(TopicDefault),
  exempt_from_limits: Type.Optional(Exempt),
});
export type TopicPatch = Static<typeof TopicPatch>;
export const Topic = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  default: TopicDefault,
  exempt_from_limits: Exempt,
  created_at: Instant,
  updated_at: Instant,
});
export const TopicList = listing({
  item: Topic,
  finds: "a part of the name, or the beginning of the id, in any case",
  sorts: authoredSorts,
  defaultSort: "-created_at",
});

const channels = {
  email: Type.Optional(Type.Boolean()),
  push: Type.Optional(Type.Boolean()),
  sms: Type.Optional(Type.Boolean()),
  in_app: Type.Optional(Type.Boolean()),
};
export const SubscriptionsPatch = Closed({
  subscribed: Type.Optional(
    Type.Boolean({ description: "The person's overall state: false means no channel and no topic." }),
  ),
  channels: Type.Optional(Closed(channels)),
  topics: Type.Optional(
    Type.Record(Type.String({ maxLength: 40 }), Type.Boolean(), {
      description: "The state of each topic, by topic id.",
    }),
  ),
});
export type SubscriptionsPatch = Static<typeof SubscriptionsPatch>;

/** Push tokens are never suppressed: a provider's answer disables the device instead. */
export const SuppressedChannel = OneOf(["email", "sms"]);
export type SuppressedChannel = Static<typeof SuppressedChannel>;
export const suppressionReasons = ["hard_bounce", "complaint", "manual", "stop"] as const;
export const SuppressionReason = OneOf([...suppressionReasons], {
  description: "`stop`: the person sent STOP by SMS.",
});
export type SuppressionReason = Static<typeof SuppressionReason>;

export const Subscriptions = Type.Object({
  person_id: Type.String(),
  subscribed: Type.Boolean(),
  channels: Type.Object({ email: Type.Boolean(), push: Type.Boolean(), sms: Type.Boolean(), in_app: Type.Boolean() }),
  topics: Dictionary(Type.Boolean()),
  suppressed: Type.Array(Type.Object({ channel: SuppressedChannel, reason: SuppressionReason }), {
    description: "The person's own addresses that are on the suppression list.",
  }),
});

const Address = Line(320, { minLength: 1, description: "Email address, or number with its country code." });
export const SuppressionInput = Closed({
  channel: SuppressedChannel,
  address: Address,
  reason: Type.Optional(SuppressionReason),
});
export const Suppression = Type.Object({
  channel: SuppressedChannel,
  address: Nullable(Type.String({ description: "Null after its person was erased: only a salted hash is kept." })),
  reason: SuppressionReason,
  source: Type.String({ description: "Who added it: `api`, `import`, or the provider that reported it." }),
  created_at: Instant,
});
export const SuppressionList = ListOf(Tagged(Suppression));
export const SuppressionQuery = Type.Object({
  ...ListQuery,
  channel: Type.Optional(SuppressedChannel),
  reason: Type.Optional(SuppressionReason),
  q: Type.Optional(Line(320, { description: "The whole address, or its beginning." })),
});
export type SuppressionQuery = Static<typeof SuppressionQuery>;
export const SuppressionAddress = Type.Object({ channel: SuppressedChannel, address: Address });
