import { setTimeout as sleep } from "node:timers/promises";
import { type Db, sql, type Tx } from "../db/index.ts";

/** Rows of one transaction: about 20 ms of work, which is the longest time that a live request waits for one of these rows. */
export const BATCH = 500;
/** The pause between two batches: a backlog of millions then takes a third of one connection and leaves the disk to the live path. */
const PAUSE_MS = 50;
/** A batch that takes longer than this holds others up: it is rolled back, and the next run tries again. */
const TIMEOUT_MS = 10_000;
/** The time of one run. pg-boss gives a job up after 600 s; the next run does the rest. */
const RUN_MS = 480_000;

/** Returns whether the run still has time. */
export type Time = () => boolean;

/** Starts the time of one run of a job. */
export function runTime(): Time {
  const end = performance.now() + RUN_MS;
  return () => performance.now() < end;
}

/**
 * Repeats `work`, each time in its own transaction, until `work` returns false (nothing is left) or the run's time is over.
 * It is for cleaning up behind the live path: few rows at a time, a pause after each batch, and a time limit for each statement.
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

/**
 * Returns the latest time, at which the next batch begins; undefined for none. From the start it would pass over all rows that earlier
 * batches deleted, as long as a backup or an export that began before still sees them: 245 ms for each batch after 150,000 rows, and not 12.
 */
export const latestOf = (times: Date[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(Math.max(...times.map((time) => time.getTime())));
