import { type Static, Type } from "typebox";
import { Channel, Source } from "./facts/activity.ts";
import { Closed, Instant, JsonObject, Line, ListOf, ListQuery, Nullable, OneOf, PersonId } from "./primitives.ts";

const pushed = [
  "queued",
  "held",
  "suppressed",
  "attempt",
  "sent",
  "delivered",
  "failed",
  "canceled",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
] as const;

/** Every kind of event and its meaning; docs/webhooks.md has the same list. */
export const eventTypes: readonly string[] = [
  ...pushed.map((what) => `email.${what}`),
  ...pushed.map((what) => `push.${what}`),
  ...pushed.map((what) => `sms.${what}`),
  ...["queued", "held", "impression", "click", "dismiss", "read", "unread", "expired", "canceled", "failed"].map(
    (what) => `in_app.${what}`,
  ),
  ...["identified", "merged", "subscribed", "unsubscribed", "suppressed", "unsuppressed"].map(
    (what) => `person.${what}`,
  ),
  ...["entered", "goal", "ended"].map((what) => `campaign.${what}`),
  "webhook.disabled",
];

const families = ["email.*", "push.*", "sms.*", "in_app.*", "person.*", "campaign.*"];
const Types = Type.Array(OneOf([...eventTypes, ...families]), {
  maxItems: 100,
  description: "`email.bounced`, or `email.*` for all of a family. Empty: every event.",
});

/** One event: endpoints get it (Standard Webhooks) and the feed lists it in the same form. */
export const Event = Type.Object({
  id: Type.String({
    description: "Also the `webhook-id`: an event has the same id in each attempt, endpoint and list.",
  }),
  type: Type.String({ description: "`<channel, person or campaign>.<what>`" }),
  timestamp: Instant,
  data: Type.Object({
    person_id: Nullable(Type.String()),
    delivery_id: Nullable(Type.String()),
    channel: Nullable(Channel),
    source: Nullable(Source),
    source_id: Nullable(Type.String()),
    step_id: Nullable(Type.String({ description: "The step of the campaign that sent the message." })),
    variant: Nullable(Type.String()),
    message_id: Nullable(Type.String()),
    recipient: Nullable(Type.String()),
    details: JsonObject,
  }),
});
export type Event = Static<typeof Event>;

export const EventFeed = Type.Object({
  data: Type.Array(Event),
  next_cursor: Type.String({ description: "Never null: pass it to continue reading, now or later." }),
  has_more: Type.Boolean({ description: "Whether more events exist now." }),
});
export const EventQuery = Type.Object({
  limit: ListQuery.limit,
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: "`latest` begins with events from now on. Default: the oldest event." }),
  ),
  types: Type.Optional(Type.String({ maxLength: 2_000, description: "Kinds of events, separated by commas." })),
});

/** The events of a workspace for a reader: the newest come first. */
export const WorkspaceActivity = ListOf(Event);
export const WorkspaceActivityQuery = Type.Object({
  ...ListQuery,
  types: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: "Kinds of events and families such as `email.*`, separated by commas.",
    }),
  ),
  channel: Type.Optional(Channel),
  source: Type.Optional(Source),
  source_id: Type.Optional(
    Type.String({ maxLength: 100, description: "Id of the source that sent the message, e.g. `bc_...`." }),
  ),
  person_id: Type.Optional(PersonId),
});

const Url = Line(2_000, { minLength: 1, description: "An http or https address on the public internet." });

export const WebhookInput = Closed({
  url: Url,
  types: Type.Optional(Types),
  description: Type.Optional(Line(500)),
});
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookPatch = Closed({
  url: Type.Optional(Url),
  types: Type.Optional(Types),
  description: Type.Optional(Line(500)),
  enabled: Type.Optional(Type.Boolean()),
});
export type WebhookPatch = Static<typeof WebhookPatch>;

