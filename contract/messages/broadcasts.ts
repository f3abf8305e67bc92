import { type Static, Type } from "typebox";
import { Channel } from "../facts/activity.ts";
import { Closed, Instant, JsonObject, Line, ListOf, Name, Nullable, OneOf } from "../primitives.ts";
import { rules, SaidByLocale, SaidByVariant, saying } from "./sendings.ts";
import { SubscriptionPreference, TopicId, Tracking } from "./transactionals.ts";

export const BroadcastStatus = OneOf(["draft", "scheduled", "sending", "paused", "sent", "canceled", "failed"]);
export type BroadcastStatus = Static<typeof BroadcastStatus>;

const AudienceId = Line(100, { description: "A saved audience. Either this or `audience`." });
const Audience = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  "x-shape": "Filter",
  description: "A filter of its own.",
});
const Rate = Nullable(
  Type.Number({ minimum: 0.1, maximum: 100_000, description: "People a second at most; null for no limit." }),
);

const authored = { ...saying, ...rules, rate_per_second: Type.Optional(Rate) };

export const BroadcastInput = Closed({
  name: Name,
  channel: Channel,
  audience_id: Type.Optional(AudienceId),
  audience: Type.Optional(Audience),
  ...authored,
});
export type BroadcastInput = Static<typeof BroadcastInput>;

export const BroadcastPatch = Closed({
  name: Type.Optional(Name),
  audience_id: Type.Optional(AudienceId),
  audience: Type.Optional(Audience),
  ...authored,
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
  locales: SaidByLocale,
  variants: SaidByVariant,
  holdout_percent: Type.Number(),
  topic_id: TopicId,
  tracking: Tracking,
  subscription_preference: SubscriptionPreference,
  rate_per_second: Nullable(Type.Number()),
  status: BroadcastStatus,
  reason: Nullable(Type.String({ description: "Why it failed, was canceled or reached nobody." })),
  recalled_at: Nullable(Instant),
  send_at: Nullable(Instant),
  local_time: Type.Boolean(),
  timezone: Nullable(
    Type.String({ description: "Local time: the zone whose clocks show `send_at`, as it was when it was scheduled." }),
  ),
  progress: Type.Object({
    total: Nullable(Type.Integer({ description: "People in the audience; null until it is collected." })),
    done: Type.Integer({ description: "Of them, those who had their turn: a delivery, or held out." }),
    held_out: Type.Integer({ description: "Of those done, who get nothing because of `holdout_percent`." }),
    people_per_second: Nullable(
      Type.Number({ description: "Of the last 10 to 20 seconds; null where nothing is sent, or not for long enough." }),
    ),
    seconds_left: Nullable(
      Type.Integer({
        description: "At that pace; null where nobody knows: paused, waiting for local times, not begun.",
      }),
    ),
  }),
  started_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
});
export const BroadcastList = ListOf(Broadcast);

const AllowEmpty = Type.Optional(
  Type.Boolean({ description: "Also where nobody is in the audience now; else that is 422 `audience_empty`." }),
);
export const SendInput = Closed({ allow_empty: AllowEmpty });
export const ScheduleInput = Closed({
  send_at: Instant,
  local_time: Type.Optional(
    Type.Boolean({
      description: "When each person's own clock shows what the clocks of the workspace's zone show at `send_at`.",
    }),
  ),
  allow_empty: AllowEmpty,
});
export type ScheduleInput = Static<typeof ScheduleInput>;

export const BroadcastRecalled = Type.Object({
  status: BroadcastStatus,
  recalled: Type.Integer(),
  more: Type.Boolean({ description: "There are more than one call takes back: repeat it." }),
});
