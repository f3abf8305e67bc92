import type { Ground } from "../platform/ground.ts";
import type { Job } from "../platform/work/jobs.ts";
import { forgetOld } from "./delivery-store.ts";

const BATCH = 1_000;
/** The log of calls is for finding faults, and is bigger than the events that it repeats. */
const MOST_DAYS = 30;

/** Background work of webhooks that is not sending. */
export function jobs(ground: Ground): Job[] {
  return [{ name: "webhooks.forget.v1", cron: "17 * * * *", run: () => forget(ground) }];
}

/** Forgets the log after the workspace's retention of activity, 30 at the most, in batches that hold no lock for long. */
export async function forget({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  while ((await forgetOld(workDb, clock.now(), MOST_DAYS, BATCH)) === BATCH);
}
