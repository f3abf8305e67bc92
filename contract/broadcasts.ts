import { type Static, Type } from "typebox";
import { Channel } from "./activity.ts";
import { Closed, Instant, JsonObject, Line, ListOf, Name, Nullable, OneOf, PersonId } from "./primitives.ts";
import { SubscriptionPreference } from "./transactionals.ts";

export const BroadcastStatus = OneOf(["draft", "scheduled", "sending", "paused", "sent", "canceled", "failed"]);
export type BroadcastStatus = Static<typeof BroadcastStatus>;

const AudienceId = Line(100, { description: "A saved audience. Either this or `audience`." });
const Audience = Type.Unsafe<Record<string, unknown>>({ ...JsonObject, description: "A filter of its own." });
const MessageId = Line(100, {
  minLength: 1,
  description: "In-app: the definition, whose newest version is fixed when sending starts.",
});
const Content = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  description: "Email, push and SMS: as in a transactional; `{{person.*}}` is who gets it.",
});
const Rate = Nullable(
  Type.Number({ minimum: 0.1, maximum: 100_000, description: "People a second at most; null for no limit." }),
);

export const BroadcastInput = Closed({
  name: Name,
  channel: Channel,
  audience_id: Type.Optional(AudienceId),
  audience: Type.Optional(Audience),
  message_id: Type.Optional(MessageId),
  content: Type.Optional(Content),
  subscription_preference: Type.Optional(SubscriptionPreference),
  rate_per_second: Type.Optional(Rate),
});
export type BroadcastInput = Static<typeof BroadcastInput>;

export const BroadcastPatch = Closed({
  name: Type.Optional(Name),
  audience_id: Type.Optional(AudienceId),
  audience: Type.Optional(Audience),
  message_id: Type.Optional(MessageId),
  content: Type.Optional(Content),
  subscription_preference: Type.Optional(SubscriptionPreference),
  rate_per_second: Type.Optional(Rate),
});
export type BroadcastPatch = Static<typeof BroadcastPatch>;

export const Broadcast = Type.Object({
  id: Type.String(),
  name: Type.String(),
  channel: Channel,
  audience_id: Nullable(Type.String()),
  audience: Nullable(JsonObject),
  message_id: Nullable(Type.String()),
  message_version: Nullable(Type.Integer({ description: "Fixed when sending starts." })),
  content: Nullable(JsonObject),
  subscription_preference: SubscriptionPreference,
  rate_per_second: Nullable(Type.Number()),
  status: BroadcastStatus,
  reason: Nullable(Type.String({ description: "Why it failed." })),
  send_at: Nullable(Instant),
  local_time: Type.Boolean(),
  progress: Type.Object({
    total: Nullable(Type.Integer({ description: "People in the audience; null until it is collected." })),
    done: Type.Integer({ description: "Of them, those whose delivery is queued or failed." }),
  }),
  started_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
});
export const BroadcastList = ListOf(Broadcast);

export const ScheduleInput = Closed({
  send_at: Instant,
  local_time: Type.Optional(
    Type.Boolean({
      description: "At this wall-clock time (as written, its offset aside) in each person's own zone.",
    }),
  ),
});
export type ScheduleInput = Static<typeof ScheduleInput>;

export const BroadcastRecalled = Type.Object({
  status: BroadcastStatus,
  recalled: Type.Integer(),
  more: Type.Boolean({ description: "There are more than one call takes back: repeat it." }),
});

const Sample = Type.Array(Type.String(), { description: "Up to five person_ids." });
export const Preflight = Type.Object({
  audience: Type.Integer(),
  will_receive: Type.Integer(),
  excluded: Type.Record(Type.String(), Type.Integer(), {
    description: "People by the reason for which they get nothing, e.g. `unsubscribed`.",
  }),
  samples: Type.Record(Type.String(), Sample, { description: "Under `will_receive` and each reason." }),
});
export type Preflight = Static<typeof Preflight>;

export const BroadcastTestSend = Closed({ person_id: PersonId });
export const BroadcastTestSent = Type.Object({ delivery_id: Type.String() });
