import { type Static, Type } from "typebox";
import { Channel, Metrics } from "../facts/activity.ts";
import {
  Closed,
  Dictionary,
  Instant,
  JsonObject,
  Line,
  ListOf,
  ListQuery,
  Nullable,
  OneOf,
  PersonId,
} from "../primitives.ts";
import { PassageState, Run, RunStatus } from "./campaigns.ts";
import { GoalMetrics } from "./goals.ts";
import { StepId } from "./steps.ts";

export const RunStarted = Type.Object({ run_id: Type.String() });
export const RunsCancel = Closed({ cancellation_key: Line(200, { minLength: 1 }) });
export const RunsCanceled = Type.Object({ canceled: Type.Integer() });

const at = (description: string) => Type.Optional(Type.Unsafe<string>({ ...Instant, description }));

export const RunList = ListOf(Run);
/** The runs of one person, in all campaigns. */
export const PersonRunList = ListOf(Type.Object({ ...Run.properties, campaign_name: Type.String() }));
export const PersonRunsQuery = Type.Object({ ...ListQuery, status: Type.Optional(RunStatus) });
/** What became of a run at a step. `entered`: it reached the step. */
const StepState = OneOf(["entered", "waiting", "passed", "failed", "exited"]);
export type StepState = Static<typeof StepState>;
export const RunsQuery = Type.Object({
  ...ListQuery,
  person_id: Type.Optional(PersonId),
  step: Type.Optional(Line(50, { description: "Only runs that are at this step now; with `state`, see there." })),
  state: Type.Optional(
    Type.Unsafe<StepState>({
      ...StepState,
      description: "Needs `step`: only runs that this figure of the step counts.",
    }),
  ),
  status: Type.Optional(RunStatus),
  converted: Type.Optional(
    Type.Boolean({ description: "Only runs that reached the goal; with `step`, after they reached the step." }),
  ),
  from: at(
    "The time that the figure counts: of the goal (`converted`), of leaving the step (`passed`, `failed`, `exited`), of reaching it (`step`), of the end (a `status` other than `active`), or else of the entry.",
  ),
  to: at("Before this time."),
});
export type RunsQuery = Static<typeof RunsQuery>;

/** The result of a step for one run. */
export const Passage = Type.Object({
  step_id: Type.String(),
  entered_at: Instant,
  left_at: Nullable(Instant),
  state: PassageState,
  way: Nullable(Type.String({ description: "The path that the run took, from a step that has several." })),
  reason: Nullable(Type.String()),
  delivery_id: Nullable(Type.String()),
  detail: Nullable(JsonObject),
});
export type Passage = Static<typeof Passage>;
/** One run with the result of each of its steps, in order. */
export const RunWithHistory = Type.Object({ ...Run.properties, history: Type.Array(Passage) });
export const RunMove = Closed({ step_id: StepId });

const { limit: _limit, cursor: _cursor, ...selecting } = RunsQuery.properties;
const change = {
  filter: Type.Optional(Closed(selecting, { description: "As in the list of runs. One field at least." })),
  all: Type.Optional(Type.Boolean({ description: "Instead of a filter: all runs." })),
};
/** A call that changes all runs of a filter. */
export const RunsChange = Closed(change);
export type RunsChange = Static<typeof RunsChange>;
export const RunsMove = Closed({ ...change, step_id: StepId });
export const RunsChanged = Type.Object({
  changed: Type.Integer(),
  remaining: Type.Integer({
    description: "Runs that the same call would change if it is repeated: a call changes 10,000 at most.",
  }),
});

