import { type Static, Type } from "typebox";
import { Instant, JsonObject, Line, ListOf, ListQuery, Nullable, OneOf, Open, PersonId } from "../primitives.ts";

export const Track = Open({
  person_id: PersonId,
  eventName: Line(200, { minLength: 1, description: "`screen_view` goes to the screen catalog only." }),
  properties: Type.Optional(JsonObject),
  ts: Type.Optional(Instant),
  event_id: Type.Optional(
    Line(200, { minLength: 1, description: "A repeat with the same event_id within 7 days counts once." }),
  ),
});
export type Track = Static<typeof Track>;

export const Tracked = Type.Object({
  event_id: Type.Optional(Type.String()),
  recorded: Type.Boolean({ description: "False for a repeat, and for a screen_view." }),
  screen: Type.Optional(
    Type.Object({
      name: Type.String(),
      accepted: Type.Boolean(),
      reason: Type.Optional(OneOf(["empty", "too_long", "technical_name", "too_many"])),
    }),
  ),
});
export type Tracked = Static<typeof Tracked>;

export const PersonEvent = Type.Object({
  id: Type.String(),
  name: Type.String({ description: "The `eventName` of its `track`." }),
  properties: JsonObject,
  ts: Type.Unsafe<string>({ ...Instant, description: "When it happened." }),
  received_at: Instant,
});
export const PersonEventList = ListOf(PersonEvent);
export const PersonEventsQuery = Type.Object({
  ...ListQuery,
  name: Type.Optional(Line(200, { minLength: 1 })),
  since: Type.Optional(Instant),
  until: Type.Optional(Type.Unsafe<string>({ ...Instant, description: "Only before this time." })),
});

export const Batch = Open({
  items: Type.Array(Type.Unsafe<unknown>({ "x-shape": "IngestionItem" }), {
    minItems: 1,
    maxItems: 1000,
    description: "Identify and track calls, each with `type`.",
  }),
});
export const BatchResult = Type.Object({
  results: Type.Array(Type.Object({ status: Type.Integer(), code: Type.Optional(Type.String()) })),
});

export const Rejected = Type.Object({
  id: Type.String(),
  at: Instant,
  route: Type.String({ description: "Method and route of the request, e.g. `POST /data-gateway/v1/batch`." }),
  item: Nullable(Type.Integer({ description: "The index of the item in a batch, from 0." })),
  request_id: Type.String(),
  person_id: Nullable(Type.String({ description: "Null if it named no person, or an erased one." })),
  code: Type.String({
    description: "An error code, or the name of a part that was ignored without an error; see docs/ingestion.md.",
  }),
  reason: Type.String(),
  errors: Type.Array(
    Type.Object({
      pointer: Type.Optional(Type.String()),
      parameter: Type.Optional(Type.String()),
      message: Type.String(),
    }),
  ),
  data: Type.Unsafe<unknown>({
    description: "The item as it arrived, shortened and without secrets. Null if it could not be parsed.",
  }),
});
export const RejectedList = ListOf(Rejected);
export const RejectedQuery = Type.Object({
  ...ListQuery,
  code: Type.Optional(Line(100)),
  route: Type.Optional(Line(200, { description: "Method and route of the request, as in `route` of the answer." })),
  person_id: Type.Optional(PersonId),
  since: Type.Optional(Instant),
  until: Type.Optional(Instant),
});
export type RejectedQuery = Static<typeof RejectedQuery>;

export const RejectedCountsQuery = Type.Object({
  since: Type.Optional(Type.Unsafe<string>({ ...Instant, description: "Default: 24 hours ago. Counted by hours." })),
});
export const RejectedCounts = Type.Object({
  since: Instant,
  rejected: Type.Integer(),
  data: Type.Array(
    Type.Object({
      route: Type.String(),
      code: Type.String(),
      rejected: Type.Integer(),
      not_kept: Type.Integer({ description: "Items that were only counted, because too many arrived at once." }),
      last_at: Instant,
    }),
  ),
});
