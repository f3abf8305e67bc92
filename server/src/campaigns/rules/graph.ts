import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { listsOf, stepsIn } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";
import { isDeepStrictEqual } from "node:util";

// A graph is what decides how people who are inside go on: the steps without what messages say, and the filter that ends runs. A change
// of anything else reaches the people inside: what messages say, at their next step; what lets people in, never, because they are in.

/** What a step does, without what messages say and without the steps in its lists. */
function own(step: Step): object {
  if (step.type === "message") {
    const { content: _content, message_id: _id, locales: _locales, variants: _variants, escalate, ...rest } = step;
    return { ...rest, escalate: escalate?.map(({ content: _c, message_id: _m, ...one }) => one) };
  }
  if (step.type === "split") return { ...step, arms: step.arms?.map(({ steps: _steps, ...arm }) => arm) };
  return { ...step, ...Object.fromEntries(listsOf(step, "").map(({ name }) => [name, undefined])) };
}

/** The order of the steps: each with the ids in its lists. */
const order = (steps: Step[]): unknown =>
  steps.map((step) => [step.id, ...listsOf(step, "").map(({ name, steps: inner }) => [name, order(inner)])]);

/** Whether people inside go on in the same way. */
export const sameGraph = (one: CampaignDefinition, other: CampaignDefinition): boolean =>
  isDeepStrictEqual(one.exit_when, other.exit_when) &&
  isDeepStrictEqual(order(one.steps), order(other.steps)) &&
  changedSteps(one, other).length === 0;

/** The ids of the steps that are in both and do something else now. */
export function changedSteps(before: CampaignDefinition, after: CampaignDefinition): string[] {
  const known = new Map(stepsIn(before.steps).map((step) => [step.id, own(step)]));
  return stepsIn(after.steps)
    .filter((step) => known.has(step.id) && !isDeepStrictEqual(known.get(step.id), own(step)))
    .map(({ id }) => id);
}
