import { type Static, Type } from "typebox";
import { Channel, Metrics } from "../facts/activity.ts";
import { Closed, Dictionary, Instant, JsonObject, Line, ListOf, ListQuery, Nullable, PersonId } from "../primitives.ts";
import { PassageState, Run, RunStatus } from "./campaigns.ts";
import { StepId } from "./steps.ts";

export const RunStarted = Type.Object({ run_id: Type.String() });
export const RunsCancel = Closed({ cancellation_key: Line(200, { minLength: 1 }) });
export const RunsCanceled = Type.Object({ canceled: Type.Integer() });

export const RunList = ListOf(Run);
export const RunsQuery = Type.Object({
  ...ListQuery,
  person_id: Type.Optional(PersonId),
  step: Type.Optional(Line(50, { description: "Only runs that are at this step now." })),
  status: Type.Optional(RunStatus),
});

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

export const StepCounts = Type.Object({
  entered: Type.Integer({ description: "Runs that reached the step: the sum of the other four numbers." }),
  waiting: Type.Integer({ description: "Runs that are at the step now." }),
  passed: Type.Integer({ description: "Runs that continued after the step." }),
  failed: Type.Integer({ description: "Runs for which the step failed, whether they continued or ended." }),
  exited: Type.Integer({ description: "Runs that ended at the step." }),
});
export type StepCounts = Static<typeof StepCounts>;
/** The numbers of a campaign: its messages, in total and by channel, its steps, and its goal. */
export const CampaignMetrics = Type.Object({
  totals: Metrics,
  channels: Dictionary(Metrics),
  steps: Dictionary(StepCounts),
  goal: Type.Optional(Type.Object({ reached: Type.Integer({ description: "Runs that reached the goal." }) })),
});
export const CampaignMetricsQuery = Type.Object({ channel: Type.Optional(Channel) });
