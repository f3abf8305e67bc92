import type { JourneyNode } from "@tidings/contract/campaigns/journey";
import type { Person } from "../../people/index.ts";
import { type Facts, type Turn, turn } from "../rules/turn.ts";
import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { writePassages } from "../run/passages-store.ts";
import type { PassageRow, RunRow } from "../run/run.ts";
import { type Advanced, writeRuns } from "../run/store.ts";
import { type Batch, type Done, standingOf, type Walk } from "./steps/batch.ts";
import { holding } from "./steps/filters.ts";
import { workOf } from "./steps/index.ts";

// Runs of one graph go on together until each waits or has ended. The steps are taken in the order in which they are written: all ways
// lead on to a later one, so each step has its turn once, with all runs that come to it by any way.

/** A run that goes no further in this round. */
interface Rest {
  walk: Walk;
  /** Undefined where it has ended. */
  wait?: Extract<Turn, { kind: "wait" }>;
  status?: "completed" | "exited" | "canceled";
  reason?: string;
}

/** Advances runs that the transaction holds, and writes where they are then. Runs of people who are gone end. */
export async function advance(batch: Batch, runs: RunRow[], people: Map<string, Person>): Promise<void> {
  const rests: Rest[] = [];
  const at = new Map<string, Walk[]>();
  const come = (walk: Walk, to: string): void => {
    walk.at = to;
    at.set(to, [...(at.get(to) ?? []), walk]);
  };
  for (const run of runs) {
    const person = people.get(run.person_key);
    const walk = walkOf(run, person);
    if (person && batch.published.journey.nodes.has(run.step_id ?? "")) come(walk, run.step_id ?? "");
    else rests.push(leave(batch, walk, person ? "step_gone" : "person_erased"));
  }
  for (const node of batch.published.journey.nodes.values()) {
    const walks = at.get(node.step.id);
    if (!walks) continue;
    for (const rest of await atPlace(batch, node, walks, come)) rests.push(rest);
  }
  await writeRuns(
    batch.tx,
    rests.map((rest) => rowOf(batch, rest)),
  );
  await writePassages(
    batch.tx,
    rests.flatMap(({ walk }) => walk.passages),
  );
}

const walkOf = (run: RunRow, person: Person | undefined): Walk => ({
  run,
  // Who is gone comes to no step.
  person: person as Person,
  at: run.step_id,
  steppedAt: run.stepped_at,
  outputs: run.outputs,
  passages: [],
});

function leave(batch: Batch, walk: Walk, reason: string): Rest {
  walk.passages.push({ ...passageOf(batch, walk, walk.run.step_id ?? ""), state: "exited", reason });
  return { walk, status: "canceled", reason };
}

/** Has the runs at a step take their turns. Gives those that go no further. */
async function atPlace(
  batch: Batch,
  node: JourneyNode,
  walks: Walk[],
  come: (walk: Walk, to: string) => void,
): Promise<Rest[]> {
  const { step } = node;
  const work = workOf(step);
  const facts = await factsAt(batch, node, walks);
  const turns = walks.map((walk, i) => turn(node, standingOf(batch, walk), facts[i] as Facts, batch.time));
  const effects = walks.filter((_, i) => turns[i]?.kind === "effect");
  const done = new Map<Walk, Done>();
  if (effects.length > 0) {
    const results = (await work.act?.(batch, step, effects)) ?? [];
    for (const [i, walk] of effects.entries()) done.set(walk, results[i] as Done);
  }
  return walks.flatMap((walk, i) => {
    const outcome = done.get(walk);
    const last = outcome ? turn(node, standingOf(batch, walk), { ...facts[i], outcome }, batch.time) : turns[i];
    const rest = taken(batch, node, walk, { next: last as Turn, done: outcome });
    if (rest) return [rest];
    if (walk.at === null) return [{ walk, status: "completed" as const }];
    walk.steppedAt = batch.time.clock;
    come(walk, walk.at);
    return [];
  });
}

/** What the rules need to know of the runs at a step. */
async function factsAt(batch: Batch, { step }: JourneyNode, walks: Walk[]): Promise<Facts[]> {
  const exitWhen = batch.published.definition.exit_when;
  const exits = exitWhen ? await holding(batch, exitWhen as unknown as StepFilter, walks) : [];
  const staying = walks.filter((_, i) => !exits[i]);
  const asked = staying.length > 0 ? await workOf(step).ask?.(batch, step, staying) : undefined;
  const byWalk = new Map(staying.map((walk, i) => [walk, asked?.[i]]));
  return walks.map((walk, i) => ({ ...byWalk.get(walk), ...(exits[i] && { exits: true }) }));
}

/** Notes a turn in the run's passages. Undefined where the run goes on to `walk.at`. */
function taken(
  batch: Batch,
  node: JourneyNode,
  walk: Walk,
  { next, done }: { next: Turn; done: Done | undefined },
): Rest | undefined {
  const passage = {
    ...passageOf(batch, walk, node.step.id),
    delivery_id: done?.deliveryId ?? null,
    detail: done?.detail && Object.keys(done.detail).length > 0 ? done.detail : null,
  };
  switch (next.kind) {
    case "go":
      walk.passages.push({
        ...passage,
        state: next.failed === null ? "passed" : "failed",
        way: next.way,
        reason: next.failed,
      });
      walk.at = next.to;
      return undefined;
    case "wait":
      walk.passages.push({ ...passage, state: "waiting", left_at: null });
      return { walk, wait: next };
    case "end":
      walk.passages.push({
        ...passage,
        state: next.failed === null ? "exited" : "failed",
        reason: next.failed ?? next.reason,
      });
      return { walk, status: next.status, reason: next.reason };
    case "effect":
      throw new Error(`the step ${node.step.id} has an effect and no outcome`);
  }
}

/** A passage that the run leaves now. It came when the run's clock said so, as far as that is behind now. */
const passageOf = ({ time: { now, clock } }: Batch, { run, steppedAt }: Walk, stepId: string): PassageRow => ({
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
  detail: null,
});

function rowOf({ time: { now, clock } }: Batch, { walk, wait, status = "completed", reason }: Rest): Advanced {
  const { run, steppedAt } = walk;
  const { person_key, id } = run;
  const outputs = walk.outputs === run.outputs ? null : walk.outputs;
  const ended = {
    step_id: null,
    stepped_at: steppedAt,
    waits_for: null,
    due_at: null,
    due_fixed: false,
    ended_at: now,
  };
  if (!wait) return { person_key, id, status, reason: reason ?? null, outputs, ...ended };
  const behind = wait.fixed ? now.getTime() - clock.getTime() : 0;
  return {
    person_key,
    id,
    status: "active",
    reason: null,
    outputs,
    step_id: walk.at,
    stepped_at: steppedAt,
    waits_for: wait.event,
    due_at: new Date(wait.until.getTime() - behind),
    due_fixed: wait.fixed,
    ended_at: null,
  };
}
