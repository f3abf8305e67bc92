import type { Comparison, Filter } from "@tidings/contract/audience/audiences";
import type { StepBehaviour, StepFilter } from "@tidings/contract/campaigns/filters";
import { propertiesMatch } from "../../audiences/index.ts";

// The filters of a campaign: those of audiences, with two conditions more. They ask what let the run in, and what became of a step.

/** What became of the message of a step. Machine opens count for nothing. */
export type Behaviour = Record<StepBehaviour, boolean>;

/** What a filter asks of one run. */
export interface RunFacts {
  /** Whether an audience's condition holds for the person. */
  holds(filter: Filter): boolean;
  trigger: Record<string, unknown>;
  /** By the step's id; a step that the run did not pass did nothing. */
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

/** The conditions that audiences know, and the steps that are asked about. */
export function askedIn(filter: StepFilter): { conditions: Filter[]; steps: Set<string> } {
  const asked = { conditions: [] as Filter[], steps: new Set<string>() };
  const walk = (node: StepFilter): void => {
    if ("all" in node) (node.all as StepFilter[]).forEach(walk);
    else if ("any" in node) (node.any as StepFilter[]).forEach(walk);
    else if ("not" in node) walk(node.not as StepFilter);
    else if ("step" in node) asked.steps.add(node.step);
    else if (!("trigger" in node)) asked.conditions.push(node);
  };
  walk(filter);
  return asked;
}
