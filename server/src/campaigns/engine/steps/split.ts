import type { StepOf } from "@tidings/contract/campaigns/steps";
import { assignmentOf } from "../../../sendings/index.ts";
import type { StepContext, StepWork } from "./batch.ts";

/** Computes a person's arm from campaign, step and person only, so a person who enters again takes the same arm. */
export const split: StepWork<StepOf<"split">, StepContext> = {
  async loadFacts({ published }, step, participants) {
    const plan = { holdoutPercent: 0, variants: step.arms ?? [] };
    const by = `${published.campaignId}:${step.id}`;
    return participants.map(({ run }) => ({ arm: assignmentOf(plan, by, run.person_key).variant ?? "" }));
  },
};
