import type { Ground } from "../platform/ground.ts";
import { BATCH, inBatches, latestOf, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, keptSince } from "../workspaces/index.ts";
import { forgetEvents, nextName, type OldEvents } from "./retention-store.ts";

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
      let from: OldEvents["from"] = "-infinity";
      await inBatches(workDb, time, async (tx) => {
        const rows = await forgetEvents(tx, workspace.id, { name: current, from, before, received, limit: BATCH });
        from = latestOf(rows.map((row) => row.ts)) ?? from;
        return rows.length === BATCH;
      });
      name = await nextName(workDb, workspace.id, current);
    }
  }
}
