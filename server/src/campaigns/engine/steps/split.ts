import type { StepOf } from "@tidings/contract/campaigns/steps";
import { assignmentOf } from "../../../sendings/index.ts";
import type { StepWork } from "./batch.ts";

/** A person's arm follows from campaign, step and person alone: who enters again takes the same. */
export const split: StepWork<StepOf<"split">> = {
  async ask({ published }, step, walks) {
    const plan = { holdoutPercent: 0, variants: step.arms ?? [] };
    const by = `${published.campaignId}:${step.id}`;
    return walks.map(({ run }) => ({ arm: assignmentOf(plan, by, run.person_key).variant ?? "" }));
  },
};
