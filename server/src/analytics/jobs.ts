import type { Ground } from "../platform/ground.ts";
import { inBatches, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { addUp, dropEmpty, takeTurn } from "./roll-up-store.ts";

/** Changes that one transaction adds up, in about 50 ms. Changes that are not added up yet cost readers about 5 ms for 10,000. */
const CHANGES = 5_000;

/** The background jobs of analytics. */
export function jobs(ground: Ground): Job[] {
  return [
    { name: "analytics.roll_up.v1", cron: "* * * * *", run: () => rollUp(ground) },
    { name: "analytics.drop_empty.v1", cron: "17 4 * * *", run: () => dropEmptyCounts(ground) },
  ];
}

/** Adds up the changes since the last run. No reader waits for it: changes that are not added up yet are read with the sums. */
export async function rollUp({ workDb }: Pick<Ground, "workDb">, batch = CHANGES): Promise<void> {
  await inBatches(workDb, runTime(), async (tx) => (await takeTurn(tx)) && (await addUp(tx, batch)) === batch);
}

/** Deletes empty counts, with the lock of the roll-up: a count that became empty may be about to grow. */
export const dropEmptyCounts = ({ workDb }: Pick<Ground, "workDb">): Promise<void> =>
  inBatches(workDb, runTime(), async (tx) => {
    if (await takeTurn(tx)) await dropEmpty(tx);
    return false;
  });
