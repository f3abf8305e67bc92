import type { Ground } from "../platform/ground.ts";
import type { Job } from "../platform/work/jobs.ts";
import { deleteOld } from "./delivery-store.ts";

const BATCH = 1_000;
/** The log of calls helps to find faults, and is larger than the events that it repeats. */
const MOST_DAYS = 30;

/** The background jobs of webhooks. */
export function jobs(ground: Ground): Job[] {
  return [{ name: "webhooks.forget.v1", cron: "17 * * * *", run: () => forget(ground) }];
}

/** Deletes the log after the workspace's retention of activity, or after 30 days, in batches that hold no lock for long. */
export async function forget({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  while ((await deleteOld(workDb, clock.now(), MOST_DAYS, BATCH)) === BATCH);
}
