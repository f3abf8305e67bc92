import type { Tx } from "../../platform/db/index.ts";
import { badField, notFound, Problem } from "../../platform/http/index.ts";
import { publishedOf } from "../definition/published.ts";
import { byId } from "../definition/store.ts";
import { outputOf, takeGathered } from "../engine/steps/gather.ts";
import { endMany } from "../run/end-store.ts";
import { failedSteps, leaveSteps, lockRun, putAt, reopenPassages, writeOutputs } from "./intervene-store.ts";
import { type CampaignRef, type RunRow, RUNS_DUE } from "../run/run.ts";
import { passagesOf } from "../look/list-store.ts";

// Interventions of an operator in runs: the same functions change one run and many. The engine continues the runs from their rows.

/** The part of a locked run that an intervention needs. */
export type LockedRun = Pick<RunRow, "person_key" | "id" | "step_id" | "graph" | "status" | "outputs">;

/** Moves an active run to another step of its journey. @throws Problem not_found, wrong_status, invalid_request for a step that it has reached before */
export async function moveRun(
  tx: Tx,
  campaign: CampaignRef,
  { id, stepId, now }: { id: string; stepId: string; now: Date },
): Promise<void> {
  const run = await active(tx, campaign, id, "moved");
  if (!(await journeyOf(tx, campaign, run.graph)).nodes.has(stepId))
    throw badField("/step_id", "is no step of this run's version");
  const passed = (await passagesOf(tx, run)).some((passage) => passage.step_id === stepId);
  if (passed || stepId === run.step_id)
    throw badField("/step_id", "is a step that this run has come to already: a run passes each step once");
  await moveRuns(tx, campaign, { runs: [run], stepId, now });
}

/** Moves active runs to a step of their journeys that they have not reached. */
export async function moveRuns(
  tx: Tx,
  { campaignId }: CampaignRef,
  { runs, stepId, now }: { runs: LockedRun[]; stepId: string; now: Date },
): Promise<void> {
  await leaveSteps(tx, runs, { state: "exited", reason: "moved" }, now);
  await keepBatches(tx, runs, now);
  await putAt(
    tx,
    runs.map((run) => ({ ...run, step_id: stepId })),
    now,
  );
  tx.signal(RUNS_DUE, [campaignId]);
}

/** Moves an active run past its present step and the lists of that step. @throws Problem not_found, wrong_status */
export async function skipStep(tx: Tx, campaign: CampaignRef, id: string, now: Date): Promise<void> {
  await skipSteps(tx, campaign, [await active(tx, campaign, id, "taken past a step")], now);
}

/** Moves active runs past their present steps and the lists of these steps. */
export async function skipSteps(tx: Tx, campaign: CampaignRef, runs: LockedRun[], now: Date): Promise<void> {
  await leaveSteps(tx, runs, { state: "passed", reason: "skipped" }, now);
  await keepBatches(tx, runs, now);
  for (const [graph, theirs] of Map.groupBy(runs, (run) => run.graph)) {
    const { nodes } = await journeyOf(tx, campaign, graph);
    await putAt(
      tx,
      theirs.map((run) => ({ ...run, step_id: nodes.get(run.step_id ?? "")?.next ?? null })),
      now,
    );
  }
  tx.signal(RUNS_DUE, [campaign.campaignId]);
}

/**
 * Repeats a step: at once the step of an active run that waits after a fault, or the step at which a run failed.
 * @throws Problem not_found, wrong_status also for an archived campaign
 */
export async function retryRun(tx: Tx, campaign: CampaignRef, id: string, now: Date): Promise<void> {
  await assertNotArchived(tx, campaign);
  const run = await locked(tx, campaign, id);
  const retriable = run.status === "failed" || (run.status === "active" && run.attempts > 0);
  if (!retriable || (await retryRuns(tx, campaign, [run], now)) === 0)
    throw wrongStatus("There is nothing to try again: the run must have failed, or wait after a fault.", run);
}

/** Repeats the steps of runs that failed, or wait after a fault. Returns how many. */
export async function retryRuns(tx: Tx, { campaignId }: CampaignRef, runs: LockedRun[], now: Date): Promise<number> {
  const failed = await failedSteps(
    tx,
    runs.filter(({ status }) => status === "failed"),
  );
  await reopenPassages(tx, failed);
  const repeated = [...runs.filter(({ status }) => status === "active"), ...failed];
  await putAt(tx, repeated, now);
  tx.signal(RUNS_DUE, [campaignId]);
  return repeated.length;
}

/** Ends an active run. @throws Problem not_found, wrong_status */
export async function endRun(tx: Tx, campaign: CampaignRef, id: string, now: Date): Promise<void> {
  await endRuns(tx, [await active(tx, campaign, id, "ended")], now);
}

/** Ends active runs. */
export async function endRuns(tx: Tx, runs: LockedRun[], now: Date): Promise<void> {
  await endMany(tx, runs, { status: "canceled", reason: "ended" }, now);
}

/** Ends the gathering of runs that leave a batch step: they take along what they gathered until now. */
async function keepBatches(tx: Tx, runs: LockedRun[], now: Date): Promise<void> {
  for (const [stepId, theirs] of Map.groupBy(runs, (run) => run.step_id ?? "")) {
    const gathered = await takeGathered(tx, stepId, theirs);
    const kept = theirs.flatMap((run) => {
      const own = gathered.get(run.id);
      return own ? [{ ...run, output: outputOf(run.outputs[stepId], own, now) }] : [];
    });
    if (kept.length > 0) await writeOutputs(tx, stepId, kept);
  }
}

/** @throws Problem not_found, wrong_status: the engine runs no run of an archived campaign */
export async function assertNotArchived(tx: Tx, { workspaceId, campaignId }: CampaignRef): Promise<void> {
  const row = await byId(tx, workspaceId, campaignId);
  if (!row) throw notFound("campaign");
  if (row.status === "archived") throw wrongStatus("The campaign is archived: its runs have ended for good.", row);
}

async function locked(tx: Tx, campaign: CampaignRef, id: string): Promise<RunRow> {
  const run = await lockRun(tx, campaign, id);
  if (!run) throw notFound("run");
  return run;
}

async function active(tx: Tx, campaign: CampaignRef, id: string, done: string): Promise<RunRow> {
  const run = await locked(tx, campaign, id);
  if (run.status === "active") return run;
  throw wrongStatus(`A run that is ${run.status} can't be ${done}: it must be active.`, run);
}

const wrongStatus = (detail: string, { status }: { status: string }) =>
  new Problem("wrong_status", detail, { extra: { current: status } });

/** Returns the steps of a graph of the campaign. @throws Problem not_found */
export async function journeyOf(tx: Tx, { workspaceId, campaignId }: CampaignRef, graph: number) {
  const published = await publishedOf(tx, workspaceId, campaignId, graph);
  if (!published) throw notFound("campaign");
  return published.journey;
}
