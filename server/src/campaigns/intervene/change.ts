import type { RunsChange, RunsChanged } from "@tidings/contract/campaigns/runs";
import type { Static } from "typebox";
import { type Tx, withoutDeadlock } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { badField } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { CampaignRef } from "../run/run.ts";
import {
  activeGraphs,
  type Change,
  countConcerned,
  lockConcerned,
  type Selection,
  stillConcerned,
} from "./change-store.ts";
import { assertNotArchived, endRuns, journeyOf, type LockedRun, moveRuns, retryRuns, skipSteps } from "./intervene.ts";
import type { RunFilter } from "../look/list-store.ts";
import { runFilterOf } from "../look/runs.ts";

/** Runs of one transaction: events of these people wait until it ends. */
const BATCH = 500;
/** The most runs that one call changes: about five seconds. */
const MOST_CHANGED = 10_000;

/** A call that changes runs by a filter. */
export type ChangeCall = { kind: "skip" | "retry" | "end" } | { kind: "move"; stepId: string };

/**
 * Changes the runs of a filter, batch by batch, each in a transaction of its own. `remaining` counts the runs that a repeated call would
 * change. A run that was changed is not selected again, so a call that broke off is repeated as it is.
 * @throws Problem not_found, wrong_status, invalid_request for a missing filter or a step that no journey has
 */
export async function changeRuns(
  { db, clock, log }: Pick<Ground, "db" | "clock" | "log">,
  { campaign, call, input }: { campaign: CampaignRef; call: ChangeCall; input: RunsChange },
): Promise<Static<typeof RunsChanged>> {
  const filter = readSelection(campaign, call, input);
  const selection = { campaign, filter };
  const change = await db.transaction(async (tx): Promise<Change> => {
    await assertNotArchived(tx, campaign);
    return call.kind === "move" ? { ...call, graphs: await graphsWith(tx, campaign, call.stepId) } : call;
  });
  let [changed, more] = [0, true];
  while (more && changed < MOST_CHANGED) {
    // In shards other calls lock runs of several nodes in another order.
    const batch = await withoutDeadlock(() => db.transaction((tx) => changeBatch(tx, selection, change, clock.now())));
    changed += batch.changed;
    more = batch.locked === BATCH;
  }
  const remaining = more ? await countConcerned(db, selection, change) : 0;
  const fields = {
    campaign_id: encodeId("cmp", campaign.campaignId),
    filter: Object.keys(input.filter ?? {}),
    changed,
    remaining,
  };
  log.info(fields, `runs of a campaign were changed by a filter: ${call.kind}`);
  return { changed, remaining };
}

/** Reads the filter. A call for all runs must say so: a forgotten filter would end everybody's run. @throws Problem invalid_request */
function readSelection(
  { workspaceId }: CampaignRef,
  { kind }: ChangeCall,
  { filter = {}, all }: RunsChange,
): RunFilter {
  const empty = Object.keys(filter).length === 0;
  if (empty && !all)
    throw badField("/filter", 'must have at least one field; to change all runs, send "all": true instead of a filter');
  if (!empty && all) throw badField("/all", "can't be given with a filter");
  if (filter.state !== undefined && filter.step === undefined)
    throw badField("/filter/state", "needs step: it says what became of runs at a step");
  if (kind === "skip" && (filter.step === undefined || (filter.state ?? "waiting") !== "waiting" || filter.converted))
    throw badField("/filter/step", "is required, without state and converted: the runs at this step skip it");
  return runFilterOf(workspaceId, filter);
}

/** Returns the graphs of active runs that have a step. @throws Problem invalid_request if none has it */
async function graphsWith(tx: Tx, campaign: CampaignRef, stepId: string): Promise<number[]> {
  const graphs = await activeGraphs(tx, campaign);
  const having: number[] = [];
  for (const graph of graphs) if ((await journeyOf(tx, campaign, graph)).nodes.has(stepId)) having.push(graph);
  if (graphs.length > 0 && having.length === 0)
    throw badField("/step_id", "is no step of a version that has active runs");
  return having;
}

async function changeBatch(tx: Tx, selection: Selection, change: Change, now: Date) {
  const locked = await lockConcerned(tx, selection, change, BATCH);
  const runs = locked.length > 0 ? await stillConcerned(tx, selection, change, locked) : [];
  if (runs.length > 0) await apply(tx, selection.campaign, { change, runs, now });
  return { locked: locked.length, changed: runs.length };
}

async function apply(
  tx: Tx,
  campaign: CampaignRef,
  { change, runs, now }: { change: Change; runs: LockedRun[]; now: Date },
): Promise<void> {
  switch (change.kind) {
    case "move":
      return moveRuns(tx, campaign, { runs, stepId: change.stepId, now });
    case "skip":
      return skipSteps(tx, campaign, runs, now);
    case "retry":
      await retryRuns(tx, campaign, runs, now);
      return;
    case "end":
      return endRuns(tx, runs, now);
  }
}
