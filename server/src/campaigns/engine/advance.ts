import type { JourneyNode } from "@tidings/contract/campaigns/journey";
import type { Person } from "../../people/index.ts";
import { type StepFacts, type Turn, turn } from "../rules/turn.ts";
import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { writePassages } from "../run/passages-store.ts";
import { endedFields, type PassageRow, runAtStep, type RunRow } from "../run/run.ts";
import { type RunUpdate, writeRuns } from "../run/store.ts";
import { tellEnded } from "../run/told.ts";
import type { Batch, Effect, Participant, StepContext, StepResult, StepWork } from "./steps/batch.ts";
import type { Step } from "@tidings/contract/campaigns/steps";
import { matchFilter } from "./steps/filters.ts";
import { workOf } from "./steps/index.ts";

// The runs of one graph advance together until each waits or has ended. The engine takes the steps in the order of the definition. All ways
// lead to a later step, so each step has its turn once, with all runs that reach it by any way.

/** A run that waits or has ended, and goes no further in this round. */
interface StoppedRun {
  participant: Participant;
  /** Undefined where it has ended. */
  wait?: Extract<Turn, { kind: "wait" }>;
  status?: "completed" | "exited" | "canceled";
  reason?: string;
}

/** The reads and writes of all types of steps, in the engine or in a simulation. */
export interface Work<C extends StepContext> {
  workOf(step: Step): StepWork<Step, C>;
  /** Returns for each of these runs whether a filter matches. */
  matchFilter(context: C, filter: StepFilter, participants: Participant[]): Promise<boolean[]>;
}

/** The new state of runs that advanced, and their passages in order. */
interface Advanced {
  updates: RunUpdate[];
  passages: PassageRow[];
}

/** Advances runs that the transaction has locked, and writes their new state. */
export async function advance(batch: Batch, runs: RunRow[], people: Map<string, Person>): Promise<void> {
  const { updates, passages } = await walk(batch, { workOf, matchFilter }, runs, people);
  await Promise.all([writeRuns(batch.tx, updates), writePassages(batch.tx, passages)]);
  const byId = new Map(runs.map((run) => [run.id, run]));
  const ended = updates.filter(({ ended_at }) => ended_at !== null);
  await tellEnded(
    batch.tx,
    ended.map((update) => ({ ...(byId.get(update.id) as RunRow), ...update })),
    batch.time.now,
  );
}

/** Takes runs from step to step until each waits or has ended. Runs of erased people end. It writes only what `work` writes. */
export async function walk<C extends StepContext>(
  context: C,
  work: Work<C>,
  runs: RunRow[],
  people: Map<string, Person>,
): Promise<Advanced> {
  const stopped: StoppedRun[] = [];
  const at = new Map<string, Participant[]>();
  const moveTo = (participant: Participant, to: string): void => {
    participant.at = to;
    at.set(to, [...(at.get(to) ?? []), participant]);
  };
  for (const run of runs) {
    const person = people.get(run.person_key);
    const participant = participantOf(run, person);
    if (person && context.published.journey.nodes.has(run.step_id ?? "")) moveTo(participant, run.step_id ?? "");
    else stopped.push(cancelRun(context, participant, person ? "step_gone" : "person_erased"));
  }
  const takeTurns = turnsOf(context, work);
  for (const node of context.published.journey.nodes.values()) {
    const participants = at.get(node.step.id);
    if (!participants) continue;
    for (const one of await takeTurns(node, participants, moveTo)) stopped.push(one);
  }
  return {
    updates: stopped.map((one) => rowOf(context, one)),
    passages: stopped.flatMap(({ participant }) => participant.passages),
  };
}

const participantOf = (run: RunRow, person: Person | undefined): Participant => ({
  run,
  // A run of an erased person reaches no step.
  person: person as Person,
  at: run.step_id,
  steppedAt: run.stepped_at,
  outputs: run.outputs,
  sent: [],
  sentAt: run.escalated_at ?? run.stepped_at,
  passages: [],
});

function cancelRun(context: StepContext, participant: Participant, reason: string): StoppedRun {
  participant.passages.push({
    ...passageOf(context, participant, participant.run.step_id ?? ""),
    state: "exited",
    reason,
  });
  return { participant, status: "canceled", reason };
}

type MoveTo = (participant: Participant, to: string) => void;

