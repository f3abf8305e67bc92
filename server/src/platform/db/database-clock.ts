import type { Clock } from "../time/clock.ts";
import { type Queries, sql } from "./index.ts";

/** How often it is compared. A clock that NTP keeps drifts by less than a millisecond meanwhile. */
const COMPARE_MS = 5_000;

export interface DatabaseClock extends Clock {
  /** Compares it with the database's now. */
  compare(): Promise<void>;
  stop(): void;
}

/**
 * The clock of the database, which all processes share. What is due, has expired or may be shown is judged by it: a process that is
 * minutes ahead would else send a message before its `send_at`. It is this process's own clock where that agrees as exactly as
 * can be told, and else moved by the least that makes it agree.
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
    // It was so late when PostgreSQL looked, which was at some time between the question and the answer.
    const least = row.at - own();
    offset = Math.min(Math.max(offset, Math.floor(least)), Math.ceil(least + tookMs));
  }
  const timer = setInterval(() => void compare().catch(() => {}), COMPARE_MS).unref();
  return { now: () => new Date(own() + offset), compare, stop: () => clearInterval(timer) };
}
