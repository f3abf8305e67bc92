import { type Db, sql } from "../../../src/platform/db/index.ts";

/** Returns how many transactions of this database wait for a lock now, on any node. */
export async function waitingForLocks(db: Db): Promise<number> {
  const rows = await db.query(
    db.distributed
      ? sql`select distinct waiting_gpid from citus_lock_waits`
      : sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}
