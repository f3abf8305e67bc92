import { Type } from "typebox";
import { Instant, Line, ListOf, ListQuery } from "../primitives.ts";

export const ScreenQuery = Type.Object({
  ...ListQuery,
  q: Type.Optional(Line(200, { description: "A part of the name, in upper or lower case." })),
});
export const ScreenList = ListOf(Type.Object({ name: Type.String(), first_seen: Instant, last_seen: Instant }));
