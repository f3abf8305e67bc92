import { type Static, Type } from "typebox";
import { Instant, JsonObject, Nullable, OneOf } from "./primitives.ts";

const kinds = ["activity", "progress", "changed"] as const;
export type LiveKind = (typeof kinds)[number];

export const LiveQuery = Type.Object({
  events: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "`activity`, `progress` and `changed`, separated by commas. Default: all.",
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description: "Begins after this event, as `Last-Event-ID` does; also a `next_cursor` of `GET /api/v1/events`.",
    }),
  ),
});

/** Returns the kinds that a query names; undefined if it names another one. */
export function liveKinds(events: string | undefined): Set<LiveKind> | undefined {
  if (events === undefined) return new Set(kinds);
  const named = events.split(",").map((kind) => kind.trim());
  return named.every((kind) => (kinds as readonly string[]).includes(kind)) ? new Set(named as LiveKind[]) : undefined;
}

const progress = {
  type: OneOf(["broadcasts", "campaigns", "imports", "webhooks"], { description: "The first part of its route." }),
  id: Type.String(),
  status: Type.String({
    description: "That of the broadcast, campaign or import; of a replay to a webhook `running` or `done`.",
  }),
  progress: Nullable(JsonObject),
};

/** `event: progress`: work of a resource moved on. */
export const LiveProgress = Type.Object(progress);
export type LiveProgress = Static<typeof LiveProgress>;

/** A task that takes long, as `GET /tasks` lists it. */
export const Task = Type.Object({
  ...progress,
  name: Type.String({ description: "Of the resource; of an import what it is read into, of a webhook its address." }),
  target: Nullable(Type.String({ description: "The audience that an import is read into." })),
  started_at: Nullable(Instant),
});
export type Task = Static<typeof Task>;
export const TaskList = Type.Object({ data: Type.Array(Task) });

/** `event: changed`: a call of the product API changed a resource. */
export const LiveChanged = Type.Object({
  type: Type.String({ description: "The first part of its route, such as `broadcasts`." }),
  id: Nullable(Type.String({ description: "Null where the call changed several, or one without an id." })),
});
export type LiveChanged = Static<typeof LiveChanged>;
