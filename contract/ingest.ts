import { type Static, Type } from "typebox";
import { Instant, JsonObject, Line, OneOf, Open, PersonId } from "./primitives.ts";

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
      reason: Type.Optional(OneOf(["empty", "too_long", "technical_name"])),
    }),
  ),
});
export type Tracked = Static<typeof Tracked>;

export const Batch = Open({
  items: Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: 1000,
    description: "Identify and track calls, each with `type`.",
  }),
});
export const BatchResult = Type.Object({
  results: Type.Array(Type.Object({ status: Type.Integer(), code: Type.Optional(Type.String()) })),
});
