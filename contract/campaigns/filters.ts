import { type TProperties, Type } from "typebox";
import type { Comparison, Filter } from "../audience/audiences.ts";
import { Compared, FilterShape } from "../audience/filter-shape.ts";
import { Closed, OneOf } from "../primitives.ts";
import { StepId } from "./steps.ts";

// The filters of a campaign: those of audiences, and two more conditions: on the event or call that let the person in, and on the
// state of the message of an earlier step.

/** A comparison of a value of the trigger that let the person in: a property of the event, or a field of the API call's `data`. */
export type TriggerFilter = { trigger: string } & Comparison;

const stepBehaviours = ["sent", "seen", "clicked", "failed"] as const;
export type StepBehaviour = (typeof stepBehaviours)[number];

/** The state of the message of an earlier step. Seen is an impression, an open by a human, or a click. */
export interface BehaviourFilter {
  step: string;
  op: StepBehaviour;
}

export type StepFilter =
  | { all: StepFilter[] }
  | { any: StepFilter[] }
  | { not: StepFilter }
  | TriggerFilter
  | BehaviourFilter
  | Exclude<Filter, { all: Filter[] } | { any: Filter[] } | { not: Filter }>;

/** The reference to the filter's schema, for a filter inside a filter. */
const Inner = Type.Unsafe<StepFilter>({ "x-shape": "StepFilter" });
const triggerField: TProperties = { trigger: Type.String({ minLength: 1, maxLength: 200 }) };

export const BehaviourShape = Closed({ step: StepId, op: OneOf([...stepBehaviours]) });

export const StepFilterShape = Type.Union(
  [
    Closed({ all: Type.Array(Inner) }),
    Closed({ any: Type.Array(Inner, { minItems: 1 }) }),
    Closed({ not: Inner }),
    Compared(triggerField),
    BehaviourShape,
    ...FilterShape.anyOf.slice(3),
  ],
  {
    description:
      "A filter of audiences with two more conditions: `trigger` compares a value of the data that started the run, `step` asks for the outcome of an earlier step's message.",
  },
);
