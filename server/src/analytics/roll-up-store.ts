import { type Queries, raw, sql } from "../platform/db/index.ts";
import { METRICS } from "./counts-store.ts";

const each = (of: (metric: string) => string, between = ", ") => raw(METRICS.map(of).join(between));
const NAMES = each((metric) => metric);
const PIVOTED = each((metric) => `coalesce(sum(n) filter (where metric = '${metric}'), 0) as ${metric}`);
const SUMMED = each((metric) => `sum(${metric})`);
const ADDED = each((metric) => `${metric} = c.${metric} + excluded.${metric}`);
const EMPTY = each((metric) => `${metric} = 0`, " and ");

/** Takes the lock of the roll-up, because two at once would wait for each other's rows. Returns false if another process has it. */
export async function takeTurn(tx: Queries): Promise<boolean> {
  const [row] = await tx.query<{ ours: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('analytics.roll_up', 0)) as ours`,
  );
  return row?.ours ?? false;
}

/**
 * Adds at most `limit` changes, which triggers appended (server/migrations/0011-counts.sql), to the sums and deletes them, in one
 * statement: after a crash each is either still a change or in the sums. A change that is committed later is still there for the next
 * run, because there is no position that it could miss. Returns how many changes it added.
 */
export async function addUp(tx: Queries, limit: number): Promise<number> {
  const [row] = await tx.query<{ taken: number }>(sql`
    with taken as (
      delete from delivery_changes
      where ctid = any(array(select ctid from delivery_changes limit ${limit} for update skip locked))
      returning *),
    cells as (
      select workspace_id, source, source_id, variant, channel, slot, ${PIVOTED}
      from taken group by 1, 2, 3, 4, 5, 6),
    quarters as (
      insert into delivery_counts as c (workspace_id, source, source_id, variant, channel, slot, ${NAMES})
      select * from cells
      on conflict (workspace_id, source_id, source, channel, slot, variant) do update set ${ADDED}),
    days as (
      insert into delivery_days as c (workspace_id, source, source_id, variant, channel, slot, ${NAMES})
      select workspace_id, source, source_id, variant, channel, date_bin('1 day', slot, 'epoch'), ${SUMMED}
      from cells group by 1, 2, 3, 4, 5, 6
      on conflict (workspace_id, source_id, source, channel, slot, variant) do update set ${ADDED}),
    whole as (
      insert into workspace_counts as c (workspace_id, slot, channel, source, ${NAMES})
      select workspace_id, slot, channel, source, ${SUMMED}
      from cells group by 1, 2, 3, 4
      on conflict (workspace_id, slot, channel, source) do update set ${ADDED})
    select count(*) as taken from taken`);
  return row?.taken ?? 0;
}

/** Deletes rows whose counts are all 0, which remain after retention. Returns how many. */
export async function dropEmpty(tx: Queries): Promise<number> {
  let gone = 0;
  for (const table of ["delivery_counts", "delivery_days", "workspace_counts"])
    gone += await tx.execute(sql`delete from ${raw(table)} where ${EMPTY}`);
  return gone;
}