/** Returns the function that takes the turns of the runs at a step. It returns the runs that go no further. */
const turnsOf =
  <C extends StepContext>(context: C, work: Work<C>) =>
  async (node: JourneyNode, participants: Participant[], moveTo: MoveTo): Promise<StoppedRun[]> => {
    const { step } = node;
    const own = work.workOf(step);
    const facts = await loadFacts(context, work, node, participants);
    const decide = (participant: Participant, outcome?: StepResult): Turn =>
      turn(
        node,
        runAtStep(context, participant),
        { ...facts.get(participant), ...(outcome && { outcome }) },
        context.time,
      );
    const turns = new Map(participants.map((participant) => [participant, decide(participant)]));
    const done = new Map<Participant, StepResult>();
    for (;;) {
      const acting = participants.filter((participant) => turns.get(participant)?.kind === "effect");
      if (acting.length === 0) break;
      const effects = acting.map((participant) => turns.get(participant) as Effect);
      const results = (await own.act?.(context, step, acting, effects)) ?? [];
      for (const [i, participant] of acting.entries()) {
        const outcome = { ...done.get(participant), ...results[i] };
        done.set(participant, outcome);
        turns.set(participant, decide(participant, outcome));
      }
    }
    return participants.flatMap((participant) => {
      const next = turns.get(participant) as Turn;
      const outcome = done.get(participant);
      const detail = { ...outcome?.detail, ...own.detailOf?.(step, participant, next) };
      const stoppedRun = recordTurn(context, node, participant, { next, done: { ...outcome, detail } });
      if (stoppedRun) return [stoppedRun];
      if (participant.at === null) return [{ participant, status: "completed" as const }];
      arrive(context, participant);
      moveTo(participant, participant.at);
      return [];
    });
  };

function arrive({ time: { clock } }: StepContext, participant: Participant): void {
  participant.steppedAt = clock;
  participant.sent = [];
  participant.sentAt = clock;
}

/** Loads the facts that the rules need about the runs at a step. */
async function loadFacts<C extends StepContext>(
  context: C,
  { workOf: workFor, matchFilter: match }: Work<C>,
  { step }: JourneyNode,
  participants: Participant[],
): Promise<Map<Participant, StepFacts>> {
  const exitWhen = context.published.definition.exit_when;
  const exits = exitWhen ? await match(context, exitWhen as unknown as StepFilter, participants) : [];
  const staying = participants.filter((_, i) => !exits[i]);
  const loaded = staying.length > 0 ? await workFor(step).loadFacts?.(context, step, staying) : undefined;
  const byParticipant = new Map(staying.map((participant, i) => [participant, loaded?.[i]]));
  return new Map(
    participants.map((participant, i) => [
      participant,
      { ...byParticipant.get(participant), ...(exits[i] && { exits: true }) },
    ]),
  );
}

/** Records a turn in the run's passages. Returns undefined where the run continues with `participant.at`. */
function recordTurn(
  context: StepContext,
  node: JourneyNode,
  participant: Participant,
  { next, done }: { next: Turn; done: StepResult },
): StoppedRun | undefined {
  const passage = {
    ...passageOf(context, participant, node.step.id),
    delivery_id: done.deliveryId ?? null,
    deliveries: participant.sent.length > 1 ? participant.sent.map(({ deliveryId }) => deliveryId) : null,
    detail: detailOf(next, done),
  };
  switch (next.kind) {
    case "go":
      participant.passages.push({
        ...passage,
        state: next.failed === null ? "passed" : "failed",
        way: next.way,
        reason: next.failed,
      });
      participant.at = next.to;
      return undefined;
    case "wait":
      participant.passages.push({ ...passage, state: "waiting", left_at: null });
      return { participant, wait: next };
    case "end":
      participant.passages.push({
        ...passage,
        state: next.failed !== null ? "failed" : next.status === "completed" ? "passed" : "exited",
        reason: next.failed ?? next.reason,
      });
      return { participant, status: next.status, reason: next.reason };
    case "effect":
      throw new Error(`the step ${node.step.id} has an effect and no outcome`);
  }
}

/** Returns what the history shows of a turn: the details of the step's effect, or those of the end. */
function detailOf(next: Turn, done: StepResult): Record<string, unknown> | null {
  const detail = { ...(next.kind === "end" && next.detail), ...done.detail };
  return Object.keys(detail).length > 0 ? detail : null;
}

/** Returns the passage of a run that leaves a step now. `entered_at` converts the campaign's own clock to the present one. */
const passageOf = (
  { time: { now, clock } }: StepContext,
  { run, steppedAt }: Participant,
  stepId: string,
): PassageRow => ({
  person_key: run.person_key,
  run_id: run.id,
  step_id: stepId,
  workspace_id: run.workspace_id,
  campaign_id: run.campaign_id,
  entered_at: new Date(steppedAt.getTime() + now.getTime() - clock.getTime()),
  left_at: now,
  state: "passed",
  way: null,
  reason: null,
  delivery_id: null,
  deliveries: null,
  detail: null,
});

function rowOf(
  { time: { now } }: StepContext,
  { participant, wait, status = "completed", reason }: StoppedRun,
): RunUpdate {
  const { run, steppedAt, sent, sentAt } = participant;
  const { person_key, id } = run;
  const outputs = participant.outputs === run.outputs ? null : participant.outputs;
  if (!wait)
    return { person_key, id, status, reason: reason ?? null, outputs, stepped_at: steppedAt, ...endedFields(now) };
  return {
    person_key,
    id,
    status: "active",
    reason: null,
    outputs,
    step_id: participant.at,
    stepped_at: steppedAt,
    waits_for: wait.event,
    due_at: wait.until,
    due_fixed: wait.fixed,
    escalation: sent.length > 0 ? sent.map(({ deliveryId }) => deliveryId) : null,
    escalated_at: sent.length > 0 ? sentAt : null,
    ended_at: null,
  };
}
