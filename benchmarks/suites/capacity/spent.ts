import type pg from "pg";
import { cpuOf } from "../../processes/cpu.ts";
import type { Stage } from "../../stage/stage.ts";

/** What a number of equal operations took. */
export interface Took {
  count: number;
  seconds: number;
  /** Milliseconds of CPU of the service and of PostgreSQL. */
  server: number;
  database: number;
}

/** What they took and left. Bytes are those of tables with their indexes. */
export interface Spent extends Took {
  rows: number;
  bytes: number;
  /** Bytes of the write-ahead log. */
  log: number;
  /** Of these, the images of whole pages: a page is written whole when it changes first after a checkpoint. */
  images: number;
}

/** What they hold at a moment. */
export interface State {
  bytes: number;
  /** Of these, deliveries and their log. */
  messages: number;
  /** The end of the write-ahead log, in bytes since its beginning. */
  log: number;
  /** That end as PostgreSQL writes it. */
  end: string;
  checkpoints: number;
}

/** Does operations, and returns how many. */
export type Work = () => Promise<number>;

/** Does the work right after a checkpoint, and counts what it took. */
export async function spentBy(stage: Stage, work: Work): Promise<Spent> {
  const { db } = stage;
  await db.query("create extension if not exists pg_walinspect");
  await db.query("checkpoint");
  const before = await stateOf(stage.db);
  const rowsBefore = await rowsIn(stage.db);
  const took = await tookBy(stage, work);
  const after = await stateOf(stage.db);
  return {
    ...took,
    rows: (await rowsIn(stage.db)) - rowsBefore,
    bytes: after.bytes - before.bytes,
    log: after.log - before.log,
    images: await imagesBetween(db, before, after),
  };
}

/** Does the work, and counts its CPU. */
export async function tookBy({ service, databaseCpu }: Stage, work: Work): Promise<Took> {
  const [server, database, since] = [cpuOf(service.pid), databaseCpu(), performance.now()];
  const count = await work();
  const seconds = (performance.now() - since) / 1_000;
  return { count, seconds, server: cpuOf(service.pid) - server, database: databaseCpu() - database };
}

/**
 * Returns the bytes of the images of pages in this part of the write-ahead log. PostgreSQL refuses to read a part without a record, and one whose
 * first record is not on the disk: sweeps do not wait for that, so a record that does is written after them.
 */
async function imagesBetween(db: pg.Client, from: State, to: State): Promise<number> {
  if (from.log === to.log) return 0;
  await db.query("select pg_logical_emit_message(true, 'written to the disk', '')");
  const { rows } = await db.query<{ images: number }>(
    "select sum(fpi_size)::float8 as images from pg_get_wal_stats($1, $2)",
    [from.end, to.end],
  );
  return rows[0]?.images ?? Number.NaN;
}

export async function stateOf(db: pg.Client): Promise<State> {
  const { rows } = await db.query<State>(
    `select pg_current_wal_insert_lsn()::text as end, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as log,
       (select (num_timed + num_requested)::float8 from pg_stat_checkpointer) as checkpoints,
       sum(pg_total_relation_size(relid))::float8 as bytes,
       (pg_total_relation_size('deliveries') + pg_total_relation_size('activity'))::float8 as messages
     from pg_stat_user_tables where schemaname = 'public'`,
  );
  return rows[0] as State;
}

/** Returns how many rows the large tables have. It reads all of them. */
export async function rowsIn(db: pg.Client): Promise<number> {
  const counts = ["people", "events", "deliveries", "activity"].map((name) => `(select count(*) from ${name})`);
  const { rows } = await db.query<{ rows: number }>(`select (${counts.join(" + ")})::float8 as rows`);
  return rows[0]?.rows ?? Number.NaN;
}
