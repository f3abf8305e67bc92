import type { CampaignDefinition, Inside } from "@tidings/contract/campaigns/campaigns";
import { type Journey, listsOf, stepsIn } from "@tidings/contract/campaigns/journey";
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

// Decides what becomes of a run whose graph is not the newest one. Each activation that made a new graph decided about the runs of earlier
// graphs. The decisions are kept with the versions, so that a run can be settled at any time after the activation, with the same result.

/** A graph of a campaign, as its newest version has it. */
export interface PublishedGraph {
  graph: number;
  definition: CampaignDefinition;
  journey: Journey;
  /** What its first version decided about the runs of earlier graphs; null decides nothing. */
  inside: Inside | null;
  /** When its first version was published. */
  publishedAt: Date;
}

/** What becomes of a run. */
export type Fate =
  | { kind: "stays" }
  /** `again`: the step differs in the new graph, so the run evaluates it again. */
  | { kind: "moves"; graph: number; stepId: string; again: boolean }
  | { kind: "ends"; reason: "step_gone" | "campaign_changed" };

/** Returns what becomes of a run at a step, by the decisions about all later graphs in their order. */
export function fateOf({ graph, stepId }: { graph: number; stepId: string }, graphs: PublishedGraph[]): Fate {
  const later = graphs.filter((one) => one.graph > graph).toSorted((a, b) => a.graph - b.graph);
  let target: PublishedGraph | undefined;
  for (const one of later) {
    if (one.inside === "end") return { kind: "ends", reason: "campaign_changed" };
    if (one.inside !== "move") continue;
    if (!one.journey.nodes.has(stepId)) return { kind: "ends", reason: "step_gone" };
    target = one;
  }
  if (!target) return { kind: "stays" };
  const before = graphs.find((one) => one.graph === graph);
  const again = !before || changedSteps(before.definition, target.definition).includes(stepId);
  return { kind: "moves", graph: target.graph, stepId, again };
}

/** Returns the newest graph that earlier runs move to or end at; 0 where all runs stay. Runs of an earlier graph than this are not settled yet. */
export const settledGraph = (graphs: Pick<PublishedGraph, "graph" | "inside">[]): number =>
  Math.max(0, ...graphs.filter(({ inside }) => inside === "move" || inside === "end").map(({ graph }) => graph));

/** Returns the fate of a run that entered an outdated graph after a newer one was published: it begins the newest journey. */
export function newest(graphs: PublishedGraph[]): Fate {
  const last = graphs.toSorted((a, b) => a.graph - b.graph).at(-1);
  if (!last || last.journey.first === null) return { kind: "stays" };
  return { kind: "moves", graph: last.graph, stepId: last.journey.first, again: true };
}

/** Whether a run entered after a newer graph than its own was published: its process did not know that graph yet. */
export const isLate = (run: { graph: number; entered_at: Date }, graphs: PublishedGraph[]): boolean =>
  graphs.some(({ graph, publishedAt }) => graph > run.graph && publishedAt < run.entered_at);
