import { type TProperties, type TSchema, Type } from "typebox";
import { Closed, Duration, OneOf } from "../primitives.ts";
import {
  audienceChannels,
  type Comparison,
  countBounds,
  type Filter,
  filterLimits,
  messageBehaviours,
  performing,
} from "./audiences.ts";

// The shape of a filter, for the OpenAPI document. The audiences slice validates filters by hand, so that an error names the
// condition; a test there checks that both agree.

const { names, texts, values } = filterLimits;

/** The reference to the filter's schema, for a filter inside a filter. */
const Again = Type.Unsafe<Filter>({ "x-shape": "Filter" });
const Text = (options: object = {}) => Type.String({ maxLength: texts, ...options });
const Named = Type.String({ minLength: 1, maxLength: names });
const Scalar = Type.Union([Text(), Type.Number(), Type.Boolean()]);
const Ops = (...ops: Comparison["op"][]) => OneOf(ops);
const Id = (prefix: string) => Type.String({ pattern: `^${prefix}_` });
const Within = { within: Type.Optional(Duration) };
const Channel = { channel: Type.Optional(OneOf([...audienceChannels])) };
const Performing = { op: OneOf([...performing]) };

const comparisons: { op: TSchema; value: TSchema }[] = [
  { op: Ops("eq", "ne"), value: Scalar },
  { op: Ops("in"), value: Type.Array(Scalar, { minItems: 1, maxItems: values }) },
  { op: Ops("gt", "gte", "lt", "lte"), value: Type.Union([Type.Number(), Text({ minLength: 1 })]) },
  { op: Ops("contains", "starts_with"), value: Text({ minLength: 1 }) },
  { op: Ops("exists"), value: Type.Optional(Type.Boolean()) },
  {
    op: Ops("before", "after"),
    value: Text({ description: "An ISO 8601 time, or a date.", examples: ["2026-01-31T12:00:00Z", "2026-01-31"] }),
  },
  { op: Ops("within_last"), value: Duration },
];
/** A comparison with the field that names what is compared. */
export const Compared = (subject: TProperties) =>
  Type.Union(comparisons.map((comparison) => Closed({ ...subject, ...comparison })));

const Count = Closed(
  Object.fromEntries(
    countBounds.map((bound) => [bound, Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }))]),
  ),
  { minProperties: 1 },
);

/** A condition on a property of an event. */
export const PropertyFilterShape = Compared({ property: Named });

export const FilterShape = Type.Union(
  [
    Closed({ all: Type.Array(Again) }),
    Closed({ any: Type.Array(Again, { minItems: 1 }) }),
    Closed({ not: Again }),
    Compared({ attribute: Named }),
    Closed({
      event: Named,
      ...Performing,
      count: Type.Optional(Count),
      ...Within,
      where: Type.Optional(Type.Array(PropertyFilterShape)),
    }),
    Closed({ subscribed: Type.Boolean(), ...Channel, topic: Type.Optional(Id("top")) }),
    Closed({
      message: OneOf([...messageBehaviours]),
      ...Performing,
      source_id: Type.Optional(Id("(?:bc|cmp|tx|msg)")),
      ...Channel,
      ...Within,
    }),
    Closed({ audience: Id("aud") }),
  ],
  {
    description:
      "Selects people: a condition, or `all`, `any` or `not` of conditions. docs/audiences.md describes each.",
  },
);
