import type { CampaignDefinition, CampaignProblem, Trigger } from "./campaigns.ts";
import type { StepFilter } from "./filters.ts";
import { type Journey, type JourneyNode, reachable } from "./journey.ts";
import type { Step, StepOf, StepType } from "./steps.ts";
import { originOf } from "./origin.ts";

// Problems that prevent an activation and are visible in the definition alone: the dashboard shows them while somebody types. The service
// checks the rest against other slices.

/** A problem of a step or of the trigger, with a pointer relative to it. */
type Fault = Pick<CampaignProblem, "code" | "message" | "pointer">;

/** Returns a problem with its step and its pointer in the definition. */
const faultAt = ({ code, message, pointer }: Fault, at: string, stepId: string | null): CampaignProblem => ({
  code,
  message,
  step_id: stepId,
  pointer: at + pointer,
});

const missing = (field: string, message = "is required"): Fault => ({
  code: "field_missing",
  message,
  pointer: `/${field}`,
});
const wrong = (code: string, field: string, message: string): Fault => ({ code, message, pointer: `/${field}` });

const needs =
  <S>(...fields: (keyof S & string)[]) =>
  (step: S): Fault[] =>
    fields.filter((field) => step[field] === undefined).map((field) => missing(field));

type FaultsOf<T extends StepType> = (step: StepOf<T>) => Fault[];

const FAULTS: { [T in StepType]: FaultsOf<T> } = {
  message: (step) => [...needs<StepOf<"message">>("channel")(step), ...(step.escalate ?? []).flatMap(escalationFaults)],
  wait: ({ for: length, until, offset }) => [
    ...(length === undefined && until === undefined ? [missing("for", "is required, or until")] : []),
    ...(length !== undefined && until !== undefined
      ? [wrong("field_extra", "until", "can't stand beside for: give one of them")]
      : []),
    ...(offset !== undefined && until === undefined
      ? [wrong("field_extra", "offset", "belongs to until: a length of time has none")]
      : []),
  ],
  wait_until: needs("event", "timeout"),
  wait_window: ({ from, to, days }) => [
    ...(from === undefined && to === undefined && days === undefined
      ? [missing("from", "is required, or to or days")]
      : []),
    ...((from ?? "00:00") === to
      ? [wrong("window_empty", "to", "is when the window begins: leave from and to out for whole days")]
      : []),
  ],
  branch: needs("if"),
  split: ({ arms = [] }) => [
    ...(arms.length < 2 ? [wrong("too_few_arms", "arms", "must have at least two arms")] : []),
    ...arms.flatMap(({ name }, i) =>
      arms.findIndex((arm) => arm.name === name) < i
        ? [wrong("name_taken", `arms/${i}/name`, "is the name of another arm")]
        : [],
    ),
  ],
  batch: (step) => [...needs<StepOf<"batch">>("window")(step), ...rootOf(step.key, "key")],
  throttle: (step) => [...needs<StepOf<"throttle">>("limit", "window")(step), ...rootOf(step.key, "key")],
  update: ({ attributes = {} }) =>
    Object.keys(attributes).length === 0 ? [missing("attributes", "must name at least one attribute")] : [],
  list: ({ add, remove }) => {
    if (add === undefined && remove === undefined) return [missing("add", "is required, or remove")];
    return add !== undefined && remove !== undefined
      ? [wrong("field_extra", "remove", "can't stand beside add: give one of them")]
      : [];
  },
  webhook: (step) => [
    ...needs<StepOf<"webhook">>("url")(step),
    ...(step.url === undefined || originOf(step.url) !== undefined
      ? []
      : [
          wrong(
            "field_invalid",
            "url",
            "must begin with http:// or https:// and a host, without Liquid and without credentials",
          ),
        ]),
  ],
  start: needs("campaign_id"),
  exit: () => [],
};

/** Reports what a later message of a message step lacks. */
function escalationFaults(
  { after, channel, message_id, content }: NonNullable<StepOf<"message">["escalate"]>[number],
  i: number,
): Fault[] {
  const [field, given] = channel === "in_app" ? ["message_id", message_id] : ["content", content];
  return [
    ...(after === undefined ? [missing(`escalate/${i}/after`)] : []),
    ...(given === undefined ? [missing(`escalate/${i}/${field}`, `is required for ${channel}`)] : []),
  ];
}

/** Reports a key that refers neither to the trigger's data nor to the person. */
function rootOf(key: string | undefined, field: string): Fault[] {
  if (key === undefined || /^(?:trigger|person)\../.test(key)) return [];
  return [wrong("root_unknown", field, "must begin with trigger. or person.")];
}

function triggerFaults(trigger: Trigger): Fault[] {
  if (trigger.type === "audience" && trigger.audience === undefined && trigger.audience_id === undefined)
    return [missing("audience_id", "is required, or audience")];
  if (trigger.type !== "date") return [];
  return [
    ...needs<typeof trigger>("at")(trigger),
    ...(trigger.offset && trigger.offset.unit !== "days"
      ? [wrong("field_invalid", "offset/unit", "must be days: `at` gives the time of the day")]
      : []),
  ];
}

/** Returns all problems that are visible in the definition alone, in its order. @param journey the steps of the definition */
export function faultsOf(definition: CampaignDefinition, journey: Journey): CampaignProblem[] {
  const found = triggerFaults(definition.trigger).map((fault) => faultAt(fault, "/trigger", null));
  if (definition.steps.length === 0)
    found.push({ code: "no_steps", message: "must have at least one step", step_id: null, pointer: "/steps" });
  if (definition.exit_when)
    found.push(...unknownSteps(definition.exit_when, journey.nodes).map((fault) => faultAt(fault, "/exit_when", null)));
  const reached = reachable(journey);
  for (const [id, { step, pointer }] of journey.nodes) {
    const faults = (FAULTS[step.type] as (step: Step) => Fault[])(step);
    if (!reached.has(id))
      faults.push({
        code: "step_unreachable",
        message: "can't be reached: the step before it ends the run",
        pointer: "",
      });
    if (step.type === "branch" && step.if)
      for (const fault of unknownSteps(step.if, journey.nodes))
        faults.push({ ...fault, pointer: `/if${fault.pointer}` });
    found.push(...faults.map((fault) => faultAt(fault, pointer, id)));
  }
  return found;
}

/** Reports conditions on steps that are not message steps of this campaign. */
function unknownSteps(filter: Record<string, unknown>, nodes: Map<string, JourneyNode>): Fault[] {
  return [...stepsNamedIn(filter as StepFilter)]
    .filter((id) => nodes.get(id)?.step.type !== "message")
    .map((id) => ({
      code: "step_unknown",
      message: `refers to ${id}, which is not a message step of this campaign`,
      pointer: "",
    }));
}

/** Returns the ids of the steps for whose messages a filter asks. */
function stepsNamedIn(filter: StepFilter): Set<string> {
  if ("all" in filter) return new Set(filter.all.flatMap((one) => [...stepsNamedIn(one)]));
  if ("any" in filter) return new Set(filter.any.flatMap((one) => [...stepsNamedIn(one)]));
  if ("not" in filter) return stepsNamedIn(filter.not);
  return new Set("step" in filter ? [filter.step] : []);
}
