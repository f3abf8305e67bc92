import type { Ground } from "../platform/ground.ts";
import { forgetEntries } from "../platform/resources/audit-store.ts";
import { BATCH, inBatches, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { keptSince } from "./tenant/retention.ts";
import { allWorkspaces } from "./tenant/store.ts";

/** The background jobs of workspaces. */
export function jobs(ground: Ground): Job[] {
  return [{ name: "workspaces.forget_changes.v1", cron: "41 * * * *", run: () => forgetChanges(ground) }];
}

/** Deletes entries of the log of changes after the workspace's retention. */
export async function forgetChanges({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const time = runTime();
  for (const workspace of await allWorkspaces(workDb)) {
    const before = keptSince(workspace, "audit", clock.now());
    await inBatches(
      workDb,
      time,
      async (tx) => (await forgetEntries(tx, workspace.id, { before, limit: BATCH })) === BATCH,
    );
  }
}
