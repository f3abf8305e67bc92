import { record } from "../activity/index.ts";
import { BATCH, inBatches, runTime } from "../platform/batches.ts";
import type { Ground } from "../platform/ground.ts";
import { failWaiting, restingLanes } from "./give-up-store.ts";
import { HORIZON_MS } from "./retry.ts";

/** How the reason of a delivery begins that nobody could be asked to send. */
export const NOBODY = `no provider took it within ${Math.floor(HORIZON_MS / 3_600_000)} hours`;

/**
 * Ends what waits for providers that rest, and rest on: a message of yesterday that goes out because somebody has mended the
 * key is worse than none. What waits for a rate, or because this service was down, is not meant.
 */
export async function giveUp({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const lanes = await restingLanes(workDb);
  if (lanes.length === 0) return;
  await inBatches(workDb, runTime(), async (tx) => {
    const now = clock.now();
    const ended = await failWaiting(tx, lanes, NOBODY, BATCH, now);
    await record(
      tx,
      ended.map(({ workspace_id, person_key, id, channel }) => ({
        workspaceId: workspace_id,
        personKey: person_key,
        deliveryId: id,
        type: `${channel}.failed`,
        at: now,
        data: { reason: NOBODY },
      })),
    );
    return ended.length === BATCH;
  });
}
