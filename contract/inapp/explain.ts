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
const names = Type.Array(Type.String());
/** What a gate looked at, for programs that say it in words of their own. Which fields there are depends on the gate. */
export const GateFacts = Type.Object(
  {
    screen: Type.Optional(Nullable(Type.String())),
    include: Type.Optional(names),
    exclude: Type.Optional(names),
    nearly: Type.Optional({ ...names, description: "Patterns that the screen nearly fits." }),
    quiet: Type.Optional(
      Nullable(
        Type.Object({
          start: Type.String(),
          end: Type.String(),
          clock: OneOf(["workspace", "device"]),
          shows: Type.String({ description: "What that clock shows." }),
        }),
      ),
    ),
    expires_at: Type.Optional(Nullable(Type.String())),
    impressions: Type.Optional(Type.Integer()),
    max_impressions: Type.Optional(Nullable(Type.Integer())),
    until: Type.Optional(Nullable(Type.String({ description: "When the pause or the cap ends; null for none." }))),
    exempt: Type.Optional(Type.Boolean({ description: "Whether the workspace's cap does not count for it." })),
    status: Type.Optional(Type.String()),
  },
  { description: "What the gate looked at. `detail` says the same in English." },
);
export type GateFacts = Static<typeof GateFacts>;

export const Explanations = ListOf(
  Type.Object({
    delivery_id: Type.String(),
    message_id: Type.String(),
    eligible: Type.Boolean(),
    reason: Nullable(Type.String({ description: "The first gate that fails, in one sentence." })),
    gates: Type.Array(Type.Object({ gate: Gate, pass: Type.Boolean(), detail: Type.String(), facts: GateFacts })),
    next_eligible_at: Nullable(
      Type.String({ description: "When it becomes eligible by time alone, if that is known." }),
    ),
  }),
);
/** The context, as for the explainer; parts that are left out come from the last sync. */
export const TraceQuery = Type.Object({ ...look, at: ExplainQuery.properties.at });
export type TraceQuery = Static<typeof TraceQuery>;
const heldBy = Type.Array(
  Type.Object({
    gate: Gate,
    detail: Type.String(),
    facts: Type.Optional({ ...GateFacts, description: "As above; missing in what was noted by an older version." }),
  }),
);
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
