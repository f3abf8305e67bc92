import { record } from "../../activity/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../../platform/work/batches.ts";
import { cancelSuspended, longSuspended } from "./suspended-store.ts";

/**
 * Cancels what waits in workspaces whose suspension lasts: until then claims leave it where it is, and a workspace that is
 * resumed sends it. What had begun at most once is left, because nobody knows whether it went out.
 */
export async function cancelHeld({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const workspaces = await longSuspended(workDb);
  if (workspaces.length === 0) return;
  await inBatches(workDb, runTime(), async (tx) => {
    const canceled = await cancelSuspended(tx, workspaces, BATCH);
    await record(
      tx,
      canceled.map(({ workspace_id, person_key, id, channel }) => ({
        workspaceId: workspace_id,
        personKey: person_key,
        deliveryId: id,
        type: `${channel}.canceled`,
        at: clock.now(),
        data: { reason: "workspace_suspended" },
      })),
    );
    return canceled.length === BATCH;
  });
}
