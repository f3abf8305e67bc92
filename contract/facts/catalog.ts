import { type Static, Type } from "typebox";
import { Instant, Line, ListOf, ListQuery, Nullable, OneOf } from "../primitives.ts";

/** The types of values. A `time` is a text that is an ISO 8601 date or instant. */
export const ValueType = OneOf(["string", "number", "boolean", "object", "array", "time"]);
export type ValueType = Static<typeof ValueType>;

export const CatalogQuery = Type.Object({
  ...ListQuery,
  q: Type.Optional(Line(200, { description: "A part of the name, in upper or lower case." })),
});

const full = Type.Boolean({
  description: "Whether the catalog has as many names as it takes. Then it takes no new ones until old ones leave it.",
});

const CatalogEvent = {
  name: Type.String(),
  first_seen: Instant,
  last_seen: Type.Unsafe<string>({ ...Instant, description: "Within a minute." }),
  recent_count: Type.Integer({ description: "About how many were recorded since yesterday 00:00 UTC." }),
};
export const CatalogEventList = Type.Object({ ...ListOf(Type.Object(CatalogEvent)).properties, full });

/** A property of an event, or an attribute of people. */
export const CatalogField = Type.Object({
  name: Type.String(),
  types: Type.Array(ValueType, { description: "All types that its values ever had." }),
  first_seen: Instant,
  last_seen: Type.Unsafe<string>({ ...Instant, description: "Within an hour." }),
  people: Type.Integer({ description: "How many people of the sample have it." }),
  values: Type.Array(
    Type.Object({ value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]), people: Type.Integer() }),
    {
      description:
        "The most common values, each of at least 5 people of the sample. Empty where values could name a person.",
    },
  ),
});
export type CatalogField = Static<typeof CatalogField>;

const sample = (what: string) =>
  Type.Integer({ description: `How many ${what} were read for \`people\` and \`values\`.` });
export const CatalogEventDetail = Type.Object({
  ...CatalogEvent,
  properties: Type.Array(CatalogField),
  full,
  sample: sample("of the newest events"),
});
export const CatalogAttributeList = Type.Object({
  data: Type.Array(CatalogField),
  next_cursor: Nullable(Type.String()),
  full,
  sample: sample("people, the last changed ones,"),
});
