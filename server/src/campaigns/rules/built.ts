import type { TriggerType } from "@tidings/contract/campaigns/campaigns";
import type { StepType } from "@tidings/contract/campaigns/steps";

// What the contract names and the engine does not do yet. It is refused when it is saved, because a campaign that ignores a part of
// itself does something else than its author wrote. Who builds one takes it out of here.

/** Triggers by which nobody can enter yet. */
export const UNBUILT_TRIGGERS: ReadonlySet<TriggerType> = new Set<TriggerType>(["date", "recurring"]);

/** Fields of steps that would have no effect yet. */
export const UNBUILT_FIELDS: Partial<Record<StepType, readonly string[]>> = { message: ["escalate", "when_held"] };
