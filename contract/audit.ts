import { type Static, Type } from "typebox";
import { Instant, Line, ListOf, ListQuery, Nullable, OneOf } from "./primitives.ts";

const actorTypes = ["api_key", "member", "command", "system"] as const;
export const Actor = Type.Object(
  {
    type: OneOf([...actorTypes]),
    id: Nullable(
      Type.String({ description: "The id of the key or member; null for commands and the service itself." }),
    ),
    name: Type.String({ description: "Its name at that time." }),
  },
  { description: "Who made a change: an API key, a member, a command of `tidings`, or the service itself." },
);
export type Actor = Static<typeof Actor>;

export const Difference = Type.Object({
  field: Type.String({
    description: "JSON pointer; an element with an `id` is named by it: `/steps/welcome/content`.",
  }),
  from: Type.Optional(Type.Unknown({ description: "Missing where there was nothing." })),
  to: Type.Optional(
    Type.Unknown({
      description:
        "Missing where nothing is left. A text over 2,048 characters is `{excerpt, characters, sha256}`; a secret is only `changed`.",
    }),
  ),
});
export type Difference = Static<typeof Difference>;

export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Instant,
  action: Type.String({ description: "What was done, such as `broadcast.changed` or `campaign.activated`." }),
  actor: Actor,
  resource: Type.Object({
    type: Type.String({ description: "Such as `broadcast`, `api_key` or `person`." }),
    id: Type.String({ description: "Of a person or a suppressed address it is only a hash." }),
    name: Type.String({ description: "Its name at that time." }),
  }),
  changes: Type.Array(Difference),
  changes_left_out: Type.Integer({ description: "How many changed fields were too many for the entry (over 200)." }),
  request_id: Nullable(Type.String()),
});
export const AuditList = ListOf(AuditEntry);
const text = (description: string) => Type.Optional(Line(256, { minLength: 1, description }));
export const AuditQuery = Type.Object({
  ...ListQuery,
  resource: text("A type, such as `broadcast`, or the id of one resource."),
  actor: text("A type, such as `member`, or the id of one key or member."),
  action: text("Such as `broadcast.changed`."),
  person_id: text("The changes of one person, also of an erased one."),
  since: Type.Optional(Instant),
  until: Type.Optional(Instant),
});
