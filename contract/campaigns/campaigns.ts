import { type Static, Type } from "typebox";
import { Actor } from "../audit.ts";
import { Channel } from "../facts/activity.ts";
import { Days, TimeOfDay } from "../hours.ts";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, Instant, JsonObject, Line, ListOf, Name, Nullable, OneOf } from "../primitives.ts";
import { Span, type Step, StepFilterField, Where } from "./steps.ts";

export const CampaignStatus = OneOf(["draft", "active", "paused", "archived"]);
export type CampaignStatus = Static<typeof CampaignStatus>;

const Filter = Type.Unsafe<Record<string, unknown>>({ ...JsonObject, "x-shape": "Filter" });
const EventName = Line(200, { minLength: 1 });

/** The trigger: who enters the campaign, and when. */
export const triggerShapes = {
  event: Closed({ type: OneOf(["event"]), name: EventName, where: Type.Optional(Where) }),
  audience: Closed({
    type: OneOf(["audience"]),
    audience_id: Type.Optional(Line(100)),
    audience: Type.Optional(Filter),
    existing: Type.Optional(
      Type.Boolean({
        description: "Whether the people who are in the audience at the activation also enter. Default: false.",
      }),
    ),
  }),
  date: Closed({
    type: OneOf(["date"]),
    attribute: Line(200, { minLength: 1 }),
    offset: Type.Optional(Closed({ ...Span.properties, direction: OneOf(["before", "after"]) })),
    at: Type.Optional(TimeOfDay),
    yearly: Type.Optional(Type.Boolean()),
  }),
  recurring: Closed({ type: OneOf(["recurring"]), days: Days, at: TimeOfDay, audience_id: Line(100) }),
  api: Closed({ type: OneOf(["api"]) }),
};
export type TriggerType = keyof typeof triggerShapes;
export type TriggerOf<T extends TriggerType> = Static<(typeof triggerShapes)[T]>;
export type Trigger = { [T in TriggerType]: TriggerOf<T> }[TriggerType];

/** How often a person may enter. */
export const Reentry = Type.Union([OneOf(["once", "always"]), Closed({ after: Span })], {
  "x-says": 'must be once, always or {"after": {"amount": 7, "unit": "days"}}',
});
export type Reentry = Static<typeof Reentry>;

export const Goal = Closed({
  event: EventName,
  where: Type.Optional(Where),
  within: Span,
  exit: Type.Optional(Type.Boolean()),
});
export const CancelOn = Closed({ event: EventName, where: Type.Optional(Where) });

/** The fields that an author writes, except the name. Steps and trigger are validated one by one, so that an error names the step. */
export interface CampaignDefinition {
  trigger: Trigger;
  reentry: Reentry;
  steps: Step[];
  entry_max_age: Span;
  exit_when: Record<string, unknown> | null;
  goal: Static<typeof Goal> | null;
  cancel_on: Static<typeof CancelOn> | null;
}

export const authored = {
  trigger: Type.Unsafe<Trigger>({ type: "object", "x-shape": "Trigger" }),
  reentry: Type.Optional(Reentry),
  steps: Type.Unsafe<Step[]>({ type: "array", maxItems: 200, items: { type: "object", "x-shape": "Step" } }),
  entry_max_age: Type.Optional(Span),
  exit_when: Type.Optional(Nullable(StepFilterField)),
  goal: Type.Optional(Nullable(Goal)),
  cancel_on: Type.Optional(Nullable(CancelOn)),
};
export const CampaignInput = Closed({ name: Name, ...authored });
export type CampaignInput = Static<typeof CampaignInput>;

const changeable = { ...authored, trigger: Type.Optional(authored.trigger), steps: Type.Optional(authored.steps) };
export const CampaignPatch = Closed({ name: Type.Optional(Name), ...changeable });
export type CampaignPatch = Static<typeof CampaignPatch>;
/** Fields of a draft that is not saved. */
export const CampaignDraft = Closed(changeable, {
  description:
    "Fields of the draft as they would be after a change, instead of the saved ones. The pointers of `campaign_invalid` are those of the campaign.",
});
export type CampaignDraft = Static<typeof CampaignDraft>;

const common = {
  id: Type.String(),
  name: Type.String(),
  status: CampaignStatus,
};
/** How far the engine is with the people inside after an activation or an archive. */
export const CampaignProgress = Type.Object({
  kind: OneOf(["moving", "ending"], {
    description:
      "`moving`: to the journey that was published, or out of the campaign where their step is gone. `ending`: after an archive.",
  }),
  total: Type.Integer({ description: "People who were inside when it began." }),
  done: Type.Integer(),
  seconds_left: Nullable(Type.Integer({ description: "At the pace until now; null in its first seconds." })),
  started_at: Nullable(Instant),
});
export type CampaignProgress = Static<typeof CampaignProgress>;

