import { type Static, Type } from "typebox";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, type Duration, Instant, ListOf, ListQuery, Name, Nullable, OneOf } from "../primitives.ts";

/** A length of time, counted back from now. */
export type Within = Static<typeof Duration>;
type Scalar = string | number | boolean;

/** A comparison of one value: of an attribute, or of a property of an event. */
export type Comparison =
  | { op: "eq" | "ne"; value: Scalar }
  | { op: "in"; value: Scalar[] }
  | { op: "gt" | "gte" | "lt" | "lte"; value: number | string }
  | { op: "contains" | "starts_with"; value: string }
  | { op: "exists"; value?: boolean }
  | { op: "before" | "after"; value: string }
  | { op: "within_last"; value: Within };

export const comparisonOps = [
  "eq",
  "ne",
  "in",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "starts_with",
  "exists",
  "before",
  "after",
  "within_last",
] as const satisfies Comparison["op"][];

export type AttributeFilter = { attribute: string } & Comparison;
export type PropertyFilter = { property: string } & Comparison;

export const countBounds = ["eq", "gt", "gte", "lt", "lte"] as const;
/** Bounds of a count. A count must be within all bounds that are given. */
export type Count = Partial<Record<(typeof countBounds)[number], number>>;

export const performing = ["performed", "not_performed"] as const;
type Performing = (typeof performing)[number];

export interface EventFilter {
  event: string;
  op: Performing;
  count?: Count;
  within?: Within;
  where?: PropertyFilter[];
}

export const messageBehaviours = [
  "sent",
  "delivered",
  "shown",
  "opened",
  "clicked",
  "dismissed",
  "bounced",
  "complained",
  "unsubscribed",
  "failed",
] as const;
export const audienceChannels = ["email", "push", "sms", "in_app"] as const;
type Channel = (typeof audienceChannels)[number];

export interface MessageFilter {
  message: (typeof messageBehaviours)[number];
  op: Performing;
  /** A broadcast, campaign, transactional or in-app message. If left out, any source counts. */
  source_id?: string;
  channel?: Channel;
  within?: Within;
}

export interface SubscribedFilter {
  subscribed: boolean;
  channel?: Channel;
  topic?: string;
}

/** The most characters of a text, and of the name of an attribute, event or property, and the most values of `in`. */
export const filterLimits = { texts: 1_000, names: 200, values: 1_000 } as const;

/** Selects people: a tree of conditions on one person's attributes, events and messages. */
export type Filter =
  | { all: Filter[] }
  | { any: Filter[] }
  | { not: Filter }
  | AttributeFilter
  | EventFilter
  | SubscribedFilter
  | MessageFilter
  | { audience: string };

/** The audiences slice validates filters itself, so that an error points at the condition: the error of so large a union is unreadable. */
const FilterTree = Type.Unsafe<object>({
  type: "object",
  "x-shape": "Filter",
  description:
    "A condition, or `all`, `any`, `not` of conditions: `attribute`, `event`, `subscribed`, `message`, `audience`. docs/audiences.md has each.",
  examples: [
    {
      all: [
        { attribute: "plan", op: "eq", value: "pro" },
        { event: "order_placed", op: "performed" },
      ],
    },
  ],
});

export const AudienceInput = Closed({
  name: Name,
  kind: Type.Optional(OneOf(["filter", "list"], { description: "Default: `filter`." })),
  filter: Type.Optional(FilterTree),
});
export type AudienceInput = Static<typeof AudienceInput>;

export const AudiencePatch = Closed({
  name: Type.Optional(Name),
  filter: Type.Optional(FilterTree),
  even_if_used: Type.Optional(
    Type.Boolean({
      description: "Changes the filter even if something uses the audience. Otherwise such a change is answered 409.",
    }),
  ),
});
export type AudiencePatch = Static<typeof AudiencePatch>;

const User = Type.Object({ type: Type.String(), id: Type.String(), name: Type.String() });
export type AudienceUser = Static<typeof User>;

const Kind = OneOf(["filter", "list"]);
const Summary = {
  id: Type.String(),
  name: Type.String(),
  kind: Kind,
  created_at: Instant,
  updated_at: Instant,
};
export const Audience = Type.Object({
  ...Summary,
  filter: Nullable(Type.Unsafe<object>({ type: "object", additionalProperties: true, "x-shape": "Filter" })),
  used_by: Type.Array(User, { description: "What uses this audience." }),
});
/** Audiences without their filters and uses. */
export const AudienceList = listing({
  item: Type.Object(Summary),
  finds: "a part of the name, or the beginning of the id, in any case",
  sorts: authoredSorts,
  defaultSort: "-created_at",
  facets: { kind: Kind },
});

export const AudiencePreviewInput = Closed({ filter: FilterTree });
export const AudiencePreview = Type.Object({
  count: Type.Integer(),
  sample: Type.Array(Type.Object({ person_id: Type.String() }), { description: "Up to 10 of them." }),
});

export const AudienceMembersQuery = Type.Object(ListQuery);
export const AudienceMemberList = ListOf(
  Type.Object({ person_id: Type.String(), email: Nullable(Type.String()), phone: Nullable(Type.String()) }),
);

/** One condition of the tree, and whether the person passes it. */
export interface ConditionResult {
  kind: "all" | "any" | "not" | "attribute" | "event" | "subscribed" | "message" | "audience" | "list";
  pass: boolean;
  detail: string;
  facts: ConditionFacts;
  of: ConditionResult[];
}

/** What `detail` says in English, for programs and other languages. */
export interface ConditionFacts {
  /** A condition without others in it, as the filter has it. */
  condition?: Filter;
  /** Of an attribute: what the person has. Missing where it is not set. */
  value?: unknown;
  /** Of an event: how many there are. */
  count?: number;
  /** Of an audience: its name. Missing where it is gone. */
  name?: string;
  /** Of `all` and `any`: how many of how many conditions hold. */
  hold?: number;
  total?: number;
}
export const AudienceVerdict = Type.Object({
  person_id: Type.String(),
  in: Type.Boolean(),
  because: Type.String({ description: "One sentence." }),
  verdict: Type.Unsafe<ConditionResult>({
    type: "object",
    additionalProperties: true,
    description:
      "Each condition with `pass`, `detail` in English, and `facts`: the same for programs and other languages; `of` has the conditions below it.",
  }),
});
