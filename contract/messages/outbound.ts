import { type Static, Type } from "typebox";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, Instant, JsonObject, Line, ListOf, ListQuery, Name, Nullable, OneOf } from "../primitives.ts";
import { type ProviderKind, providerKinds } from "./providers.ts";

/** The channels that we send to a provider; the application pulls in-app messages. */
export const PushedChannel = OneOf(["email", "push", "sms"]);
export type PushedChannel = Static<typeof PushedChannel>;

const Kind = OneOf(Object.keys(providerKinds) as ProviderKind[]);
const Settings = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  "x-shape": "ProviderSettings",
  description: "The settings of this kind, see docs/providers.md; `local` needs none.",
});
const Credentials = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  "x-shape": "ProviderCredentials",
  description: "Write-only, stored encrypted.",
});
const Rate = Nullable(
  Type.Number({
    minimum: 0.01,
    maximum: 100_000,
    description: "The most attempts a second in each process; null for no limit.",
  }),
);
const Priority = Type.Integer({ minimum: -1000, maximum: 1000, description: "The lowest is tried first." });

export const ProviderInput = Closed(
  {
    name: Name,
    channel: PushedChannel,
    kind: Kind,
    priority: Type.Optional(Priority),
    rate_per_second: Type.Optional(Rate),
    settings: Type.Optional(JsonObject),
    credentials: Type.Optional(JsonObject),
  },
  { "x-variants": "kind" },
);
export type ProviderInput = Static<typeof ProviderInput>;

export const ProviderPatch = Closed({
  name: Type.Optional(Name),
  priority: Type.Optional(Priority),
  rate_per_second: Type.Optional(Rate),
  settings: Type.Optional(Settings),
  credentials: Type.Optional(Credentials),
});
export type ProviderPatch = Static<typeof ProviderPatch>;

/** The state as seen by the process that last got an answer or a fault. */
const ProviderState = Type.Object({
  status: OneOf(["ok", "resting", "slow"], {
    description:
      "`resting`: nothing is handed to it until then. `slow`: it was given messages and has not answered; said again while it is so. See docs/operations.md.",
  }),
  until: Type.Optional(Instant),
  reason: Type.Optional(
    Type.String({
      description: "`provider: ` or `credentials: ` with the error that made it rest, or `slow: ` with the time.",
    }),
  ),
});

export const Provider = Type.Object({
  id: Type.String(),
  name: Type.String(),
  channel: PushedChannel,
  kind: Type.String(),
  priority: Type.Integer(),
  rate_per_second: Rate,
  settings: JsonObject,
  has_credentials: Type.Boolean(),
  credentials_changed_at: Nullable(Instant),
  callback_url: Nullable(
    Type.String({ description: "Where this kind reports what became of messages; null for kinds that do not." }),
  ),
  state: ProviderState,
  created_at: Instant,
  updated_at: Instant,
});
export const ProviderList = listing({
  item: Provider,
  finds: "a part of the name, or the beginning of the id",
  sorts: authoredSorts,
  defaultSort: "-created_at",
  facets: { channel: PushedChannel },
});

export const ProviderOrder = Closed({
  channel: PushedChannel,
  providers: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 1_000,
    description: "The ids of all providers of the channel, in the order in which they are tried.",
  }),
});
export type ProviderOrder = Static<typeof ProviderOrder>;
export const ProvidersOrdered = Type.Object({ data: Type.Array(Provider) });

export const ProviderTest = Closed({
  to: Type.Optional(
    Line(4_096, {
      minLength: 3,
      description:
        "Sends a small message to this address, number or token of a registered device. Without it the connection and the credentials are tried only.",
    }),
  ),
});
const ConversationStep = Type.Object({
  by: OneOf(["us", "them", "note"], { description: "`note`: what happened besides, such as that TLS began." }),
  text: Type.String({
    description:
      "A line of SMTP, or an HTTP request or answer, without credentials and at most 2,000 characters of it.",
  }),
  ms: Type.Integer({ description: "When, since the test began." }),
});
export type ConversationStep = Static<typeof ConversationStep>;
export const ProviderTested = Type.Object({
  ok: Type.Boolean(),
  detail: Type.String(),
  conversation: Type.Array(ConversationStep, { description: "What both sides said, in order." }),
});
/** Why the test of a provider failed, as far as the protocol tells it: `cause` of the problem `provider_refused`. */
export const testCauses = [
  "unreachable",
  "certificate",
  "credentials",
  "sender",
  "recipient",
  "settings",
  "busy",
  "timeout",
  "other",
] as const;
export type TestCause = (typeof testCauses)[number];

export const DeliveryResent = Type.Object({ delivery_id: Type.String({ description: "The new delivery." }) });
export const DeliveryCanceled = Type.Object({ delivery_id: Type.String(), status: OneOf(["canceled"]) });

export const Captured = Type.Object({
  id: Type.String(),
  delivery_id: Type.String(),
  channel: PushedChannel,
  recipient: Type.String(),
  message: JsonObject,
  captured_at: Instant,
});
export const CapturedList = ListOf(Captured);
export const OutboxQuery = Type.Object({
  ...ListQuery,
  channel: Type.Optional(PushedChannel),
  recipient: Type.Optional(Line(320)),
});

export const Health = Type.Object({
  queues: Type.Array(
    Type.Object({
      channel: PushedChannel,
      waiting: Type.Integer({ description: "Deliveries that are due and have not gone out." }),
      oldest_due_at: Type.Unsafe<string>({ ...Instant, description: "When the oldest of them was due." }),
    }),
    { description: "The channels in which something waits." },
  ),
  exact: Type.Boolean({
    description: "False while so much is due in the whole service that more of this workspace's may wait.",
  }),
  providers: Type.Object(
    { ok: Type.Integer(), resting: Type.Integer(), slow: Type.Integer() },
    { description: "How many providers, without local ones, are in each state." },
  ),
  database: Type.Object({
    answered_ms: Type.Integer({ description: "How long it took to answer now." }),
    accepts_writes: Type.Boolean(),
  }),
});
export type Health = Static<typeof Health>;
