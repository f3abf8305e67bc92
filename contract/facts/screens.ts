import { type Static, Type } from "typebox";
import { Instant, Line, ListOf, ListQuery, OneOf } from "../primitives.ts";

export const ScreenQuery = Type.Object({
  ...ListQuery,
  q: Type.Optional(Line(200, { description: "A part of the name, in upper or lower case." })),
  include: Type.Optional(OneOf(["usage"], { description: "Adds `similar` and `used_by` to each screen." })),
});
export const ScreenUser = Type.Object({
  id: Type.String(),
  name: Type.String(),
  rule: OneOf(["include", "exclude"], {
    description: "Whether the message shows on this screen because of its rules, or does not.",
  }),
});
export type ScreenUser = Static<typeof ScreenUser>;

export const Screen = Type.Object({
  name: Type.String(),
  first_seen: Instant,
  last_seen: Instant,
  similar: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Other screens whose names differ only in case, separators, or a slash at the start or the end: perhaps the same screen. At most 5.",
    }),
  ),
  used_by: Type.Optional(
    Type.Array(ScreenUser, {
      description: "In-app messages that name this screen in their rules, also by a wildcard. At most 20.",
    }),
  ),
});
export const ScreenList = ListOf(Screen);
