import pg from "pg";
import type { Log } from "../log.ts";
import { isOfNode } from "./errors.ts";
import { greeting, type Limits, lentBegin } from "./limits.ts";
import { cut, Silent } from "./watch/lines.ts";
import type { Queries, Statement } from "./sql.ts";
import { Watch } from "./watch/watch.ts";

// Counts and sizes are far below 2^53, so they are numbers. The string "3" in an answer would be a bug for every client.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface ConnectionOptions {
  url: string;
  /**
   * The address of PostgreSQL itself, if `url` is that of a pooler that lends a connection for one transaction: then each transaction sets
   * its limits anew, and a statement outside of one gets a transaction of its own.
   */
  direct?: string | undefined;
  connections: number;
  log: Log;
  /** How long PostgreSQL may work on one statement. */
  statementTimeoutMs?: number;
  /**
   * How long PostgreSQL may keep the plan of a named statement. Without it a plan is as old as the connection or the last `analyze`: an update of
   * 250 rows, planned while its table was small, read 100,000 rows each time. To plan each statement anew took a sixth of PostgreSQL's CPU for
   * runs of campaigns. Connections of a pooler belong to others a moment later, so their statements are planned anew each time.
   */
  plansLastMs?: number;
  name?: string;
  /** See `Queries.distributed`; false where absent. */
  distributed?: boolean;
}

/** The name of connections that a pooler lends, also after their last client is gone. */
export const POOLED = "tidings pooled";
/** How long a caller waits for a connection, and how long the first statement of a new connection may take. */
const CONNECT_MS = 2_000;
/** A connection is destroyed this long after a statement's time limit, if PostgreSQL has not ended the statement. */
const GRACE_MS = 2_000;
const CLOSE_MS = 1_000;
/**
 * In shards a transaction asks them one after the other: after a parallel statement Citus refuses to write tables that have no shards. And a
 * write of several shards does not wait for every other one until that commits, because Citus finds deadlocks over nodes by itself.
 */
const IN_SHARDS =
  "set local citus.multi_shard_modify_mode to sequential; set local citus.enable_deadlock_prevention to off";

/** The watched connections of one pool. */
export interface Connections {
  /** Waits for a free connection, for 2 s at most. @throws NoneFree, Silent */
  take(): Promise<pg.PoolClient>;
  /** See `Queries.distributed`. */
  distributed: boolean;
  /** Begins a transaction on a connection. */
  begin(client: pg.PoolClient): Promise<void>;
  /** Ends the transaction of a connection. */
  end(client: pg.PoolClient, text: "commit" | "rollback"): Promise<pg.QueryResult>;
  queriesOf(client: pg.PoolClient): Queries;
  /** Runs a statement on a connection of its own. */
  alone(statement: Statement): Promise<pg.QueryResult>;
  /** Whether the database, and not only a single connection, is silent. */
  isSilent(): boolean;
  close(): Promise<void>;
}

