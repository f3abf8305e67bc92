import { record } from "../../activity/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../../platform/work/batches.ts";
import { failWaiting, restingChannels } from "./give-up-store.ts";
import { EXPIRED_WAITING, NO_PROVIDER } from "./settlement.ts";

const REASONS = { overdue: NO_PROVIDER, expired: EXPIRED_WAITING };

/**
 * Fails deliveries that have waited for too long for providers that still rest: a message of yesterday that goes out because
 * somebody has corrected the key is worse than none, and so is a code that is void. Deliveries that wait for a rate, or waited
 * because this service was down, are left alone.
 */
export async function giveUp({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const channels = await restingChannels(workDb);
  if (channels.length === 0) return;
  await inBatches(workDb, runTime(), async (tx) => {
    const now = clock.now();
    const ended = await failWaiting(tx, channels, { reasons: REASONS, most: BATCH, now });
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