const fields = {
  id: Type.String(),
  url: Type.String(),
  description: Type.String(),
  types: Type.Array(Type.String()),
  secret_changed_at: Nullable(Instant),
  enabled: Type.Boolean(),
  disabled_at: Nullable(Instant),
  disabled_reason: Nullable(
    OneOf(["manual", "gone", "failing"], {
      description: "`gone`: it answered 410. `failing`: nothing succeeded for 5 days.",
    }),
  ),
  failing_since: Nullable(Instant),
  resting_until: Nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
};
export const Webhook = Type.Object(fields);
export const WebhookList = ListOf(Webhook);
export const WebhookCreated = Type.Object({
  ...fields,
  secret: Type.String({ description: "`whsec_...`: shown once." }),
});

export const SecretRotation = Closed({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      description: "How long the previous secret also signs. Default: 24.",
    }),
  ),
});
/** The secret that signs the calls of campaigns. */
export const CallSecret = Type.Object({
  secret: Type.String({ description: "`whsec_...`" }),
  created_at: Instant,
  previous_valid_until: Nullable(Instant),
});
export const SecretRotated = Type.Object({ secret: Type.String(), previous_valid_until: Instant });

export const WebhookTested = Type.Object({
  ok: Type.Boolean(),
  event_id: Type.String(),
  status: Nullable(Type.Integer()),
  answer: Type.String({ description: "The first 1,024 bytes." }),
  error: Nullable(Type.String()),
  duration_ms: Type.Integer(),
});

export const WebhookDelivery = Type.Object({
  id: Type.String({ description: "The id of the event, which is also the `webhook-id`." }),
  type: Type.String(),
  status: OneOf(["pending", "delivered", "failed"]),
  payload: Event,
  created_at: Instant,
  delivered_at: Nullable(Instant),
  next_attempt_at: Nullable(Instant),
  attempts: Type.Array(
    Type.Object({
      at: Instant,
      status: Nullable(Type.Integer()),
      answer: Type.String({ description: "The first 1,024 bytes." }),
      error: Nullable(Type.String()),
      duration_ms: Type.Integer(),
    }),
    { description: "The last 20 syncs, oldest first." },
  ),
});
export const WebhookDeliveryList = ListOf(WebhookDelivery);
const DeliveryStatus = OneOf(["pending", "delivered", "failed"]);
const instant = (description: string) => Type.Unsafe<string>({ ...Instant, description });
export const WebhookDeliveryQuery = Type.Object({
  ...ListQuery,
  status: Type.Optional(DeliveryStatus),
  type: Type.Optional(OneOf([...eventTypes], { description: "One type of event." })),
  since: Type.Optional(instant("Logged at or after this time.")),
  until: Type.Optional(instant("Logged before this time.")),
});

export const WebhookReplay = Closed({
  since: instant("Sends every event since this time again, oldest first."),
  until: Type.Optional(
    instant("Only what the log has from `since` until this time; events that were never sent are left out."),
  ),
  status: Type.Optional(
    OneOf(["failed"], { description: "Only deliveries that failed, of those that the log has since `since`." }),
  ),
});
export type WebhookReplay = Static<typeof WebhookReplay>;
export const WebhookReplaying = Type.Object({
  webhook_id: Type.String(),
  since: Instant,
  count: Nullable(
    Type.Integer({
      description: "How many of the log are sent again; null where all events since a time are read again.",
    }),
  ),
  next_since: Nullable(
    Type.Unsafe<string>({
      ...Instant,
      description: "One call repeats at most 10,000. Where there are more: the `since` of the next call.",
    }),
  ),
});

export const WebhookBacklog = Type.Object({
  pending: Type.Integer({ description: "Deliveries of the log that are not done yet, counted up to 10,000." }),
  reading_at: Nullable(
    Type.Unsafe<string>({
      ...Instant,
      description: "The time of the next event that is to be put into the log; null where there is none.",
    }),
  ),
});
export const WebhookDeliveryReplayed = Type.Object({ id: Type.String(), status: OneOf(["pending"]) });
