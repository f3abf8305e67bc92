import type { Ground } from "../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, type ConnectedGround, keptSince } from "../workspaces/index.ts";
import { mergeLateRows } from "./merge.ts";
import { forgetCounts, forgetRejected } from "./rejections-store.ts";

const DAY_MS = 86_400_000;
/** Refused data helps to mend a client soon after, and most of it names a person. */
const MOST_DAYS = 7;
const MOST_DAYS_OF_COUNTS = 30;
/** The newest rows of a workspace. A process writes at most 100 a minute, so between two runs there are never more than twice as many. */
const MOST_KEPT = 10_000;

/** The scheduled work of this slice. */
export function jobs(ground: ConnectedGround): Job[] {
  return [
    { name: "ingest.forget_rejected.v1", cron: "*/10 * * * *", run: () => forgetRefused(ground) },
    { name: "ingest.merge_late.v1", cron: "* * * * *", run: () => mergeLateRows(ground) },
  ];
}

/** Deletes refused data after 7 days, or earlier if the workspace keeps events for a shorter time. */
export async function forgetRefused({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const time = runTime();
  const now = clock.now();
  for (const workspace of await allWorkspaces(workDb)) {
    const since = (days: number) =>
      new Date(Math.max(keptSince(workspace, "events", now).getTime(), now.getTime() - days * DAY_MS));
    await inBatches(workDb, time, async (tx) => {
      const limits = { before: since(MOST_DAYS), most: MOST_KEPT, limit: BATCH };
      return (await forgetRejected(tx, workspace.id, limits)) === BATCH;
    });
    await forgetCounts(workDb, workspace.id, since(MOST_DAYS_OF_COUNTS));
  }
}
