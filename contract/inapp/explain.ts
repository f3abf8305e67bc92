import { type Static, Type } from "typebox";
import { look } from "./messages.ts";
import { Instant, ListOf, ListQuery, Nullable, OneOf } from "../primitives.ts";

export const ExplainQuery = Type.Object({
  ...ListQuery,
  ...look,
  at: Type.Optional(Type.String({ ...Instant, description: "Explains for this time. Default: now." })),
});
export type ExplainQuery = Static<typeof ExplainQuery>;
export const Gate = OneOf(["screen", "quiet_hours", "expiry", "impressions", "interval", "cap", "status"]);
export type Gate = Static<typeof Gate>;
export const Explanations = ListOf(
  Type.Object({
    delivery_id: Type.String(),
    message_id: Type.String(),
    eligible: Type.Boolean(),
    reason: Nullable(Type.String({ description: "The first gate that fails, in one sentence." })),
    gates: Type.Array(Type.Object({ gate: Gate, pass: Type.Boolean(), detail: Type.String() })),
    next_eligible_at: Nullable(
      Type.String({ description: "When it becomes eligible by time alone, if that is known." }),
    ),
  }),
);
/** The context, as for the explainer; parts that are left out come from the last sync. */
export const TraceQuery = Type.Object({ ...look, at: ExplainQuery.properties.at });
export type TraceQuery = Static<typeof TraceQuery>;
const heldBy = Type.Array(Type.Object({ gate: Gate, detail: Type.String() }));
export const InAppTestTrace = Type.Object({
  delivery_id: Type.String(),
  message_id: Type.String(),
  person_id: Nullable(Type.String()),
  status: Type.String(),
  queued_at: Instant,
  fetched_at: Nullable(Type.String({ ...Instant, description: "When a sync first returned it." })),
  shown_at: Nullable(Instant),
  clicked_at: Nullable(Instant),
  dismissed_at: Nullable(Instant),
  expires_at: Nullable(Instant),
  held_by: {
    ...heldBy,
    description:
      "The gates that hold it back now, or at `at`: from the screen and zone of the query, else from those of the last sync.",
  },
  next_eligible_at: Nullable(Type.String({ description: "When it becomes eligible by time alone, if that is known." })),
  last_sync: Nullable(
    Type.Object(
      {
        at: Instant,
        screen: Nullable(Type.String()),
        timezone: Nullable(Type.String()),
        tz_offset_minutes: Nullable(Type.Integer()),
        returned: Type.Boolean(),
        held_by: heldBy,
      },
      { description: "The last sync that considered it: its screen and context, and the gates that held it back." },
    ),
  ),
});
export const NearMisses = Type.Object({
  data: Type.Array(
    Type.Object({
      person_id: Type.String(),
      screen: Nullable(Type.String()),
      last_seen: Instant,
      count: Type.Integer(),
    }),
  ),
});
