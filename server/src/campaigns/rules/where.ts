import type { Comparison, Filter } from "@tidings/contract/audience/audiences";
import type { StepBehaviour, StepFilter } from "@tidings/contract/campaigns/filters";
import { conditionsOf, propertiesMatch } from "../../audiences/index.ts";

// The filters of a campaign: those of audiences with two more conditions, on the trigger's data and on the outcome of a step's message.

/** The outcome of a step's message. Opens by machines do not count. */
export type Behaviour = Record<StepBehaviour, boolean>;

/** The facts about one run that a filter needs. */
export interface RunFacts {
  /** Whether a condition of audiences holds for the person. */
  holds(filter: Filter): boolean;
  trigger: Record<string, unknown>;
  /** The outcomes by step id. For a step that the run did not pass, none of them holds. */
  steps: Map<string, Behaviour>;
  now: Date;
}

/** Whether a filter holds for a run. */
export function passes(filter: StepFilter, facts: RunFacts): boolean {
  if ("all" in filter) return (filter.all as StepFilter[]).every((one) => passes(one, facts));
  if ("any" in filter) return (filter.any as StepFilter[]).some((one) => passes(one, facts));
  if ("not" in filter) return !passes(filter.not as StepFilter, facts);
  if ("trigger" in filter) {
    const { trigger: property, ...comparison } = filter;
    return propertiesMatch(
      facts.trigger,
      [{ property, ...comparison } as { property: string } & Comparison],
      facts.now,
    );
  }
  if ("step" in filter) return facts.steps.get(filter.step)?.[filter.op] ?? false;
  return facts.holds(filter);
}

/** Returns the conditions of audiences in a filter, and the ids of the steps that it refers to. */
export function conditionsIn(filter: StepFilter): { conditions: Filter[]; steps: Set<string> } {
  const found = { conditions: [] as Filter[], steps: new Set<string>() };
  for (const one of conditionsOf(filter)) {
    if ("step" in one) found.steps.add(one.step);
    else if (!("trigger" in one)) found.conditions.push(one);
  }
  return found;
}
