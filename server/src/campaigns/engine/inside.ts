import type { Ground } from "../../platform/ground.ts";
import { publishedGraphs } from "../definition/published.ts";
import { lockById } from "../definition/store.ts";
import { endMany } from "../run/end-store.ts";
import { holdArchived, holdSettling, lockInside, noteDone } from "../run/inside-store.ts";
import { hasToSettle, settleBatch } from "../run/settle.ts";
import type { CampaignRef } from "../run/run.ts";

// What activations and archives leave to the engine: they decide about all active runs, and the engine carries it out in batches. Each
// batch is a transaction, so a process that dies repeats at most one. The campaign's row says that runs are left until a transaction that
// locks the campaign has found none.

type Work = Pick<Ground, "workDb" | "clock">;

/** Runs in a batch. It takes few statements, whatever its size. */
const BATCH = 1_000;

/** Moves or ends a batch of runs of earlier graphs, as activations decided. Returns their number. */
export async function settleBatchOf({ workDb, clock }: Work, campaign: CampaignRef): Promise<number> {
  const settled = await workDb.transaction(async (tx) => {
    const now = clock.now();
    const held = await holdSettling(tx, campaign, now);
    if (!held) return 0;
    const graphs = await publishedGraphs(tx, campaign);
    return settleBatch(tx, { campaign, graphs }, { now, clock: new Date(now.getTime() - held.behind) }, BATCH);
  });
  if (settled < BATCH)
    await workDb.transaction(async (tx) => {
      await lockById(tx, campaign.workspaceId, campaign.campaignId);
      const graphs = await publishedGraphs(tx, campaign);
      if (!(await hasToSettle(tx, { campaign, graphs }))) await noteDone(tx, campaign, "settling");
    });
  return settled;
}

/** Ends a batch of an archived campaign's runs. Returns their number. */
export async function endBatchOf({ workDb, clock }: Work, campaign: CampaignRef): Promise<number> {
  const ended = await workDb.transaction(async (tx) => {
    const runs = await lockInside(tx, campaign, BATCH);
    if (runs.length === 0) return 0;
    return endMany(tx, runs, { status: "canceled", reason: "campaign_archived" }, clock.now());
  });
  // In a transaction of its own: an event's transaction may hold the campaign and wait for a run.
  if (ended < BATCH)
    await workDb.transaction(async (tx) => {
      if (!(await holdArchived(tx, campaign))) await noteDone(tx, campaign, "ending");
    });
  return ended;
}
