import { type Queries, type Sql, sql, type Tx } from "./sql.ts";

/**
 * Returns an expression for the id of the oldest transaction that may still be open. What transactions before it wrote can be read, all of it: a
 * reader in the order of transactions goes no further, because rows of this one and of later ones may still come. One PostgreSQL takes it with the rows. On Citus it is asked for first, because a shard would answer with the number of a transaction of its own.
 */
export async function openFrom(q: Queries): Promise<Sql> {
  if (!q.distributed) return sql`pg_snapshot_xmin(pg_current_snapshot())`;
  const [open] = await q.query<{ passed: string }>(OPEN);
  const [left] = await q.query<{ asked: boolean | null; first: string | null }>(PREPARED);
  if (left?.asked === false) throw new Error("a node of Citus did not say which transactions it has prepared");
  return sql`least(${open?.passed ?? null}::text::bigint, ${left?.first ?? null}::text::bigint)::text::xid8`;
}

/** Returns the id of this transaction, as text. */
export async function transactionId(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ txid: string }>(sql`select pg_current_xact_id()::text as txid`);
  return (row as { txid: string }).txid;
}

/** Returns an expression for the id of this transaction. On Citus it is asked for first: a shard that writes would put its own number there. */
export const currentTransaction = async (tx: Tx): Promise<Sql> =>
  tx.distributed ? sql`${await transactionId(tx)}::text::xid8` : sql`pg_current_xact_id()`;

/**
 * The first transaction that has not ended on the coordinator. Its snapshots pass a transaction before the shards commit it, but it keeps the lock of its
 * number until they have. The lock has the lower half of the number; a number that seems to be 2^31 behind is one that began later.
 */
const OPEN = sql`
  with seen as materialized (
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as first, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next),
  held as materialized (
    select (s.next - l.transactionid::text::bigint) & 4294967295 as behind from seen s
    join pg_locks l on l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted)
  select least(s.first, s.next - (select max(behind) from held where behind < 2147483648))::text as passed from seen s`;

/**
 * The first transaction that the coordinator has committed and a node not: the node, or the way to it, failed in between. Citus commits it
 * there within a minute after the node is back.
 */
const PREPARED = sql`
  with answers as materialized (
    select success, result from run_command_on_workers($$
      select coalesce(json_agg(gid), '[]') from pg_prepared_xacts where database = current_database() and gid like 'citus\\_%'$$))
  select bool_and(success) as asked, (
    select min(t.outer_xid::text::bigint)::text from answers a
    cross join json_array_elements_text(case when a.success then a.result::json else '[]' end) as p (gid)
    join pg_dist_transaction t on t.gid = p.gid) as first
  from answers`;
