import type { Queries, Tx } from "../../platform/db/index.ts";
import { publishedGraphs } from "../definition/published.ts";
import { fateOf, type Fate, isLate, newest, type PublishedGraph, settledGraph } from "../rules/graph.ts";
import type { Time } from "../rules/turn.ts";
import { endMany } from "./end-store.ts";
import { begunAmong, type Earlier, type GraphMove, hasEarlier, lockEarlier, moveToGraphs } from "./inside-store.ts";
import type { CampaignRef, RunRow } from "./run.ts";

// Settles runs of earlier graphs: they move to a newer graph, stay or end, as the activations since then decided (rules/graph.ts). An
// activation settles the first runs in its own transaction, and the engine settles the others in batches. A run that is due
// meanwhile is settled first, so that no run takes a step of a graph that it should have left.

/** Settles runs that the caller has locked. Returns those that are still active, as they are now. */
export async function settle(tx: Tx, campaign: CampaignRef, runs: RunRow[], time: Time): Promise<RunRow[]> {
  return settleBy(tx, await publishedGraphs(tx, campaign), runs, time);
}

/** A campaign with its graphs. */
export interface Graphs {
  campaign: CampaignRef;
  graphs: PublishedGraph[];
}

/** Settles up to `limit` runs of a campaign. Returns their number: with fewer than `limit`, no others remain that nobody holds. */
export async function settleBatch(tx: Tx, { campaign, graphs }: Graphs, time: Time, limit: number): Promise<number> {
  const runs = await lockEarlier(tx, campaign, earlierThanSettled(graphs), limit);
  await settleBy(tx, graphs, runs, time);
  return runs.length;
}

/** Whether a campaign has runs to settle. */
export const hasToSettle = (q: Queries, { campaign, graphs }: Graphs): Promise<boolean> =>
  hasEarlier(q, campaign, earlierThanSettled(graphs));

function earlierThanSettled(graphs: PublishedGraph[]): Earlier {
  const graph = settledGraph(graphs);
  const steps = graphs.filter((one) => one.graph < graph).flatMap(({ journey }) => [...journey.nodes.keys()]);
  return { graph, steps: [...new Set(steps)] };
}

async function settleBy(tx: Tx, graphs: PublishedGraph[], runs: RunRow[], time: Time): Promise<RunRow[]> {
  const late = runs.filter((run) => isLate(run, graphs));
  const begun = late.length > 0 ? await begunAmong(tx, late) : new Set<string>();
  const restarts = new Set(late.filter(({ id }) => !begun.has(id)));
  const fates = new Map(
    runs.map((run): [RunRow, Fate] => [
      run,
      restarts.has(run) ? newest(graphs) : fateOf({ graph: run.graph, stepId: run.step_id ?? "" }, graphs),
    ]),
  );
  for (const reason of ["step_gone", "campaign_changed"] as const) {
    const ends = runs.filter((run) => endsBy(fates.get(run)) === reason);
    if (ends.length > 0) await endMany(tx, ends, { status: "exited", reason }, time.now);
  }
  const moves = runs.flatMap((run): GraphMove[] => {
    const fate = fates.get(run);
    return fate?.kind === "moves" ? [{ run, ...fate }] : [];
  });
  if (moves.length > 0) await moveToGraphs(tx, moves, time.clock);
  return runs.flatMap((run) => settled(run, fates.get(run), time));
}

const endsBy = (fate: Fate | undefined) => (fate?.kind === "ends" ? fate.reason : undefined);

/** Returns a run as it is after it was settled; none if it has ended. */
function settled(run: RunRow, fate: Fate | undefined, { clock }: Time): RunRow[] {
  if (fate?.kind === "ends") return [];
  if (fate?.kind !== "moves") return [run];
  const { graph, stepId } = fate;
  if (!fate.again) return [{ ...run, graph, step_id: stepId }];
  const { event: _, ...output } = run.outputs[stepId] ?? {};
  const outputs = stepId in run.outputs ? { ...run.outputs, [stepId]: output } : run.outputs;
  return [{ ...run, graph, step_id: stepId, outputs, due_at: clock, due_fixed: false, waits_for: null }];
}
