import { type Static, Type } from "typebox";
import { Closed, Dictionary, JsonObject, Line, Nullable, OneOf, OrderedAs, PersonId } from "../primitives.ts";
import { SubscriptionPreference, TopicId, Tracking } from "./transactionals.ts";

// The fields of a sending: a broadcast, or a message step of a campaign.

const MessageId = Line(100, {
  minLength: 1,
  description: "In-app: the definition, whose newest version is fixed when sending starts.",
});
const Content = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  "x-shape": "Content",
  description: "Email, push and SMS: as in a transactional; `{{person.*}}` is the recipient.",
});
/** What some of the people get instead: for in-app another message, for the other channels another content of the same shape. */
const editionContent = { message_id: Type.Optional(MessageId), content: Type.Optional(Content) };
const Locales = Nullable(
  Dictionary(Closed(editionContent), {
    maxProperties: 50,
    description:
      "By language tag, e.g. `de` or `pt-BR`: what people with this `locale` get instead (RFC 4647 lookup: pt-BR, pt, then the default).",
  }),
);
/** The name of a variant. It begins with a letter or a digit, because URLs and tables contain it. */
const VariantName = Type.String({
  maxLength: 50,
  pattern: "^[\\p{L}\\p{N}][^\\p{Cc}\\p{Cs}]*$",
  "x-says": "must begin with a letter or a digit and have no control characters",
  examples: ["A"],
});
const Variants = Nullable(
  Type.Array(
    Closed({
      name: VariantName,
      weight: Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: "Its share of the people, in proportion to the other weights.",
      }),
      ...editionContent,
      locales: Type.Optional(Locales),
    }),
    { minItems: 2, maxItems: 10, description: "An A/B split, in place of content or message_id." },
  ),
);
const Holdout = Type.Number({
  minimum: 0,
  maximum: 50,
  description: "Percent of the audience that gets nothing, for comparison; at most two decimals.",
});

/** The content of a sending: one content for all people, or variants, each of them also in other languages. */
export const editions = {
  ...editionContent,
  locales: Type.Optional(Locales),
  variants: Type.Optional(Variants),
};
const EditionsInput = Closed(editions);
export type EditionsInput = Static<typeof EditionsInput>;

export const WhenHeld = OneOf(["wait", "drop"], {
  description:
    "What becomes of a message that the workspace's `marketing_limits` hold back: it waits, or is left out. Default: wait. A broadcast waits for the window only.",
});
export type WhenHeld = Static<typeof WhenHeld>;

/** How a sending is sent. */
export const rules = {
  holdout_percent: Type.Optional(Holdout),
  topic_id: Type.Optional(TopicId),
  tracking: Type.Optional(Tracking),
  subscription_preference: Type.Optional(SubscriptionPreference),
  when_held: Type.Optional(WhenHeld),
};
const RulesInput = Closed(rules);
export type RulesInput = Static<typeof RulesInput>;

/** The content as it was written. Once sending starts, each also has `message_version`, or `template_version` in its content. */
const EditionContent = Type.Object({
  message_id: Type.Optional(Type.String()),
  message_version: Type.Optional(Type.Integer()),
  content: Type.Optional(OrderedAs("Content")),
});
export const EditionsByLocale = Nullable(Dictionary(EditionContent));

export const EditionsByVariant = Nullable(
  Type.Array(
    Type.Object({
      name: Type.String(),
      weight: Type.Integer(),
      ...EditionContent.properties,
      locales: Type.Optional(EditionsByLocale),
    }),
  ),
);

const Sample = Type.Array(Type.String(), { description: "Up to five person_ids." });
const Counted = {
  will_receive: Type.Integer(),
  excluded: Dictionary(Type.Integer(), {
    description:
      "People by the reason for which they get nothing: `unsubscribed`, `suppressed` and `no_address` always, others where there are any; `same_address` for those whose address another of them has, who gets it there; `held_by_limit` and `held_by_window` for those whom `marketing_limits` exclude.",
  }),
};
/** Sample people for each of these. */
export const samplesOf = (which: string) => Dictionary(Sample, { description: `Sample people for ${which}.` });

export const Preflight = Type.Object({
  audience: Type.Integer({ description: "The sum of `will_receive`, `held_out` and everybody excluded." }),
  ...Counted,
  held_out: Type.Integer({ description: "Everybody who is held out, including people who would be excluded." }),
  variants: Type.Optional(Dictionary(Type.Object(Counted), { description: "These numbers for each variant." })),
  locales: Type.Optional(
    Dictionary(Type.Integer(), {
      description: "How many will receive it in each language; `default` for people whose language has no edition.",
    }),
  ),
  held: Type.Optional(
    Type.Integer({
      description: "How many of `will_receive` get it later, when their sending window opens. Absent without a window.",
    }),
  ),
  samples: samplesOf("`will_receive`, `held`, `held_out` and each reason"),
});
export type Preflight = Static<typeof Preflight>;

export const TestSend = Closed({
  person_id: PersonId,
  variant: Type.Optional(Line(50, { description: "The variant to use. Default: the person's own." })),
  locale: Type.Optional(
    Nullable(
      Line(100, { description: "The locale to use; null for the default language. If left out: the person's own." }),
    ),
  ),
});
export type TestSend = Static<typeof TestSend>;
export const TestSent = Type.Object({ delivery_id: Type.String() });
