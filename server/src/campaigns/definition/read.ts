import {
  type CampaignDefinition,
  type CampaignInput,
  type CampaignPatch,
  type Trigger,
  triggerShapes,
} from "@tidings/contract/campaigns/campaigns";
import { listsOf } from "@tidings/contract/campaigns/journey";
import { type Step, stepShapes } from "@tidings/contract/campaigns/steps";
import { readFilter, readWhere } from "../../audiences/index.ts";
import { badField, checkShape } from "../../platform/http/index.ts";
import { defaultReentry } from "../rules/reentry.ts";
import { readStepFilter } from "./step-filter.ts";

/** The most steps of a campaign, also in inner lists: nobody can read a larger journey. */
const MOST_STEPS = 200;
/** The most levels of nested lists. */
const MOST_DEPTH = 10;

const DEFAULTS = {
  entry_max_age: { amount: 24, unit: "hours" },
  exit_when: null,
  goal: null,
  cancel_on: null,
} as const satisfies Partial<CampaignDefinition>;

/**
 * Validates the input and returns the definition with it. Steps and trigger are validated one by one, so that an error names the step:
 * `/steps/1/then/0/for`. A missing field is no error here: a draft may be incomplete, see problems.ts.
 * @param at the pointer of the input in the body
 * @throws Problem invalid_request with a pointer
 */
export function readDefinition(input: CampaignInput): CampaignDefinition;
export function readDefinition(input: CampaignPatch, before: CampaignDefinition, at?: string): CampaignDefinition;
export function readDefinition(input: CampaignPatch, before?: CampaignDefinition, at = ""): CampaignDefinition {
  const { trigger, steps, exit_when, goal, cancel_on, reentry, entry_max_age } = input;
  if (trigger) checkTrigger(trigger, `${at}/trigger`);
  if (steps) checkSteps(steps, `${at}/steps`);
  if (exit_when) readStepFilter(exit_when, `${at}/exit_when`);
  if (goal?.where) readWhere(goal.where, `${at}/goal/where`);
  if (cancel_on?.where) readWhere(cancel_on.where, `${at}/cancel_on/where`);
  return {
    ...DEFAULTS,
    ...(trigger !== undefined && { reentry: defaultReentry(trigger) }),
    ...(before as CampaignDefinition),
    ...(trigger !== undefined && { trigger }),
    ...(reentry !== undefined && { reentry }),
    ...(steps !== undefined && { steps }),
    ...(entry_max_age !== undefined && { entry_max_age }),
    ...(exit_when !== undefined && { exit_when }),
    ...(goal !== undefined && { goal }),
    ...(cancel_on !== undefined && { cancel_on }),
  };
}

type Check = ReturnType<typeof checkShape>;
const checks = (shapes: typeof stepShapes | typeof triggerShapes): Map<unknown, Check> =>
  new Map(Object.entries(shapes).map(([type, shape]) => [type, checkShape(shape)]));
const STEP_CHECKS = checks(stepShapes);
const TRIGGER_CHECKS = checks(triggerShapes);

/** Validates a step or a trigger by the shape of its type. @throws Problem invalid_request with a pointer below `at` */
function checkTyped(shapeChecks: Map<unknown, Check>, value: { type: string }, at: string): void {
  const check = shapeChecks.get(value.type);
  if (!check) throw badField(`${at}/type`, `must be one of ${[...shapeChecks.keys()].join(", ")}`);
  check(value, at);
}

function checkTrigger(trigger: Trigger, at: string): void {
  checkTyped(TRIGGER_CHECKS, trigger, at);
  if (trigger.type === "event" && trigger.where) readWhere(trigger.where, `${at}/where`);
  if (trigger.type !== "audience" || trigger.audience === undefined) return;
  if (trigger.audience_id !== undefined)
    throw badField(`${at}/audience`, "can't stand beside audience_id: give one of them");
  readFilter(trigger.audience, `${at}/audience`);
}

function checkSteps(all: Step[], pointer: string): void {
  const ids = new Set<string>();

  function checkList(steps: Step[], at: string, depth: number): void {
    if (depth > MOST_DEPTH) throw badField(at, `is nested deeper than ${MOST_DEPTH} lists of steps`);
    for (const [i, step] of steps.entries()) checkStep(step, `${at}/${i}`, depth);
  }

  function checkStep(step: Step, at: string, depth: number): void {
    checkTyped(STEP_CHECKS, step, at);
    if (ids.has(step.id)) throw badField(`${at}/id`, "is the id of another step of this campaign");
    ids.add(step.id);
    if (ids.size > MOST_STEPS)
      throw badField(at, `is one step too many: a campaign has at most ${MOST_STEPS}, with those inside of others`);
    if (step.type === "branch" && step.if) readStepFilter(step.if, `${at}/if`);
    if (step.type === "wait_until" && step.where) readWhere(step.where, `${at}/where`);
    for (const { steps, pointer: own } of listsOf(step, at)) checkList(steps, own, depth + 1);
  }

  checkList(all, pointer, 1);
}
