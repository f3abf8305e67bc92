// `x-says` is the error text for a value that does not match the pattern beside it.

import { type Static, type TObject, type TObjectOptions, type TProperties, type TSchema, Type } from "typebox";

/** The workspace's own id of a person: 1 to 256 characters, no control characters, well-formed Unicode. */
export const PersonId = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: "^[^\\p{Cc}\\p{Cs}]+$",
  "x-says": "must have no line breaks or other control characters",
  description: "The workspace's own id of the person, the same as on identify.",
});

/** ISO 8601 instant. Checked by the keyword `x-instant`, which also refuses 30 February and the year 275760. */
export const Instant = Type.String({ maxLength: 40, "x-instant": true, examples: ["2026-01-31T12:00:00.000Z"] });

/** One line of text: no line breaks or other control characters, so it can stand in a header. */
export const Line = (maxLength: number, options: object = {}) =>
  Type.String({
    maxLength,
    pattern: "^[^\\p{Cc}\\p{Cs}]*$",
    "x-says": "must have no line breaks or other control characters",
    ...options,
  });

/** A display name. */
export const Name = Line(200, { minLength: 1 });

/** An object whose unknown fields are refused: product API and transactional triggers. */
export const Closed = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** An object whose unknown fields are ignored: ingestion and in-app routes, whose clients may be of any age. */
export const Open = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, options);

/** One of these strings. */
export const OneOf = <const V extends string[]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ type: "string", enum: values, ...options });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An object of values by any name. Type.Record() uses the pattern `^.*$`, which matches no line break: answers would lack such names. */
export function Dictionary<T extends TSchema>(item: T, options: object = {}) {
  return Type.Unsafe<Record<string, Static<T>>>({ type: "object", additionalProperties: item, ...options });
}

/** Any JSON object, as person attributes and message data are. */
export const JsonObject = Dictionary(Type.Unknown());

/** A JSON object in an answer, with the fields of this shape (see shapes.ts) in its order. It may lack some of them, as a draft may, and have others. */
export const OrderedAs = (shape: string) => Dictionary(Type.Unknown(), { "x-order": shape });

/** Query of every list: `{ "data": [...], "next_cursor": string | null }`. */
export const ListQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  // A name of 200 characters may be 1,000 characters of a cursor.
  cursor: Type.Optional(Type.String({ maxLength: 2_000 })),
};

/** An element of a list, with the tag that it has. */
export const Tagged = <T extends TProperties>(item: TObject<T>) =>
  Type.Object({
    ...item.properties,
    etag: Type.String({
      description: "Its ETag, for `If-Match`: a change of another version is 412 `changed_meanwhile`.",
    }),
  });

export const ListOf = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next_cursor: Nullable(Type.String()) });

/** A length of time, such as 3 days. */
export const Duration = Closed({
  amount: Type.Integer({ minimum: 1, maximum: 100_000 }),
  unit: OneOf(["minutes", "hours", "days"]),
});
