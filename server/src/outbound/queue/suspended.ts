import { record } from "../../activity/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../../platform/work/batches.ts";
import { cancelSuspended, longSuspended } from "./suspended-store.ts";

/**
 * Cancels the waiting deliveries of workspaces that have been suspended for too long. Before that, claims only leave them out,
 * and a workspace that is resumed sends them. An `at_most_once` delivery that had begun is left, because it may have been sent.
 */
export async function cancelLongSuspended({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
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
