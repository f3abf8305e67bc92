import { type Static, Type } from "typebox";
import { GoalGroup, Lift } from "../facts/comparison.ts";
import { Dictionary, Nullable } from "../primitives.ts";

// The numbers of a campaign's goal: who reached it, after which message, and whether the messages made the difference.

const Attributed = {
  clicked: Type.Integer({ description: "Runs whose person had clicked the message before." }),
  seen: Type.Integer({ description: "Runs whose person had seen it and not clicked." }),
  sent: Type.Integer({ description: "Runs whose person had been sent it and had seen no message of the run." }),
};
/** The goal's numbers of one message step. */
export const StepGoal = Type.Object({
  attributed: Type.Integer({ description: "Runs whose goal is attributed to a message of the step." }),
  ...Attributed,
  channels: Dictionary(Type.Integer(), { description: "`attributed` by channel." }),
  messaged: Type.Optional(GoalGroup),
  held_out: Type.Optional(GoalGroup),
  open: Type.Optional(
    Type.Integer({ description: "People who are in no group yet, because the goal's time is not over for them." }),
  ),
  lift: Type.Optional(Lift),
  variants: Type.Optional(Dictionary(Type.Object({ ...GoalGroup.properties, lift: Type.Optional(Lift) }))),
});
export type StepGoal = Static<typeof StepGoal>;

/** The numbers of a campaign's goal. */
export const GoalMetrics = Type.Object({
  reached: Type.Integer({ description: "Runs that reached the goal: `runs.converted`." }),
  runs: Type.Integer({ description: "Runs that began." }),
  rate: Nullable(Type.Number({ description: "`reached` / `runs` so far; null without runs." })),
  open: Type.Integer({ description: "Runs that have not reached the goal and still can: its time is not over." }),
  unattributed: Type.Integer({ description: "Runs that reached the goal before a message was sent to the person." }),
  steps: Dictionary(StepGoal, { description: "Each message step." }),
});
export type GoalMetrics = Static<typeof GoalMetrics>;
