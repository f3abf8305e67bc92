import { record } from "../../activity/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../../platform/work/batches.ts";
import { failWaiting, restingLanes } from "./give-up-store.ts";
import { EXPIRED_WAITING, NO_PROVIDER } from "./settlement.ts";

const REASONS = { overdue: NO_PROVIDER, expired: EXPIRED_WAITING };

/**
 * Ends what waits for providers that rest, and rest on: a message of yesterday that goes out because somebody has mended the
 * key is worse than none, and so is a code that is void. What waits for a rate, or because this service was down, is not meant.
 */
export async function giveUp({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const lanes = await restingLanes(workDb);
  if (lanes.length === 0) return;
  await inBatches(workDb, runTime(), async (tx) => {
    const now = clock.now();
    const ended = await failWaiting(tx, lanes, REASONS, BATCH, now);
    await record(
      tx,
      ended.map(({ workspace_id, person_key, id, channel, reason }) => ({
        workspaceId: workspace_id,
        personKey: person_key,
        deliveryId: id,
        type: `${channel}.failed`,
        at: now,
        data: { reason },
      })),
    );
    return ended.length === BATCH;
  });
}
