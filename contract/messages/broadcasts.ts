import { type Static, Type } from "typebox";
import { Channel } from "../facts/activity.ts";
import {
  Closed,
  Instant,
  JsonObject,
  Line,
  ListOf,
  Name,
  Nullable,
  OneOf,
  PersonId,
  Dictionary,
} from "../primitives.ts";
import { SubscriptionPreference, TopicId, Tracking } from "./transactionals.ts";

export const BroadcastStatus = OneOf(["draft", "scheduled", "sending", "paused", "sent", "canceled", "failed"]);
export type BroadcastStatus = Static<typeof BroadcastStatus>;

const AudienceId = Line(100, { description: "A saved audience. Either this or `audience`." });
const Audience = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  "x-shape": "Filter",
  description: "A filter of its own.",
});
const MessageId = Line(100, {
  minLength: 1,
  description: "In-app: the definition, whose newest version is fixed when sending starts.",
});
const Content = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  "x-shape": "Content",
  description: "Email, push and SMS: as in a transactional; `{{person.*}}` is who gets it.",
});
const Rate = Nullable(
  Type.Number({ minimum: 0.1, maximum: 100_000, description: "People a second at most; null for no limit." }),
);

/** What is said to some of the people: in-app another message, in the other channels another content of the same shape. */
const said = { message_id: Type.Optional(MessageId), content: Type.Optional(Content) };
const Locales = Nullable(
  Dictionary(Closed(said), {
    maxProperties: 50,
    description:
      "By language tag, e.g. `de` or `pt-BR`: what people with this `locale` get instead (RFC 4647 lookup: pt-BR, pt, then the default).",
  }),
);
/** Begins with a letter or a digit: it is a word in addresses and tables. */
const VariantName = Type.String({
  maxLength: 50,
  pattern: "^[\\p{L}\\p{N}][^\\p{Cc}\\p{Cs}]*$",
  "x-says": "must begin with a letter or a digit and have no control characters",
  examples: ["A"],
});
const Variants = Nullable(
  Type.Array(
    Closed({
      name: VariantName,
      weight: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Its share, beside those of the others." }),
      ...said,
      locales: Type.Optional(Locales),
    }),
    { minItems: 2, maxItems: 10, description: "An A/B split, in place of content or message_id." },
  ),
);
const Holdout = Type.Number({
  minimum: 0,
  maximum: 50,
  description: "Percent of the audience that gets nothing, to compare with; at most two decimals.",
});

const authored = {
  message_id: Type.Optional(MessageId),
  content: Type.Optional(Content),
  locales: Type.Optional(Locales),
  variants: Type.Optional(Variants),
  holdout_percent: Type.Optional(Holdout),
  topic_id: Type.Optional(TopicId),
  tracking: Type.Optional(Tracking),
  subscription_preference: Type.Optional(SubscriptionPreference),
  rate_per_second: Type.Optional(Rate),
};

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

/** As it was written; once sending starts with `message_version`, or `template_version` in the content, in each. */
const Said = Type.Object({
  message_id: Type.Optional(Type.String()),
  message_version: Type.Optional(Type.Integer()),
  content: Type.Optional(JsonObject),
});
const SaidByLocale = Nullable(Dictionary(Said));

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
  variants: Nullable(
    Type.Array(
      Type.Object({
        name: Type.String(),
        weight: Type.Integer(),
        ...Said.properties,
        locales: Type.Optional(SaidByLocale),
      }),
    ),
  ),
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

const Sample = Type.Array(Type.String(), { description: "Up to five person_ids." });
const Counted = {
  will_receive: Type.Integer(),
  excluded: Dictionary(Type.Integer(), {
    description:
      "People by the reason for which they get nothing: `unsubscribed`, `suppressed` and `no_address` always, others where there are any; `same_address` for those whose address another of them has, who gets it there.",
  }),
};
export const Preflight = Type.Object({
  audience: Type.Integer({ description: "`will_receive`, `held_out` and all that is excluded." }),
  ...Counted,
  held_out: Type.Integer({ description: "Whoever they are: people who would be excluded among them." }),
  variants: Type.Optional(Dictionary(Type.Object(Counted), { description: "The same by variant." })),
  locales: Type.Optional(
    Dictionary(Type.Integer(), {
      description: "Of those who will receive it, how many in which language; `default` for all that have no other.",
    }),
  ),
  samples: Dictionary(Sample, { description: "Under `will_receive`, `held_out` and each reason." }),
});
export type Preflight = Static<typeof Preflight>;

export const BroadcastTestSend = Closed({
  person_id: PersonId,
  variant: Type.Optional(Line(50, { description: "As this variant has it; else as the person's own has." })),
  locale: Type.Optional(
    Nullable(
      Line(100, { description: "As somebody with this locale gets it; null for the default. Else the person's." }),
    ),
  ),
});
export type BroadcastTestSend = Static<typeof BroadcastTestSend>;
export const BroadcastTestSent = Type.Object({ delivery_id: Type.String() });
