import type { Ground } from "../platform/ground.ts";
import type { Job } from "../platform/work/jobs.ts";
import { announceExpired } from "./delivery/expired.ts";
import { expireDue } from "./delivery/store.ts";
import { forgetIdleCaps, forgetIdleCounts, retire } from "./queue/retention.ts";

const BATCH = 500;

/** The background jobs of in-app. Sync does not depend on them: its expiry gate hides an expired message at once. */
export function jobs(ground: Ground): Job[] {
  return [
    { name: "inapp.expire.v1", cron: "* * * * *", run: () => expire(ground) },
    { name: "inapp.retire.v1", cron: "7 * * * *", run: () => retire(ground) },
    { name: "inapp.forget_caps.v1", cron: "47 3 * * *", run: () => forgetIdleCaps(ground) },
    { name: "inapp.forget_counts.v1", cron: "53 3 * * *", run: () => forgetIdleCounts(ground) },
  ];
}

/** Sets every delivery past its expiry to the status `expired`, in small transactions that lock few rows. */
export async function expire({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  for (let done = BATCH; done === BATCH; ) {
    const now = clock.now();
    done = await workDb.transaction(async (tx) => {
      const rows = await expireDue(tx, now, BATCH);
      await announceExpired(tx, rows, now);
      return rows.length;
    });
  }
}
