import type { StepOf } from "@tidings/contract/campaigns/steps";
import type { Tx } from "../../../platform/db/index.ts";
import { derivedId, encodeId } from "../../../platform/ids.ts";
import { assign, fitting, type Gathered, type OpenBatch } from "../../rules/batches.ts";
import { fieldOf } from "../../rules/fields.ts";
import type { StepFacts } from "../../rules/turn.ts";
import { type Output, runAtStep, type RunRow } from "../../run/run.ts";
import type { Batch, Participant, StepContext, StepWork } from "./batch.ts";
import { type BatchRow, batchesOf, openBatches, takeBatches, wakeLeaders, writeBatches } from "./gather-store.ts";
import { holdStep } from "../../run/hold-store.ts";

// The runs of one person and key gather at the first of them. Locks: a transaction holds the runs that it advances, then the step, then
// rows of batches. So it must not wait for another run: the run that leads a batch is woken only if nobody else has locked it, and
// otherwise after the commit.

type BatchStep = StepOf<"batch">;
type RunKey = Pick<RunRow, "person_key" | "id">;

/** Returns the person and the key by which a run is gathered: the value of the step's `key`. Runs without a value are gathered together. */
function keyOf(context: StepContext, step: BatchStep, participant: Participant): string {
  const value = step.key === undefined ? undefined : fieldOf(step.key, runAtStep(context, participant));
  return `${participant.run.person_key} ${derivedId("batch", JSON.stringify(value ?? null))}`;
}

/** Where the batches of a step are. The keys of batches are those of keyOf. */
export interface Batches<C extends StepContext> {
  /** Returns the batches that these runs lead. */
  led(context: C, step: BatchStep, runs: RunKey[]): Promise<OpenBatch[]>;
  /** Returns the open batches of these keys. */
  open(context: C, step: BatchStep, keys: string[]): Promise<OpenBatch[]>;
  /** Writes batches in this order, and makes the runs due that lead the full batches `filled`. */
  write(context: C, step: BatchStep, changed: OpenBatch[], filled: OpenBatch[]): Promise<unknown>;
  /** Ends the gathering of these runs, and returns by run what they gathered. */
  take(context: C, step: BatchStep, runs: RunKey[]): Promise<Map<string, Gathered>>;
}

/** Gathers runs that arrive at a batch step. */
export const gatherWith = <C extends StepContext>(batches: Batches<C>): StepWork<BatchStep, C> => ({
  async loadFacts(context, step, participants) {
    const runs = participants.map(({ run }) => run);
    const led = new Map((await batches.led(context, step, runs)).map((one) => [one.leader, one]));
    const arriving = participants.filter(({ run }) => !led.has(run.id));
    const joined = arriving.length > 0 ? await join(context, batches, step, arriving) : new Map<string, OpenBatch>();
    // A run that leads a batch since an earlier round sees the runs that have joined it in this one.
    const grown = new Map([...joined.values()].map((one) => [one.leader, one]));
    return runs.map(({ id }): StepFacts => {
      const own = joined.get(id) ?? grown.get(id) ?? (led.get(id) as OpenBatch);
      return { batch: { leader: own.leader === id ? null : encodeId("run", own.leader), count: own.count } };
    });
  },
  async act(context, step, participants) {
    const runs = participants.map(({ run }) => run);
    const taken = await batches.take(context, step, runs);
    return participants.map((participant) => {
      const { run, outputs } = participant;
      const gathered = taken.get(run.id) ?? { count: 1, items: [run.data] };
      participant.outputs = { ...outputs, [step.id]: outputOf(outputs[step.id], gathered, context.time.now) };
      return { detail: { count: gathered.count } };
    });
  },
});

/** Lets runs join the batches of their keys. Returns the batch of each run. */
async function join<C extends StepContext>(
  context: C,
  batches: Batches<C>,
  step: BatchStep,
  arriving: Participant[],
): Promise<Map<string, OpenBatch>> {
  const arrivals = arriving.map((participant) => ({ id: participant.run.id, key: keyOf(context, step, participant) }));
  const open = await batches.open(context, step, [...new Set(arrivals.map(({ key }) => key))]);
  const byKey = new Map(open.map((one) => [one.key, one]));
  const { batches: joined, changed } = assign(arrivals, byKey, step.max);
  const here = new Set(arrivals.map(({ id }) => id));
  const filled = [...changed].filter((one) => !one.open && !here.has(one.leader));
  await batches.write(context, step, [...changed], filled);
  return new Map(arrivals.map(({ id }, i) => [id, joined[i] as OpenBatch]));
}

/** Returns the output of a batch step with what it gathered. */
export const outputOf = (before: Output | undefined, batch: Gathered, now: Date): Output => ({
  ...before,
  batch,
  gathered_at: now.toISOString(),
});

const batchOf = (row: BatchRow): OpenBatch => ({
  key: `${row.person_key} ${row.key}`,
  leader: row.run_id,
  count: row.count,
  runIds: row.run_ids,
  open: row.open,
});

const partsOf = (key: string) => {
  const [personKey = "", hash = ""] = key.split(" ");
  return { personKey, key: hash };
};

function rowOf({ key, leader, count, runIds, open }: OpenBatch): BatchRow {
  const of = partsOf(key);
  return { person_key: of.personKey, run_id: leader, key: of.key, open, count, run_ids: runIds };
}

const placeOf = ({ published: { workspaceId, campaignId } }: Batch, { id: stepId }: BatchStep) => ({
  workspaceId,
  campaignId,
  stepId,
});

export const gather = gatherWith<Batch>({
  async led(batch, step, runs) {
    const at = placeOf(batch, step);
    await holdStep(batch.tx, at);
    return (await batchesOf(batch.tx, at, runs)).map(batchOf);
  },
  async open(batch, step, keys) {
    const at = placeOf(batch, step);
    const rows = await openBatches(batch.tx, at, keys.map(partsOf));
    // The batch of a run that ended here stays as it is, as a record, and gathers no more.
    const left = rows.filter(({ led }) => !led).map((row) => ({ ...row, open: false }));
    if (left.length > 0) await writeBatches(batch.tx, at, left);
    return rows.filter(({ led }) => led).map(batchOf);
  },
  async write(batch, step, changed, filled) {
    const { tx, ground, time } = batch;
    const at = placeOf(batch, step);
    await writeBatches(tx, at, changed.map(rowOf));
    if (filled.length === 0) return;
    const leaders = filled.map(({ key, leader }) => ({ person_key: partsOf(key).personKey, id: leader }));
    const woken = await wakeLeaders(tx, at, leaders, { clock: time.clock, waits: false });
    const missed = leaders.filter(({ id }) => !woken.some((one) => one.id === id));
    const wakeMissed = () => wakeLeaders(ground.workDb, at, missed, { clock: time.clock, waits: true });
    // A run that is not woken, because this process dies now, continues when its window is over.
    if (missed.length > 0) tx.afterCommit(() => void wakeMissed().catch(() => {}));
  },
  take: ({ tx }, step, runs) => takeGathered(tx, step.id, runs),
});

/** Ends the gathering of these runs at a step, and returns by run what they gathered. */
export async function takeGathered(tx: Tx, stepId: string, runs: RunKey[]): Promise<Map<string, Gathered>> {
  const rows = await takeBatches(tx, stepId, runs);
  return new Map(rows.map(({ run_id, count, items }) => [run_id, { count, items: fitting(items) }]));
}
