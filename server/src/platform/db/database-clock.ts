import type { Clock } from "../time/clock.ts";
import { type Queries, sql } from "./index.ts";

/** How often the clocks are compared. A clock with NTP drifts by less than a millisecond in this time. */
const COMPARE_MS = 5_000;

export interface DatabaseClock extends Clock {
  /** Compares this process's clock with the database's. */
  compare(): Promise<void>;
  stop(): void;
}

/**
 * Returns the clock of the database, which all processes share. It decides what is due, has expired or may be shown: otherwise a process
 * that is minutes ahead would send a message before its `send_at`. It is this process's own clock, moved by the smallest offset that makes
 * it agree with the database as far as can be measured.
 * @param own the clock of this process, in ms
 */
export function databaseClock(db: Queries, own: () => number = Date.now): DatabaseClock {
  let offset = 0;
  async function compare(): Promise<void> {
    const asked = performance.now();
    const [row] = await db.query<{ at: number }>(
      sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
    );
    const tookMs = performance.now() - asked;
    if (!row) return;
    // PostgreSQL read its clock at some time between the question and the answer.
    const least = row.at - own();
    offset = Math.min(Math.max(offset, Math.floor(least)), Math.ceil(least + tookMs));
  }
  const timer = setInterval(() => void compare().catch(() => {}), COMPARE_MS).unref();
  return { now: () => new Date(own() + offset), compare, stop: () => clearInterval(timer) };
}
