import { BehaviourShape, type StepFilter } from "@tidings/contract/campaigns/filters";
import { type ExtraReaders, readFilterWith } from "../../audiences/index.ts";
import { checkShape } from "../../platform/http/index.ts";

const EXTRA: ExtraReaders = { trigger: "compared", step: checkShape(BehaviourShape) };

/**
 * Validates a filter of a campaign: a filter of audiences with two more conditions, on the data that started the run and on the outcome
 * of an earlier step's message. @throws Problem invalid_request with a pointer to the condition that is wrong
 */
export const readStepFilter = (value: unknown, pointer: string): StepFilter => readFilterWith(EXTRA, value, pointer);
