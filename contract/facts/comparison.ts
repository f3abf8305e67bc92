import { type Static, Type } from "typebox";
import { Nullable, OneOf } from "../primitives.ts";

// Groups of people whose rates are compared.

/** People, and how many of them reached the goal. */
export const GoalGroup = Type.Object({
  people: Type.Integer(),
  reached: Type.Integer(),
  rate: Nullable(Type.Number({ description: "`reached` / `people`; null without people." })),
});
export type GoalGroup = Static<typeof GoalGroup>;

export const ComparisonVerdict = OneOf(["not_enough_yet", "no_clear_difference", "higher", "lower"], {
  description:
    "`not_enough_yet`: too few people or conversions. `no_clear_difference`: the interval includes 0. `higher` and `lower`: the interval does not include 0.",
});
export type ComparisonVerdict = Static<typeof ComparisonVerdict>;

/** The difference of two rates, with its uncertainty. */
export const Lift = Type.Object({
  against: Type.String({ description: "The other group: `held_out`, or the name of the first variant." }),
  difference: Nullable(
    Type.Number({
      description: "The rate of this group less that of the other one, from -1 to 1; null if one is empty.",
    }),
  ),
  interval: Nullable(
    Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: "The difference's 95 % confidence interval, by Newcombe's hybrid score method.",
    }),
  ),
  enough: Type.Boolean({
    description: "Whether each group has at least 100 people, and both together at least 20 who reached the goal.",
  }),
  verdict: ComparisonVerdict,
});
export type Lift = Static<typeof Lift>;
