import type { Comparison, Filter } from "../audience/audiences.ts";
import type { CampaignDefinition, Reentry, Trigger } from "./campaigns.ts";
import type { StepFilter } from "./filters.ts";
import { listsOf } from "./journey.ts";
import type { Span, Step, StepOf, StepType } from "./steps.ts";

// A journey in words, for people who only read it: one sentence for each step, in the order in which the author wrote the steps.

/** One sentence of a summary. */
export interface Sentence {
  /** Null for a sentence about the trigger, the goal or an exit condition. */
  step_id: string | null;
  /** The number of step lists around the sentence, 0 at the top. */
  depth: number;
  text: string;
}

/** Returns the journey in words, one sentence for each step. "..." stands for a value that a draft lacks. */
export function summaryOf(definition: Omit<CampaignDefinition, "entry_max_age">): Sentence[] {
  const { trigger, reentry, steps, exit_when, goal, cancel_on } = definition;
  const sentence = (text: string): Sentence => ({ step_id: null, depth: 0, text });
  return [
    sentence(`${entryOf(trigger)}, ${reentryOf(reentry)}.`),
    ...(exit_when ? [sentence(`They leave as soon as, before a step, ${conditions(exit_when as StepFilter)}.`)] : []),
    ...(cancel_on ? [sentence(`They leave when they do ${quoted(cancel_on.event)}${where(cancel_on.where)}.`)] : []),
    ...(goal
      ? [
          sentence(
            `The goal is ${quoted(goal.event)}${where(goal.where)} within ${length(goal.within)}${goal.exit ? ", and who reaches it leaves" : ""}.`,
          ),
        ]
      : []),
    ...stepSentences(steps, 0),
  ];
}

const stepSentences = (steps: Step[], depth: number): Sentence[] =>
  steps.flatMap((step) => [
    { step_id: step.id, depth, text: `${(SENTENCES[step.type] as (step: Step) => string)(step)}.` },
    ...listsOf(step, "").flatMap(({ name, steps: own }): Sentence[] =>
      own.length === 0
        ? []
        : [{ step_id: step.id, depth: depth + 1, text: `${heading(step, name)}:` }, ...stepSentences(own, depth + 1)],
    ),
  ]);

function heading(step: Step, way: string): string {
  if (step.type === "split") return `Arm ${way}`;
  if (step.type === "wait_until") return way === "then" ? "If it comes" : "If it does not come";
  return way === "then" ? "If so" : "If not";
}

function entryOf(trigger: Trigger): string {
  switch (trigger.type) {
    case "event":
      return `People enter when they do ${quoted(trigger.name)}${where(trigger.where)}`;
    case "audience":
      return `People enter when they come into ${trigger.audience_id ? `the audience ${trigger.audience_id}` : `an audience: ${trigger.audience ? conditions(trigger.audience as StepFilter) : "..."}`}${trigger.existing ? ", with those who are in it at the beginning" : ""}`;
    case "date":
      return `People enter ${trigger.offset ? `${offset(trigger.offset)} ` : "on "}their ${trigger.attribute}${trigger.at ? ` at ${trigger.at}` : ""}${trigger.yearly ? " each year" : ""}`;
    case "recurring":
      return `The people of the audience ${trigger.audience_id} enter on ${trigger.days.join(", ")} at ${trigger.at}`;
    case "api":
      return "People enter by a call";
  }
}

function reentryOf(reentry: Reentry): string {
  if (reentry === "once") return "each of them once";
  return reentry === "always"
    ? "as often as it happens"
    : `not sooner than ${length(reentry.after)} after the last time`;
}

const CHANNELS = { in_app: "an in-app message", email: "an email", push: "a push", sms: "a text message" };

