import type { Ground } from "../platform/ground.ts";
import { inBatches, runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { addUp, dropEmpty, takeTurn } from "./roll-up-store.ts";

/** Changes added up in one transaction: some 50 ms. What is not added up yet costs readers some 5 ms for 10,000. */
const CHANGES = 5_000;

/** Background work of analytics. */
export function jobs(ground: Ground): Job[] {
  return [
    { name: "analytics.roll_up.v1", cron: "* * * * *", run: () => rollUp(ground) },
    { name: "analytics.drop_empty.v1", cron: "17 4 * * *", run: () => dropEmptyCounts(ground) },
  ];
}

/** Adds up what happened since it ran last. Nobody waits for it: what is not added up yet is read beside the sums. */
export async function rollUp({ workDb }: Pick<Ground, "workDb">, batch = CHANGES): Promise<void> {
  await inBatches(workDb, runTime(), async (tx) => (await takeTurn(tx)) && (await addUp(tx, batch)) === batch);
}

/** In its turn, like adding up: a count that became empty may just be about to grow. */
export const dropEmptyCounts = ({ workDb }: Pick<Ground, "workDb">): Promise<void> =>
  inBatches(workDb, runTime(), async (tx) => {
    if (await takeTurn(tx)) await dropEmpty(tx);
    return false;
  });
