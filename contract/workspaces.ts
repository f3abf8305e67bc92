import { type Static, Type } from "typebox";
import { TimeOfDay, TimeWindow } from "./hours.ts";
import { Closed, Duration, Instant, Line, ListOf, Name, Nullable, OneOf, Tagged } from "./primitives.ts";

const SenderDefaults = Closed({
  email_from: Type.Optional(
    Line(320, { description: "The sender of emails whose content has none, e.g. `Acme <hello@acme.test>`." }),
  ),
  email_reply_to: Type.Optional(Line(320)),
  country: Type.Optional(
    Type.String({
      pattern: "^[A-Z]{2}$",
      "x-says": "must be the two capital letters of a country, such as DE",
      description: "The country of phone numbers without a country code (ISO 3166).",
    }),
  ),
});

const QuietDefaults = Closed({ timezone_mode: OneOf(["workspace", "device"]), start: TimeOfDay, end: TimeOfDay });

const InAppCap = Closed(
  {
    max_per_day: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1_000 }))),
    min_interval: Type.Optional(Nullable(Duration)),
  },
  {
    description:
      "At most so many in-app impressions a person in any 24 hours, at least so far apart. Priority 100 and inbox cards are exempt.",
  },
);
export type InAppCap = Static<typeof InAppCap>;

const most = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 }));
const ChannelLimits = Type.Optional(
  Closed({
    per_day: most,
    per_week: most,
    window: Type.Optional(
      Type.Union([TimeWindow, Type.Null()], {
        description: "Replaces the workspace's window for this channel; null: no window.",
      }),
    ),
  }),
);
const MarketingLimits = Closed(
  {
    per_day: most,
    per_week: most,
    channels: Type.Optional(
      Closed({ email: ChannelLimits, push: ChannelLimits, sms: ChannelLimits, in_app: ChannelLimits }),
    ),
    window: Type.Optional(TimeWindow),
  },
  {
    description:
      "Broadcasts and campaigns: the most messages a person gets in any 24 hours and any 7 days, over all channels and by channel, and the times of day in the person's zone at which they are sent. `{}` or null: no limits.",
  },
);
export type MarketingLimits = Static<typeof MarketingLimits>;

const days = Type.Integer({ minimum: 1, maximum: 3650 });
const kept = (description: string) => Type.Optional(Type.Unsafe<number>({ ...days, description }));
const Retention = Closed(
  {
    deliveries: kept("Message activity. An in-app message that is older and still live ends as expired."),
    events: kept("What people did. Kept for 7 days at least, for as long as an event_id counts once."),
    activity: kept("The log of people and deliveries, and of webhook calls (30 at the most)."),
    runs: kept("Runs of campaigns that have ended, by their end."),
    audit: kept("The log of changes. 365 days if it is not named."),
    content: kept("What was rendered for each person, and what the local provider captured."),
  },
  { description: "Days for each kind of data with a retention other than retention_days." },
);

const perMinute = Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 }));
const RateLimits = Closed(
  {
    ingestion: perMinute,
    triggers: perMinute,
    in_app: perMinute,
    product: perMinute,
    new_people_per_hour: Type.Optional(
      Type.Unsafe<number>({
        type: "integer",
        minimum: 1,
        maximum: 100_000_000,
        description: "The most people that public keys may create an hour in each process. Default: 10,000.",
      }),
    ),
  },
  {
    description:
      "Calls a minute for each route group and process, where a batch counts its items; a group that is not named has no limit.",
  },
);

const fields = {
  name: Name,
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "IANA time zone: the default for quiet hours.",
  }),
  allow_in_app: Type.Boolean({
    description: "If false, nothing new can use in-app. Messages that are queued already are still served.",
  }),
  identity_verification: OneOf(["off", "monitor", "required"], {
    description:
      "Whether an application's calls must prove who the person is (X-Person-Token). `monitor` only counts the unsigned. Unless it is `off`, addresses that no token proves are claims, and nothing is sent to them.",
  }),
  retention_days: days,
  retention: Retention,
  sender_defaults: SenderDefaults,
  quiet_defaults: Nullable(QuietDefaults),
  in_app_cap: Nullable(InAppCap),
  rate_limits: RateLimits,
};

export const Workspace = Type.Object({
  id: Type.String(),
  ...fields,
  marketing_limits: MarketingLimits,
  unverified_calls: Type.Object(
    { unsigned: Type.Integer(), invalid: Type.Integer(), claimed: Type.Integer() },
    {
      description:
        "Of applications in the last 7 days: calls without a person token, calls with one that proves nothing, and addresses that no token proved.",
    },
  ),
  created_at: Instant,
  updated_at: Instant,
});
export const WorkspacePatch = Type.Partial(Type.Object({ ...fields, marketing_limits: Nullable(MarketingLimits) }), {
  additionalProperties: false,
});
export type WorkspacePatch = Static<typeof WorkspacePatch>;

export const KeyKind = OneOf(["secret", "public"]);
export type KeyKind = Static<typeof KeyKind>;
export const keyScopes = ["read", "send", "ingest", "author", "admin"] as const;
export const KeyScope = OneOf([...keyScopes], {
  description:
    "`read`: every GET, and previews. `send`: what goes out. `ingest`: people, events and lists of them. `author`: content, audiences and drafts. `admin`: settings, keys, providers and webhooks.",
});
export type KeyScope = Static<typeof KeyScope>;
export const ApiKeyInput = Closed({
  kind: KeyKind,
  name: Type.Optional(Name),
  scopes: Type.Optional(
    Nullable(
      Type.Array(KeyScope, {
        minItems: 1,
        uniqueItems: true,
        description: "What a secret key may do. Without scopes it may do everything.",
      }),
    ),
  ),
  expires_at: Type.Optional(Nullable(Instant)),
});
export type ApiKeyInput = Static<typeof ApiKeyInput>;
export const ApiKeyRoll = Closed({
  overlap: Type.Optional(
    Type.Union([Duration, Type.Null()], {
      description: "How long the old key still works. Default: 24 hours; null ends it at once.",
    }),
  ),
  expires_at: Type.Optional(Nullable(Instant)),
});
export type ApiKeyRoll = Static<typeof ApiKeyRoll>;
const keyFields = {
  id: Type.String(),
  kind: KeyKind,
  name: Type.String(),
  scopes: Nullable(Type.Array(KeyScope)),
  created_at: Instant,
  expires_at: Nullable(Instant),
  last_used_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
};
export const ApiKey = Type.Object(keyFields);
const shownOnce = { key: Type.String({ description: "Shown only once; only its hash is kept." }) };
export const ApiKeyCreated = Type.Object({ ...keyFields, ...shownOnce });
export const ApiKeyRolled = Type.Object({ ...keyFields, ...shownOnce, replaces: ApiKey });
export const ApiKeyList = ListOf(Tagged(ApiKey));
export type RateLimits = Static<typeof RateLimits>;
export type Retention = Static<typeof Retention>;

export const SigningSecretInput = Closed({});
const secretFields = { kid: Type.String(), created_at: Instant, revoked_at: Nullable(Instant) };
export const SigningSecret = Type.Object(secretFields);
export const SigningSecretCreated = Type.Object({
  ...secretFields,
  secret: Type.String({ description: "The HS256 key: the bytes of this text. Shown only once." }),
});
export const SigningSecretList = ListOf(SigningSecret);
