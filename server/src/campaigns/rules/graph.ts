import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { listsOf, stepsIn } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";
import { isDeepStrictEqual } from "node:util";

// The graph is the part of a definition that decides how active runs continue: the steps without the content of messages, and the filter
// that ends runs. Any other change makes no new graph: new content reaches active runs at their next step, and rules for entry do not
// concern them.

/** Returns a step without the content of messages and without the steps in its lists. */
function own(step: Step): object {
  if (step.type === "message") {
    const { content: _content, message_id: _id, locales: _locales, variants: _variants, escalate, ...rest } = step;
    return { ...rest, escalate: escalate?.map(({ content: _c, message_id: _m, ...one }) => one) };
  }
  if (step.type === "split") return { ...step, arms: step.arms?.map(({ steps: _steps, ...arm }) => arm) };
  return { ...step, ...Object.fromEntries(listsOf(step, "").map(({ name }) => [name, undefined])) };
}

/** Returns the ids of the steps in order, each with the ids in its lists. */
const order = (steps: Step[]): unknown =>
  steps.map((step) => [step.id, ...listsOf(step, "").map(({ name, steps: inner }) => [name, order(inner)])]);

/** Whether active runs continue in the same way under both definitions. */
export const sameGraph = (one: CampaignDefinition, other: CampaignDefinition): boolean =>
  isDeepStrictEqual(one.exit_when, other.exit_when) &&
  isDeepStrictEqual(order(one.steps), order(other.steps)) &&
  changedSteps(one, other).length === 0;

/** Returns the ids of the steps that are in both definitions and differ. */
export function changedSteps(before: CampaignDefinition, after: CampaignDefinition): string[] {
  const earlier = new Map(stepsIn(before.steps).map((step) => [step.id, own(step)]));
  return stepsIn(after.steps)
    .filter((step) => earlier.has(step.id) && !isDeepStrictEqual(earlier.get(step.id), own(step)))
    .map(({ id }) => id);
}
