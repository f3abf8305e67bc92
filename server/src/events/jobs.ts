import type { Ground } from "../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, keptSince } from "../workspaces/index.ts";
import { forgetEvents, nextName } from "./retention-store.ts";

/** An event_id counts once for this time, even if the event's `ts` is years ago. */
const AT_LEAST_MS = 7 * 86_400_000;

/** The background jobs of events. */
export function jobs(ground: Ground): Job[] {
  return [{ name: "events.forget.v1", cron: "7 * * * *", run: () => forget(ground) }];
}

/** Deletes events after the workspace's retention, name by name, because their index is by name and then by time. */
export async function forget({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const time = runTime();
  const now = clock.now();
  const received = new Date(now.getTime() - AT_LEAST_MS);
  for (const workspace of await allWorkspaces(workDb)) {
    const before = keptSince(workspace, "events", now);
    for (let name = await nextName(workDb, workspace.id, ""); name !== undefined && time(); ) {
      const current = name;
      await inBatches(
        workDb,
        time,
        async (tx) =>
          (await forgetEvents(tx, workspace.id, { name: current, before, received, limit: BATCH })) === BATCH,
      );
      name = await nextName(workDb, workspace.id, current);
    }
  }
}
