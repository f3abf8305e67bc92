import { setTimeout as sleep } from "node:timers/promises";
import { type Db, sql, type Tx } from "../db/index.ts";

/** Rows of one transaction: some 20 ms of work, which is the longest that anything live waits for one of them. */
export const BATCH = 500;
/** Between two batches, so that a backlog of millions takes a third of one connection and leaves the disk to the live path. */
const PAUSE_MS = 50;
/** A batch that takes longer than this is in somebody's way: it is undone, and the next run tries again. */
const TIMEOUT_MS = 10_000;
/** pg-boss gives a job up after 600 s; what is left then is for the next run. */
const RUN_MS = 480_000;

/** Says whether the run still has time. */
export type Time = () => boolean;

/** The time of one run of a job. */
export function runTime(): Time {
  const end = performance.now() + RUN_MS;
  return () => performance.now() < end;
}

/**
 * Repeats `work`, each time in a transaction of its own, until it says that there is no more (false) or the run's time is over.
 * For clearing up behind the live path: few rows at a time, a pause after each, and a limit for each statement.
 */
export async function inBatches(db: Db, time: Time, work: (tx: Tx) => Promise<boolean>): Promise<void> {
  while (time()) {
    const more = await db.transaction(async (tx) => {
      await tx.query(sql`select set_config('statement_timeout', ${String(TIMEOUT_MS)}, true)`);
      return work(tx);
    });
    if (!more) return;
    await sleep(PAUSE_MS);
  }
}
