import type { Ground } from "../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, keptSince } from "../workspaces/index.ts";
import { endedRuns, forgetRuns } from "./run/retention-store.ts";

/** The background jobs of campaigns. */
export function jobs(ground: Ground): Job[] {
  return [{ name: "campaigns.forget.v1", cron: "47 * * * *", run: () => forget(ground) }];
}

/**
 * Deletes runs that ended before the workspace's retention, with what their steps made of them. When people entered is kept: `reentry`
 * counts it for ever.
 */
export async function forget({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const time = runTime();
  const now = clock.now();
  for (const workspace of await allWorkspaces(workDb)) {
    const before = keptSince(workspace, "runs", now);
    for (const ended of await endedRuns(workDb, workspace.id))
      await inBatches(
        workDb,
        time,
        async (tx) => (await forgetRuns(tx, workspace.id, ended, { before, limit: BATCH })) === BATCH,
      );
  }
}
