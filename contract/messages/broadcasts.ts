import { type Static, Type } from "typebox";
import { Channel } from "../facts/activity.ts";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, Instant, JsonObject, Line, Name, Nullable, OneOf, OrderedAs } from "../primitives.ts";
import { EditionsByLocale, EditionsByVariant, editions, rules, WhenHeld } from "./sendings.ts";
import { SubscriptionPreference, TopicId, Tracking } from "./transactionals.ts";

export const BroadcastStatus = OneOf(["draft", "scheduled", "sending", "paused", "sent", "canceled", "failed"]);
export type BroadcastStatus = Static<typeof BroadcastStatus>;

const AudienceId = Line(100, { description: "A saved audience. Either this or `audience`." });
const Audience = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  "x-shape": "Filter",
  description: "A filter, for this broadcast only.",
});
const Rate = Nullable(
  Type.Number({ minimum: 0.1, maximum: 100_000, description: "The most people a second; null for no limit." }),
);

const authored = { ...editions, ...rules, rate_per_second: Type.Optional(Rate) };

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

const summary = {
  id: Type.String(),
  name: Type.String(),
  channel: Channel,
  audience_id: Nullable(Type.String()),
  message_id: Nullable(Type.String()),
  message_version: Nullable(Type.Integer({ description: "Set when sending starts." })),
  holdout_percent: Type.Number(),
  topic_id: TopicId,
  tracking: Tracking,
  subscription_preference: SubscriptionPreference,
  when_held: WhenHeld,
  rate_per_second: Nullable(Type.Number()),
  status: BroadcastStatus,
  reason: Nullable(Type.String({ description: "Why it failed, was canceled or had no recipients." })),
  recalled_at: Nullable(Instant),
  send_at: Nullable(Instant),
  local_time: Type.Boolean(),
  timezone: Nullable(
    Type.String({
      description:
        "Local time: the workspace's zone when the broadcast was scheduled; `send_at` is a time of its clocks.",
    }),
  ),
  progress: Type.Object({
    total: Nullable(Type.Integer({ description: "People in the audience; null until it is collected." })),
    done: Type.Integer({ description: "People who were processed: each got a delivery or was held out." }),
    held_out: Type.Integer({ description: "People of `done` whom `holdout_percent` excludes." }),
    people_per_second: Nullable(
      Type.Number({
        description: "The rate of the last 10 to 20 seconds; null if nothing is sent, or sending has just begun.",
      }),
    ),
    seconds_left: Nullable(
      Type.Integer({
        description: "The rest at that rate; null if unknown: paused, waiting for local times, not begun.",
      }),
    ),
  }),
  started_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
};
export const Broadcast = Type.Object({
  ...summary,
  audience: Nullable(OrderedAs("Filter")),
  content: Nullable(OrderedAs("Content")),
  locales: EditionsByLocale,
  variants: EditionsByVariant,
});
/** Broadcasts without contents, languages, variants and the filter of an audience of their own. */
export const BroadcastList = listing({
  item: Type.Object(summary),
  finds: "a part of the name, or the beginning of the id, in any case",
  sorts: [...authoredSorts, "status"],
  defaultSort: "-created_at",
  facets: { status: BroadcastStatus, channel: Channel },
});

const AllowEmpty = Type.Optional(
  Type.Boolean({
    description: "Sends even if the audience is empty now; without it the answer is 422 `audience_empty`.",
  }),
);
export const SendInput = Closed({ allow_empty: AllowEmpty });
export const ScheduleInput = Closed({
  send_at: Instant,
  local_time: Type.Optional(
    Type.Boolean({
      description: "Sends when each person's clock shows the time that the workspace's zone shows at `send_at`.",
    }),
  ),
  allow_empty: AllowEmpty,
});
export type ScheduleInput = Static<typeof ScheduleInput>;

export const BroadcastRecalled = Type.Object({
  status: BroadcastStatus,
  recalled: Type.Integer(),
  more: Type.Boolean({ description: "True if more deliveries remain than one call recalls: repeat the call." }),
});
