import type { Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { BATCH, inBatches, latestOf, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, keptSince } from "../workspaces/index.ts";
import { OLDEST } from "./feed-store.ts";
import { forgetContent, forgetDeliveries, forgetEntries, type OldRows } from "./retention-store.ts";

/** The background jobs of the log and of message activity. */
export function jobs(ground: Ground): Job[] {
  return [{ name: "activity.forget.v1", cron: "37 * * * *", run: () => forget(ground) }];
}

/**
 * Deletes deliveries, their rendered content, and the log, each after the workspace's retention. inapp.retire.v1 ends live in-app
 * messages half an hour before, so they are listed as expired for that time.
 */
export async function forget({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const time = runTime();
  const now = clock.now();
  for (const workspace of await allWorkspaces(workDb)) {
    const since = (kind: "deliveries" | "activity" | "content") => keptSince(workspace, kind, now);
    const logged = since("activity");
    for (const [forgotten, kind] of [
      [(tx: Queries, rows: OldRows) => forgetDeliveries(tx, workspace.id, { ...rows, logged }), "deliveries"],
      [(tx: Queries, rows: OldRows) => forgetContent(tx, workspace.id, rows), "content"],
    ] as const) {
      let from: OldRows["from"] = "-infinity";
      await inBatches(workDb, time, async (tx) => {
        const rows = await forgotten(tx, { from, before: since(kind), limit: BATCH });
        from = latestOf(rows.map((row) => row.queued_at)) ?? from;
        return rows.length === BATCH;
      });
    }
    let position = OLDEST;
    await inBatches(workDb, time, async (tx) => {
      const next = await forgetEntries(tx, workspace.id, {
        before: logged,
        after: position,
        limit: BATCH,
      });
      position = next ?? position;
      return next !== undefined;
    });
  }
}