const publication = {
  published: Nullable(
    Type.Object(
      { version: Type.Integer(), activated_at: Instant },
      { description: "The version that people enter now; null before the first activation." },
    ),
  ),
  changed: Type.Boolean({
    description: "Whether the draft differs from the published version: activate the campaign again to publish it.",
  }),
  paused_at: Nullable(Instant),
  progress: Nullable(CampaignProgress),
  created_at: Instant,
  updated_at: Instant,
};
/** A campaign with the latest texts of its author, published or not. */
export const Campaign = Type.Object({
  ...common,
  trigger: Type.Unsafe<Trigger>({ type: "object", additionalProperties: true, "x-shape": "Trigger" }),
  reentry: Reentry,
  steps: Type.Array(Type.Unsafe<Step>({ type: "object", additionalProperties: true, "x-shape": "Step" })),
  entry_max_age: Span,
  exit_when: Nullable(
    Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, "x-shape": "StepFilter" }),
  ),
  goal: Nullable(Goal),
  cancel_on: Nullable(CancelOn),
  summary: Type.Array(
    Type.Object({
      step_id: Nullable(
        Type.String({ description: "Null for a sentence about the trigger, the goal or an exit condition." }),
      ),
      depth: Type.Integer({ description: "The number of step lists around the sentence, 0 at the top." }),
      text: Type.String(),
    }),
    { description: "The journey in words, one sentence for each step." },
  ),
  ...publication,
});
/** A campaign in a list, without its steps. */
export const CampaignSummary = Type.Object({
  ...common,
  trigger_type: OneOf(Object.keys(triggerShapes) as TriggerType[]),
  trigger: Type.Unsafe<Trigger>({ type: "object", additionalProperties: true, "x-shape": "Trigger" }),
  active_runs: Type.Integer({ description: "How many people are in it now." }),
  step_count: Type.Integer({ description: "Its steps, with those in branches." }),
  channels: Type.Array(Channel, { description: "The channels of its message steps." }),
  ...publication,
});
export const CampaignList = listing({
  item: CampaignSummary,
  finds: "a part of the name, or the beginning of the id, in any case",
  sorts: [...authoredSorts, "status"],
  defaultSort: "-created_at",
  facets: { status: CampaignStatus },
});

/** A reason why a campaign can't be activated. */
export const CampaignProblem = Type.Object({
  code: Type.String(),
  message: Type.String(),
  step_id: Nullable(Type.String()),
  pointer: Type.String({ description: "JSON pointer in the campaign." }),
});
export type CampaignProblem = Static<typeof CampaignProblem>;
export const CampaignProblems = Type.Object({ problems: Type.Array(CampaignProblem) });

const Inside = OneOf(["stay", "move", "end"], {
  description:
    "How activation treats active runs when the journey changed. `stay`: they finish the journey that they are in. `move`: they continue in the new journey, and end if their step no longer exists. `end`: they end.",
});
export type Inside = Static<typeof Inside>;
export const ActivateInput = Closed({ inside: Type.Optional(Inside) });

/** A published version of a campaign, without its texts. */
export const CampaignVersion = Type.Object({
  version: Type.Integer(),
  activated_at: Instant,
  activated_by: Nullable(
    Type.Unsafe<Actor>({ ...Actor, description: "Who published it. Null: it was published before this was recorded." }),
  ),
  inside: Nullable(
    Type.Unsafe<Inside>({
      ...Inside,
      description: "What was decided about active runs. Null: nobody was inside, or the journey stayed as it was.",
    }),
  ),
});
export const CampaignVersionList = ListOf(CampaignVersion);

export const RunStatus = OneOf(["active", "completed", "exited", "failed", "canceled"]);
export type RunStatus = Static<typeof RunStatus>;
export const PassageState = OneOf(["waiting", "passed", "failed", "exited"]);
export type PassageState = Static<typeof PassageState>;

export const RunInput = Closed({
  person_id: Line(256, { minLength: 1 }),
  data: Type.Optional(JsonObject),
  cancellation_key: Type.Optional(Line(200, { minLength: 1 })),
});
export type RunInput = Static<typeof RunInput>;
export const Run = Type.Object({
  id: Type.String(),
  campaign_id: Type.String(),
  person_id: Nullable(Type.String()),
  status: RunStatus,
  reason: Nullable(Type.String()),
  step_id: Nullable(Type.String()),
  data: JsonObject,
  cancellation_key: Nullable(Type.String()),
  entered_at: Instant,
  due_at: Nullable(Instant),
  ended_at: Nullable(Instant),
});
export type Run = Static<typeof Run>;
