import type { StepOf } from "@tidings/contract/campaigns/steps";
import { evaluate, factsOf, loadFilterContext, type PersonFacts } from "../../../audiences/index.ts";
import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { messagesOf } from "../../rules/escalation.ts";
import { conditionsIn, type Behaviour, passes } from "../../rules/where.ts";
import { stepsOf } from "../../run/facts-store.ts";
import { type Batch, deliveryIdOf, type Participant, type StepContext, type StepWork } from "./batch.ts";

type AudienceFilter = Parameters<typeof loadFilterContext>[2]["filter"];

/** The reads that filters need. */
export interface FilterReads<C extends StepContext> {
  /** Returns the function that evaluates a condition of audiences for the person of a run. */
  audienceFacts(
    context: C,
    filter: { all: AudienceFilter[] },
    participants: Participant[],
  ): Promise<(participant: Participant, condition: AudienceFilter) => boolean>;
  /** Returns the outcomes of steps of these runs, by run and step. */
  behavioursOf(context: C, steps: string[], participants: Participant[]): Promise<Map<string, Map<string, Behaviour>>>;
}

/** Returns the function that tells for each of these runs whether a filter matches. */
export const matcherWith =
  <C extends StepContext>(reads: FilterReads<C>) =>
  async (context: C, filter: StepFilter, participants: Participant[]): Promise<boolean[]> => {
    const { conditions, steps } = conditionsIn(filter);
    const holds = await reads.audienceFacts(context, { all: conditions }, participants);
    const behaviours = await reads.behavioursOf(context, [...steps], participants);
    return participants.map((participant) =>
      passes(filter, {
        holds: (condition) => holds(participant, condition),
        trigger: participant.run.data,
        steps: behaviours.get(participant.run.id) ?? new Map(),
        now: context.time.now,
      }),
    );
  };

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
  { tx, published }: Batch,
  steps: string[],
  participants: Participant[],
): Promise<Map<string, Map<string, Behaviour>>> {
  if (steps.length === 0) return new Map();
  const asked = participants.flatMap(({ run }) =>
    steps.flatMap((stepId) => {
      const step = published.journey.nodes.get(stepId)?.step;
      const messages = step?.type === "message" ? messagesOf(step) : [];
      return messages.map((_, position) => ({
        personKey: run.person_key,
        runId: run.id,
        stepId,
        deliveryId: deliveryIdOf(run.id, stepId, position),
      }));
    }),
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

/** The number of statements does not grow with the runs. */
export const matchFilter = matcherWith<Batch>({ audienceFacts, behavioursOf });

type Matches<C> = (context: C, filter: StepFilter, participants: Participant[]) => Promise<boolean[]>;

export const branchWith = <C extends StepContext>(matches: Matches<C>): StepWork<StepOf<"branch">, C> => ({
  async loadFacts(context, step, participants) {
    // An empty filter matches everybody, as in an audience.
    const held = await matches(context, (step.if ?? { all: [] }) as StepFilter, participants);
    return held.map((holds) => ({ holds }));
  },
});

export const branch = branchWith(matchFilter);