const SENTENCES: { [T in StepType]: (step: StepOf<T>) => string } = {
  message: ({ channel, content, variants, when_held, escalate }) => {
    const what = channel ? CHANNELS[channel] : "...";
    const title = content?.subject ?? content?.title;
    const ways = variants ? `, in ${variants.length} variants` : "";
    const dropped = when_held === "drop" ? ", unless limits hold it back" : "";
    const later = (escalate ?? []).map(
      (one) => `, and if it is not seen within ${one.after ? length(one.after) : "..."} ${CHANNELS[one.channel]}`,
    );
    return `They get ${what}${typeof title === "string" ? ` ${quoted(title)}` : ""}${ways}${dropped}${later.join("")}`;
  },
  wait: (step) =>
    step.until === undefined
      ? `They wait for ${step.for ? length(step.for) : "..."}`
      : `They wait until ${step.offset ? `${offset(step.offset)} ` : ""}${step.until}`,
  wait_until: (step) =>
    `They wait for ${step.event === undefined ? "..." : quoted(step.event)}${where(step.where)}, at most ${step.timeout ? length(step.timeout) : "..."}`,
  wait_window: ({ from = "00:00", to = "24:00", days }) =>
    `They wait until it is between ${from} and ${to} where they are${days ? `, on ${days.join(", ")}` : ""}`,
  branch: (step) => `It is asked whether ${step.if ? conditions(step.if as StepFilter) : "..."}`,
  split: ({ arms = [] }) => {
    const all = arms.reduce((sum, { weight }) => sum + weight, 0);
    const shares = arms.map(({ name, weight }) => `${Math.round((weight / all) * 100)} % ${name}`);
    return `They are divided at random: ${shares.join(", ") || "..."}`;
  },
  batch: ({ key, window, max }) =>
    `What happens again is gathered for ${window ? length(window) : "..."}${key ? `, by ${key}` : ""}${max ? `, at most ${max} times` : ""}`,
  throttle: ({ key, limit, window, otherwise }) =>
    `At most ${limit ?? "..."} pass in ${window ? length(window) : "..."}${key ? `, by ${key}` : ""}; the others ${otherwise === "wait" ? "wait" : "leave"}`,
  update: ({ attributes = {} }) => `Their ${Object.keys(attributes).join(", ") || "..."} is set`,
  list: ({ add, remove }) =>
    add === undefined ? `They are taken off the list ${remove ?? "..."}` : `They are put on the list ${add}`,
  webhook: ({ url }) => `${url ?? "..."} is called`,
  start: ({ campaign_id }) => `They enter the campaign ${campaign_id ?? "..."}`,
  exit: () => "They leave",
};

const quoted = (text: string): string => `"${text.length > 100 ? `${text.slice(0, 99)}...` : text}"`;
const length = ({ amount, unit }: Span): string => `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`;
const offset = ({ amount, unit, direction = "after" }: Span & { direction?: "before" | "after" }): string =>
  `${length({ amount, unit })} ${direction}`;
const where = (filters: Record<string, unknown>[] | undefined): string =>
  filters && filters.length > 0
    ? ` with ${filters.map((one) => compared(String(one.property), one)).join(" and ")}`
    : "";

/** Returns a filter in words. */
function conditions(filter: StepFilter): string {
  if ("all" in filter) return joined(filter.all, "and", "anything holds");
  if ("any" in filter) return joined(filter.any, "or", "nothing holds");
  if ("not" in filter) return `not (${conditions(filter.not)})`;
  if ("trigger" in filter) return compared(`trigger.${filter.trigger}`, filter);
  if ("step" in filter) return `the message of ${filter.step} was ${filter.op}`;
  return condition(filter);
}

function joined(filters: StepFilter[], by: string, none: string): string {
  const [only, ...more] = filters;
  if (!only) return none;
  return more.length === 0 ? conditions(only) : filters.map((one) => `(${conditions(one)})`).join(` ${by} `);
}

function condition(filter: Exclude<Filter, { all: Filter[] } | { any: Filter[] } | { not: Filter }>): string {
  if ("attribute" in filter) return compared(filter.attribute, filter);
  if ("audience" in filter) return `they are in the audience ${filter.audience}`;
  if ("subscribed" in filter) return `they are ${filter.subscribed ? "" : "not "}subscribed`;
  const within = filter.within ? ` in the last ${length(filter.within)}` : "";
  const not = filter.op === "not_performed" ? "did not do" : "did";
  if ("event" in filter) return `they ${not} ${quoted(filter.event)}${where(filter.where)}${within}`;
  return `a message to them was ${filter.op === "not_performed" ? "not " : ""}${filter.message}${within}`;
}

const OPS: Record<Comparison["op"], string> = {
  eq: "is",
  ne: "is not",
  in: "is one of",
  gt: "is over",
  gte: "is at least",
  lt: "is under",
  lte: "is at most",
  contains: "contains",
  starts_with: "begins with",
  exists: "is there",
  before: "is before",
  after: "is after",
  within_last: "is in the last",
};

/** Returns a comparison in words. It was validated when the campaign was saved. */
function compared(name: string, comparison: object): string {
  const { op, value } = comparison as { op: Comparison["op"]; value?: unknown };
  if (op === "exists") return `${name} is ${value === false ? "not " : ""}there`;
  if (op === "within_last") return `${name} ${OPS[op]} ${length(value as Span)}`;
  const values = Array.isArray(value) ? value : [value];
  const shown = values.slice(0, 5).map((one) => (typeof one === "string" ? quoted(one) : String(one)));
  return `${name} ${OPS[op]} ${shown.join(", ")}${values.length > 5 ? ", ..." : ""}`;
}
