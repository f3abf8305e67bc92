import type { Ground } from "../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, keptSince } from "../workspaces/index.ts";
import { OLDEST } from "./feed-store.ts";
import { forgetContent, forgetDeliveries, forgetEntries } from "./retention-store.ts";

/** Background work of the log and of message activity. */
export function jobs(ground: Ground): Job[] {
  return [{ name: "activity.forget.v1", cron: "37 * * * *", run: () => forget(ground) }];
}

/**
 * Forgets deliveries, what was rendered for them, and the log, each after the workspace's retention. Live in-app messages are
 * ended by inapp.retire.v1, half an hour before: for so long one can be seen as expired.
 */
export async function forget({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const time = runTime();
  const now = clock.now();
  for (const workspace of await allWorkspaces(workDb)) {
    const since = (kind: "deliveries" | "activity" | "content") => keptSince(workspace, kind, now);
    await inBatches(
      workDb,
      time,
      async (tx) => (await forgetDeliveries(tx, workspace.id, since("deliveries"), BATCH)) === BATCH,
    );
    await inBatches(
      workDb,
      time,
      async (tx) => (await forgetContent(tx, workspace.id, since("content"), BATCH)) === BATCH,
    );
    let place = OLDEST;
    await inBatches(workDb, time, async (tx) => {
      const next = await forgetEntries(tx, workspace.id, since("activity"), place, BATCH);
      place = next ?? place;
      return next !== undefined;
    });
  }
}
