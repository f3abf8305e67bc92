import type { StepType } from "@tidings/contract/campaigns/steps";

// Parts of the contract that the engine does not support yet. Saving a campaign with one of them fails, because a campaign that ignores a
// part of its definition does not do what its author wrote. Remove an entry here when the engine supports it.

/** Fields of steps that would have no effect yet. */
export const UNBUILT_FIELDS: Partial<Record<StepType, readonly string[]>> = { message: ["when_held"] };
