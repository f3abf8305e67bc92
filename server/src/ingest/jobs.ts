import type { Ground } from "../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, keptSince } from "../workspaces/index.ts";
import { forgetCounts, forgetRejected } from "./rejections-store.ts";

const DAY_MS = 86_400_000;
/** It is there to mend a client with, and most of it names somebody. */
const MOST_DAYS = 7;
const MOST_DAYS_OF_COUNTS = 30;
/** A workspace's newest. With at most 100 a minute and process more than twice as many never lie there. */
const MOST_KEPT = 10_000;

/** Background work of ingestion. */
export function jobs(ground: Ground): Job[] {
  return [{ name: "ingest.forget_rejected.v1", cron: "*/10 * * * *", run: () => forgetRefused(ground) }];
}

/** Forgets refused data after 7 days, or earlier where the workspace keeps events for less. */
export async function forgetRefused({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const time = runTime();
  const now = clock.now();
  for (const workspace of await allWorkspaces(workDb)) {
    const since = (days: number) =>
      new Date(Math.max(keptSince(workspace, "events", now).getTime(), now.getTime() - days * DAY_MS));
    await inBatches(
      workDb,
      time,
      async (tx) => (await forgetRejected(tx, workspace.id, since(MOST_DAYS), MOST_KEPT, BATCH)) === BATCH,
    );
    await forgetCounts(workDb, workspace.id, since(MOST_DAYS_OF_COUNTS));
  }
}
