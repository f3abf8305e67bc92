import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { askedOf, conditionsOf, evaluate, shown, valueAt } from "../../../audiences/index.ts";
import type { Participant } from "../../engine/steps/batch.ts";
import { matcherWith } from "../../engine/steps/filters.ts";
import { type Behaviour, passes } from "../../rules/where.ts";
import { personIn, runIn, type Verdicts, type World } from "./world.ts";

/** Evaluates a filter for runs over the world in memory. */
export const matchFilter = matcherWith<World>({
  audienceFacts: async (world) => {
    const context = { ...world.filters, now: world.time.now };
    return ({ person }, condition) =>
      evaluate(condition, { ...personIn(world, person.person_key).facts, person }, context).pass;
  },
  behavioursOf: async (world, steps, participants) =>
    new Map(
      participants.map((participant) => [
        participant.run.id,
        new Map(steps.map((stepId) => [stepId, behaviourOf(world, participant, stepId)])),
      ]),
    ),
});

const NOTHING: Behaviour = { failed: false, sent: false, seen: false, clicked: false };

/** Returns the outcome of a step's message, as `stepsOf` in run/facts-store.ts reads it. */
function behaviourOf(world: World, { run, passages }: Participant, stepId: string): Behaviour {
  const { deliveries, passages: before } = runIn(world, run.id);
  const passage = passages.find(({ step_id }) => step_id === stepId) ?? before.get(stepId);
  if (world.published.journey.nodes.get(stepId)?.step.type !== "message") return NOTHING;
  const own = [...deliveries.values()].filter((delivery) => delivery.stepId === stepId);
  return {
    failed: passage?.state === "failed" || (own.length > 0 && own.every(({ status }) => status === "failed")),
    sent: own.some(({ channel, status, sent_at }) => (channel === "in_app" ? status !== "failed" : sent_at !== null)),
    seen: own.some(({ shown_at, opened_at, clicked_at }) => (shown_at ?? opened_at ?? clicked_at) !== null),
    clicked: own.some(({ clicked_at }) => clicked_at !== null),
  };
}

/** Returns the verdict of each condition of a filter for a run, in the filter's order. */
export function verdictsOf(world: World, filter: object, participant: Participant): Verdicts {
  const { now } = world.time;
  const facts = { ...personIn(world, participant.run.person_key).facts, person: participant.person };
  return conditionsOf(filter as StepFilter).map((condition) => {
    if ("trigger" in condition) {
      const trigger = participant.run.data;
      const pass = passes(condition, { holds: () => false, trigger, steps: new Map(), now });
      const value = shown(valueAt(trigger, condition.trigger));
      return { pass, text: `trigger.${condition.trigger} is ${value}, asked: ${askedOf(condition)}` };
    }
    if ("step" in condition) {
      const pass = behaviourOf(world, participant, condition.step)[condition.op];
      return { pass, text: `the message of ${condition.step} ${pass ? "was" : "was not"} ${condition.op}` };
    }
    const { pass, detail } = evaluate(condition, facts, { ...world.filters, now });
    return { pass, text: detail };
  });
}