const converted = Type.Optional(
  Type.Integer({ description: "Runs that reached the goal after they reached the step; present if there is a goal." }),
);
const stepFigures = {
  entered: Type.Integer({ description: "Runs that reached the step: the sum of the other four numbers." }),
  waiting: Type.Integer({ description: "Runs that are at the step now." }),
  passed: Type.Integer({ description: "Runs that continued after the step." }),
  failed: Type.Integer({ description: "Runs for which the step failed, whether they continued or ended." }),
  exited: Type.Integer({ description: "Runs that ended at the step." }),
  converted,
};
export const StepCounts = Type.Object({
  ...stepFigures,
  messages: Type.Optional(
    Type.Object(
      { ...Metrics.properties, channels: Dictionary(Metrics) },
      { description: "The messages of a message step, in all and by channel." },
    ),
  ),
});
export type StepCounts = Static<typeof StepCounts>;

const runFigures = {
  entered: Type.Integer({ description: "Runs that began: the sum of the other numbers without `converted`." }),
  active: Type.Integer({ description: "Runs that are under way now." }),
  completed: Type.Integer(),
  exited: Type.Integer(),
  failed: Type.Integer(),
  canceled: Type.Integer(),
  converted: Type.Optional(Type.Integer({ description: "Runs that reached the goal; present if there is a goal." })),
};
export const RunCounts = Type.Object(runFigures);
export type RunCounts = Static<typeof RunCounts>;

const { active: _active, ...runEvents } = runFigures;
const { waiting: _waiting, ...stepEvents } = stepFigures;
const bounds = { start: Instant, end: Instant };
/** The numbers of a campaign by the hour or day. */
export const CampaignSeries = Type.Object({
  from: Instant,
  to: Instant,
  bucket: OneOf(["hour", "day"]),
  timezone: Type.String({ description: "The workspace's time zone, in which hours and days are counted." }),
  data: Type.Array(Type.Object({ ...bounds, runs: Type.Object(runEvents), messages: Metrics })),
  parts: Type.Optional(
    Type.Array(
      Type.Union([
        Type.Object({ step: Type.String(), data: Type.Array(Type.Object({ ...bounds, ...stepEvents })) }),
        Type.Object({ channel: Channel, data: Type.Array(Type.Object({ ...bounds, ...Metrics.properties })) }),
      ]),
    ),
  ),
});
export type CampaignSeries = Static<typeof CampaignSeries>;
/** The numbers of a campaign: its messages, in total and by channel, its runs, its steps, and its goal. */
export const CampaignMetrics = Type.Object({
  totals: Metrics,
  channels: Dictionary(Metrics),
  runs: RunCounts,
  steps: Dictionary(StepCounts),
  goal: Type.Optional(GoalMetrics),
  kept_since: Nullable(
    Type.Unsafe<string>({
      ...Instant,
      description: "Runs that ended before are deleted and not counted (`retention`). Null: none is deleted yet.",
    }),
  ),
  series: Type.Optional(CampaignSeries),
  occurrences: Type.Optional(
    Type.Array(
      Type.Object({
        date: Type.String({ description: "The day, in the person's zone." }),
        status: OneOf(["open", "done", "missed"], {
          description:
            "`open`: people are entering. `done`: everybody who was due so far has entered. `missed`: people of some zones did not enter, because the service did not run or the trigger changed.",
        }),
        entered: Type.Integer(),
        unreadable: Type.Integer({ description: "People whose attribute has a value that is no date." }),
      }),
      { description: "The latest days of a campaign that people enter on days, the latest first." },
    ),
  ),
});
export const CampaignMetricsQuery = Type.Object({
  channel: Type.Optional(Channel),
  bucket: Type.Optional(OneOf(["hour", "day"], { description: "Adds the numbers of each hour or day, as `series`." })),
  from: at("`series`: from the bucket that holds it. 30 days, or 48 hours, before `to` unless given."),
  to: at("`series`: to the end of the bucket that holds what is right before it. Now unless given."),
  by: Type.Optional(
    OneOf(["step", "channel"], { description: "Adds to `series` the numbers of each step or channel, as `parts`." }),
  ),
});
export type CampaignMetricsQuery = Static<typeof CampaignMetricsQuery>;