export function openConnections(options: ConnectionOptions): Connections {
  const { direct, log, statementTimeoutMs = 15_000, distributed = false } = options;
  const limits: Limits = { statementTimeoutMs, plansAnew: direct !== undefined && options.plansLastMs !== undefined };
  const pool = openPool(options, (client) => greet(client));
  const watch = new Watch(pool, {
    url: options.url,
    direct,
    distributed,
    log,
    longestMs: statementTimeoutMs + GRACE_MS,
  });
  forgetPlans(pool, watch, options);

  async function greet(client: pg.PoolClient): Promise<void> {
    // A pooler's connection to PostgreSQL is another one in each transaction.
    if (direct !== undefined) return watch.add(client);
    const late = setTimeout(() => cut(client, "a new connection is silent"), CONNECT_MS);
    try {
      const { rows } = await client.query<{ pid: number }>(greeting(limits));
      watch.add(client, rows[0]?.pid ?? 0);
    } finally {
      clearTimeout(late);
    }
  }

  async function open(client: pg.PoolClient): Promise<void> {
    if (direct === undefined) return void (await watch.answer(client, client.query("begin")));
    const [, told] = (await watch.answer(client, client.query(lentBegin(limits)))) as unknown as pg.QueryResult[];
    watch.lent(client, told?.rows[0]?.pid);
  }

  async function begin(client: pg.PoolClient): Promise<void> {
    const opened = open(client);
    await Promise.all([opened, distributed && watch.answer(client, client.query(IN_SHARDS))]);
  }

  /** Runs a statement in a transaction of its own, in one round trip. */
  async function wrapped(client: pg.PoolClient, statement: Statement): Promise<pg.QueryResult> {
    const begun = open(client);
    const answer = watch.answer(client, client.query(statement));
    const committed = watch.answer(client, client.query("commit"));
    // A connection that goes back before the last answer would make the pooler close its own, too.
    const [, result, end] = await Promise.allSettled([begun, answer, committed]);
    if (result.status === "rejected") throw result.reason;
    if (end.status === "rejected") throw end.reason;
    return result.value;
  }

  async function alone(statement: Statement): Promise<pg.QueryResult> {
    const client = await watch.connection(pool);
    let failed: Error | undefined;
    try {
      if (direct !== undefined) return await wrapped(client, statement);
      return await watch.answer(client, client.query(statement));
    } catch (error) {
      // After any other error a new connection is safer: its named statements may be of before a migration.
      if (!isOfNode(error)) failed = error as Error;
      throw error;
    } finally {
      client.release(failed);
    }
  }

  return {
    take: () => watch.connection(pool),
    distributed,
    begin,
    end: (client, text) => watch.answer(client, client.query(text)),
    queriesOf: (client) => queriesOf({ watch, distributed }, client),
    alone,
    isSilent: () => watch.isSilent(),
    close: () => close(pool, watch),
  };
}

/** Lets PostgreSQL forget old plans right before a connection is used. Nobody waits for the answer. */
function forgetPlans(pool: pg.Pool, watch: Watch, { direct, plansLastMs }: ConnectionOptions): void {
  if (direct !== undefined || plansLastMs === undefined) return;
  const forgotten = new WeakMap<pg.PoolClient, number>();
  pool.on("acquire", (client) => {
    const now = performance.now();
    const last = forgotten.get(client);
    if (last !== undefined && now - last < plansLastMs) return;
    forgotten.set(client, now);
    // A new connection has no plans.
    if (last !== undefined) watch.answer(client, client.query("discard plans")).catch(() => {});
  });
}

function openPool(options: ConnectionOptions, onConnect: (client: pg.PoolClient) => Promise<void>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    // A pooler's connection to PostgreSQL keeps the name of its last client.
    application_name: options.name ?? (options.direct === undefined ? "tidings" : POOLED),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    onConnect: (client) => onConnect(client as pg.PoolClient),
    // A statement need not wait for the answer to the previous one: `begin` and the first statement of a transaction travel together.
    pipeline: true,
  });
  // Without this handler a restart of PostgreSQL would end the process.
  pool.on("error", (error) => {
    // The watch has logged it already.
    if (!(error instanceof Silent)) options.log.warn({ err: error.message }, "an idle database connection was lost");
  });
  return pool;
}

const queriesOf = (of: { watch: Watch; distributed: boolean }, client: pg.PoolClient): Queries => ({
  distributed: of.distributed,
  query: async <R>(statement: Statement) => (await of.watch.answer(client, client.query(statement))).rows as R[],
  execute: async (statement) => (await of.watch.answer(client, client.query(statement))).rowCount ?? 0,
});

async function close(pool: pg.Pool, watch: Watch): Promise<void> {
  // A silent connection does not answer `end` either.
  const late = setTimeout(() => watch.close(), CLOSE_MS);
  await pool.end();
  clearTimeout(late);
  watch.close();
}
