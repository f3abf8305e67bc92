import { type Static, type TObject, type TProperties, Type } from "typebox";
import { Channel } from "../facts/activity.ts";
import { windowFields } from "../hours.ts";
import { editions, rules } from "../messages/sendings.ts";
import { Closed, JsonObject, Line, OneOf } from "../primitives.ts";

// The steps of a campaign, one schema for each type. Steps are a tree: some types contain lists of steps. In a draft a step may lack
// every field except `id` and `type`. When a campaign is activated, the campaigns slice names the fields that are missing.

/** A length of time. */
export const Span = Closed({
  amount: Type.Integer({ minimum: 1, maximum: 100_000 }),
  unit: OneOf(["seconds", "minutes", "hours", "days"]),
});
export type Span = Static<typeof Span>;

/** The name under which content and filters refer to a step: `{{steps.ID.event.total}}`. */
export const StepId = Type.String({
  pattern: "^[A-Za-z][A-Za-z0-9_]{0,49}$",
  "x-says": "must be 1 to 50 letters, digits and underscores, and begin with a letter",
  examples: ["welcome_mail"],
});

/** A filter of a campaign. It is validated when the campaign is saved, so that an error names the condition. */
export const StepFilterField = Type.Unsafe<Record<string, unknown>>({ ...JsonObject, "x-shape": "StepFilter" });
/** Conditions on the properties of an event. */
export const Where = Type.Array(Type.Unsafe<Record<string, unknown>>({ ...JsonObject, "x-shape": "PropertyFilter" }), {
  maxItems: 50,
  description: "Conditions on the event's properties; all must hold.",
});
/** This is an interface because the type of a step refers to itself. */
interface StepList extends Array<Step> {}
/** A list of steps. It is validated step by step, so that an error names the step. */
const Steps = Type.Unsafe<StepList>({ type: "array", items: { type: "object", "x-shape": "Step" } });
const OnFailure = OneOf(["continue", "exit"], {
  description: "Whether the run continues or exits when the step fails. Default: continue.",
});
const Key = Line(200, { minLength: 1, examples: ["trigger.post_id"] });

const step = <const T extends string, P extends TProperties>(type: T, fields: P) =>
  Closed({ id: StepId, type: OneOf([type]), ...fields });

const Escalation = Closed({
  after: Type.Optional(Span),
  channel: Channel,
  message_id: editions.message_id,
  content: editions.content,
});

export const MessageStep = step("message", {
  channel: Type.Optional(Channel),
  ...editions,
  ...rules,
  on_failure: Type.Optional(OnFailure),
  escalate: Type.Optional(Type.Array(Escalation, { maxItems: 10 })),
});
export const WaitStep = step("wait", {
  for: Type.Optional(Span),
  until: Type.Optional(
    Line(200, { pattern: "^(?:trigger|person)\\.[^\\p{Cc}\\p{Cs}]+$", examples: ["trigger.at", "person.renews_at"] }),
  ),
  offset: Type.Optional(
    Closed(
      { ...Span.properties, direction: Type.Optional(OneOf(["before", "after"])) },
      { description: "Default: after." },
    ),
  ),
});
export const WaitUntilStep = step("wait_until", {
  event: Type.Optional(Line(200, { minLength: 1 })),
  where: Type.Optional(Where),
  timeout: Type.Optional(Span),
  counts_from: Type.Optional(
    OneOf(["entry", "step"], {
      description:
        "`entry`: events since the person entered the campaign count. `step`: only events since the run reached this step count. Default: step.",
    }),
  ),
  then: Type.Optional(Steps),
  else: Type.Optional(Steps),
});
export const WaitWindowStep = step("wait_window", windowFields);
export const BranchStep = step("branch", {
  if: Type.Optional(StepFilterField),
  then: Type.Optional(Steps),
  else: Type.Optional(Steps),
});
const Arm = Closed({
  name: Line(50, { minLength: 1 }),
  weight: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  steps: Type.Optional(Steps),
});
export const SplitStep = step("split", { arms: Type.Optional(Type.Array(Arm, { maxItems: 10 })) });
export const BatchStep = step("batch", {
  key: Type.Optional(Key),
  window: Type.Optional(Span),
  max: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
});
export const ThrottleStep = step("throttle", {
  key: Type.Optional(Key),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  window: Type.Optional(Span),
  otherwise: Type.Optional(OneOf(["exit", "wait"])),
});
export const UpdateStep = step("update", {
  attributes: Type.Optional(JsonObject),
  on_failure: Type.Optional(OnFailure),
});
export const ListStep = step("list", {
  add: Type.Optional(Line(100)),
  remove: Type.Optional(Line(100)),
  on_failure: Type.Optional(OnFailure),
});
export const WebhookStep = step("webhook", {
  url: Type.Optional(Line(2_000)),
  body: Type.Optional(JsonObject),
  on_failure: Type.Optional(OnFailure),
});
export const StartStep = step("start", {
  campaign_id: Type.Optional(Line(100)),
  data: Type.Optional(JsonObject),
  on_failure: Type.Optional(OnFailure),
});
export const ExitStep = step("exit", {});

/** The schema of each type of step. */
export const stepShapes = {
  message: MessageStep,
  wait: WaitStep,
  wait_until: WaitUntilStep,
  wait_window: WaitWindowStep,
  branch: BranchStep,
  split: SplitStep,
  batch: BatchStep,
  throttle: ThrottleStep,
  update: UpdateStep,
  list: ListStep,
  webhook: WebhookStep,
  start: StartStep,
  exit: ExitStep,
} satisfies Record<string, TObject>;

export type StepType = keyof typeof stepShapes;
export type StepOf<T extends StepType> = Static<(typeof stepShapes)[T]>;
export type Step = { [T in StepType]: StepOf<T> }[StepType];
