import type { Tx } from "../../platform/db/index.ts";
import { badField, notFound, Problem } from "../../platform/http/index.ts";
import { publishedOf } from "../definition/published.ts";
import { outputOf, takeGathered } from "../engine/steps/gather.ts";
import { endOne } from "../run/end-store.ts";
import { leaveStep, lockRun, putAt, reopenPassage, writeOutput } from "../run/intervene-store.ts";
import { passagesOf } from "./list-store.ts";
import { type CampaignRef, type RunRow, RUNS_DUE } from "../run/run.ts";

// Interventions of an operator in one run. The engine continues the run from its row.

/** Moves an active run to another step of its journey. @throws Problem not_found, wrong_status, invalid_request for a step that it has reached before */
export async function moveRun(
  tx: Tx,
  campaign: CampaignRef,
  { id, stepId, now }: { id: string; stepId: string; now: Date },
): Promise<void> {
  const run = await active(tx, campaign, id, "moved");
  if (!(await journeyOf(tx, run)).nodes.has(stepId)) throw badField("/step_id", "is no step of this run's version");
  const passed = (await passagesOf(tx, run)).some((passage) => passage.step_id === stepId);
  if (passed || stepId === run.step_id)
    throw badField("/step_id", "is a step that this run has come to already: a run passes each step once");
  await leaveStep(tx, run, { state: "exited", reason: "moved" }, now);
  await keepBatch(tx, run, now);
  await putAt(tx, run, stepId, now);
  tx.signal(RUNS_DUE, [campaign.campaignId]);
}

/** Moves an active run past its present step and the lists of that step. @throws Problem not_found, wrong_status */
export async function skipStep(tx: Tx, campaign: CampaignRef, id: string, now: Date): Promise<void> {
  const run = await active(tx, campaign, id, "taken past a step");
  const node = (await journeyOf(tx, run)).nodes.get(run.step_id ?? "");
  await leaveStep(tx, run, { state: "passed", reason: "skipped" }, now);
  await keepBatch(tx, run, now);
  await putAt(tx, run, node?.next ?? null, now);
  tx.signal(RUNS_DUE, [campaign.campaignId]);
}

/**
 * Repeats a step: at once the step of an active run that waits after a fault, or the step at which a run failed.
 * @throws Problem not_found, wrong_status
 */
export async function retryRun(tx: Tx, campaign: CampaignRef, id: string, now: Date): Promise<void> {
  const run = await locked(tx, campaign, id);
  const stepId = run.status === "active" && run.attempts > 0 ? run.step_id : await failedAt(tx, run);
  if (stepId === null)
    throw wrongStatus("There is nothing to try again: the run must have failed, or wait after a fault.", run);
  if (run.status !== "active") await reopenPassage(tx, run, stepId);
  await putAt(tx, run, stepId, now);
  tx.signal(RUNS_DUE, [campaign.campaignId]);
}

/** Ends an active run. @throws Problem not_found, wrong_status */
export async function endRun(tx: Tx, campaign: CampaignRef, id: string, now: Date): Promise<void> {
  const run = await active(tx, campaign, id, "ended");
  await endOne(tx, run, { status: "canceled", reason: "ended" }, now);
}

/** Ends the gathering of a run that leaves a batch step: it takes along what it gathered until now. */
async function keepBatch(tx: Tx, run: RunRow, now: Date): Promise<void> {
  const stepId = run.step_id ?? "";
  const gathered = (await takeGathered(tx, stepId, [run])).get(run.id);
  if (gathered) await writeOutput(tx, run, { stepId, output: outputOf(run.outputs[stepId], gathered, now) });
}

async function failedAt(tx: Tx, run: RunRow): Promise<string | null> {
  if (run.status !== "failed") return null;
  const failed = (await passagesOf(tx, run)).filter(({ state }) => state === "failed");
  const last = failed.sort((a, b) => (a.left_at?.getTime() ?? 0) - (b.left_at?.getTime() ?? 0)).at(-1);
  return last?.step_id ?? null;
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

const wrongStatus = (detail: string, { status }: RunRow) =>
  new Problem("wrong_status", detail, { extra: { current: status } });

async function journeyOf(tx: Tx, { workspace_id, campaign_id, graph }: RunRow) {
  const published = await publishedOf(tx, workspace_id, campaign_id, graph);
  if (!published) throw notFound("campaign");
  return published.journey;
}
