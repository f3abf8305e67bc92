import type { StepOf } from "@tidings/contract/campaigns/steps";
import { evaluate, factsOf, loadFilterContext, type PersonFacts } from "../../../audiences/index.ts";
import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { conditionsIn, type Behaviour, passes } from "../../rules/where.ts";
import { stepsOf } from "../../run/facts-store.ts";
import { type Batch, deliveryIdOf, type StepWork, type Participant } from "./batch.ts";

/** Returns for each of these runs whether a filter matches. The number of statements does not grow with the runs. */
export async function matchFilter(batch: Batch, filter: StepFilter, participants: Participant[]): Promise<boolean[]> {
  const { conditions, steps } = conditionsIn(filter);
  const holds = await audienceFacts(batch, { all: conditions }, participants);
  const behaviours = await behavioursOf(batch, [...steps], participants);
  return participants.map((participant) =>
    passes(filter, {
      holds: (condition) => holds(participant, condition),
      trigger: participant.run.data,
      steps: behaviours.get(participant.run.id) ?? new Map(),
      now: batch.time.now,
    }),
  );
}

type AudienceFilter = Parameters<typeof loadFilterContext>[2]["filter"];

/** Evaluates the conditions of audiences for all runs, with facts that are read together. */
async function audienceFacts(
  { tx, workspace, time }: Batch,
  filter: { all: AudienceFilter[] },
  participants: Participant[],
): Promise<(participant: Participant, condition: AudienceFilter) => boolean> {
  if (filter.all.length === 0) return () => false;
  const context = await loadFilterContext(tx, workspace.id, { filter, now: time.now });
  const people = new Map(participants.map(({ person }) => [person.person_key, person]));
  const read = await factsOf(tx, [...people.values()], filter, context);
  const facts = new Map(read.map((one) => [one.person.person_key, one]));
  return ({ person }, condition) => evaluate(condition, facts.get(person.person_key) as PersonFacts, context).pass;
}

/** Returns the outcomes of steps of these runs, by run and step. */
async function behavioursOf(
  { tx }: Batch,
  steps: string[],
  participants: Participant[],
): Promise<Map<string, Map<string, Behaviour>>> {
  if (steps.length === 0) return new Map();
  const asked = participants.flatMap(({ run }) =>
    steps.map((stepId) => ({
      personKey: run.person_key,
      runId: run.id,
      stepId,
      deliveryId: deliveryIdOf(run.id, stepId),
    })),
  );
  const failedNow = new Set(
    participants.flatMap(({ run, passages }) =>
      passages.filter(({ state }) => state === "failed").map(({ step_id }) => `${run.id} ${step_id}`),
    ),
  );
  const rows = (await stepsOf(tx, asked)).map((row) => ({
    ...row,
    failed: row.failed || failedNow.has(`${row.run_id} ${row.step_id}`),
  }));
  return new Map(
    [...Map.groupBy(rows, (row) => row.run_id)].map(([id, theirs]) => [
      id,
      new Map(theirs.map((row) => [row.step_id, row])),
    ]),
  );
}

export const branch: StepWork<StepOf<"branch">> = {
  async loadFacts(batch, step, participants) {
    // An empty filter matches everybody, as in an audience.
    const held = await matchFilter(batch, (step.if ?? { all: [] }) as StepFilter, participants);
    return held.map((holds) => ({ holds }));
  },
};
