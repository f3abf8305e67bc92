import { type Heard, listen, type Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { encodeId } from "../../platform/ids.ts";
import { progressed } from "../../platform/resources/progress.ts";
import { LIMITS_CHANGED } from "../../workspaces/index.ts";
import { publishedGraphs } from "../definition/published.ts";
import { lock } from "../definition/store.ts";
import { endMany } from "../run/end-store.ts";
import { askAgain, hasHeldBack, noteAsked, noteAsking } from "./held-back-store.ts";
import { holdArchived, holdSettling, lockInside, noteDone } from "../run/inside-store.ts";
import { hasToSettle, settleBatch } from "../run/settle.ts";
import { type CampaignRef, RUNS_DUE } from "../run/run.ts";
import type { WorkingCampaign } from "../run/store.ts";

// What activations, archives and changes of the limits leave to the engine: they decide about many runs, and the engine carries it out in batches. Each
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
    tellProgress(tx, campaign);
    return settleBatch(tx, { campaign, graphs }, { now, clock: new Date(now.getTime() - held.behind) }, BATCH);
  });
  if (settled < BATCH)
    await workDb.transaction(async (tx) => {
      await lock(tx, campaign.workspaceId, campaign.campaignId);
      const graphs = await publishedGraphs(tx, campaign);
      if (await hasToSettle(tx, { campaign, graphs })) return;
      await noteDone(tx, campaign, "settling");
      tellProgress(tx, campaign);
    });
  return settled;
}

/** Ends a batch of an archived campaign's runs. Returns their number. */
export async function endBatchOf({ workDb, clock }: Work, campaign: CampaignRef): Promise<number> {
  const ended = await workDb.transaction(async (tx) => {
    const runs = await lockInside(tx, campaign, BATCH);
    if (runs.length === 0) return 0;
    tellProgress(tx, campaign);
    return endMany(tx, runs, { status: "canceled", reason: "campaign_archived" }, clock.now());
  });
  // In a transaction of its own: an event's transaction may hold the campaign and wait for a run.
  if (ended < BATCH)
    await workDb.transaction(async (tx) => {
      if (await holdArchived(tx, campaign)) return;
      await noteDone(tx, campaign, "ending");
      tellProgress(tx, campaign);
    });
  return ended;
}

const tellProgress = (tx: Tx, { workspaceId, campaignId }: CampaignRef): void =>
  progressed(tx, workspaceId, encodeId("cmp", campaignId));

/** Runs that ask again in a batch. */
const ASKING = 5_000;

/** Listens to changes of the limits for marketing: whoever waits because of them asks again. */
export const hearsLimits = ({ clock }: Pick<Ground, "clock">): Heard =>
  listen(LIMITS_CHANGED, {
    hears: "in the transaction",
    cares: () => true,
    async take(tx, changed) {
      const workspaces = changed.map(({ workspaceId }) => workspaceId);
      const campaigns = await noteAsking(tx, workspaces, clock.now());
      if (campaigns.length > 0) tx.signal(RUNS_DUE, campaigns);
    },
  });

/** Makes a batch of the runs due that the limits held back when they changed. Returns their number. */
export async function askBatchOf({ workDb, clock }: Work, campaign: WorkingCampaign): Promise<number> {
  const now = clock.now();
  const steps = (await publishedGraphs(workDb, campaign)).flatMap(({ journey }) =>
    [...journey.nodes.values()].flatMap(({ step }) => (step.type === "message" ? [step.id] : [])),
  );
  const held = { campaign, steps: [...new Set(steps)], since: campaign.asking ?? now };
  const asked = await askAgain(workDb, held, { now, limit: ASKING });
  if (asked < ASKING)
    await workDb.transaction(async (tx) => {
      // It waits for batches that began before the change: they may hold people back by the limits of then.
      await lock(tx, campaign.workspaceId, campaign.campaignId);
      if (!(await hasHeldBack(tx, held, now))) await noteAsked(tx, held);
    });
  return asked;
}
