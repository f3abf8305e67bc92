import pg from "pg";
import type { Log } from "../log.ts";
import type { Signals } from "../signals/signals.ts";
import { type Announced, Announcements } from "./announcements.ts";
import { translated } from "./errors.ts";
import { greeting, type Limits, lentBegin } from "./limits.ts";
import { cut, Silent } from "./lines.ts";
import { Room } from "./room.ts";
import type { Db, Queries, Statement, Tx } from "./sql.ts";
import { Watch } from "./watch.ts";

// Counts and sizes are far below 2^53, so they are numbers. The string "3" in an answer would be a bug for every client.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  url: string;
  /**
   * The address of PostgreSQL itself, if `url` is that of a pooler that lends a connection for one transaction: then each transaction sets
   * its limits anew, and a statement outside of one gets a transaction of its own.
   */
  direct?: string | undefined;
  connections: number;
  signals: Pick<Signals, "publish">;
  log: Log;
  /** How long PostgreSQL may work on one statement. */
  statementTimeoutMs?: number;
  /**
   * PostgreSQL plans each statement for its parameters and for the present size of the tables. A plan that it keeps is as old as the
   * connection or the last `analyze`: an update of 250 rows, planned while its table was small, read 100,000 rows each time.
   */
  plansAnew?: boolean;
  name?: string;
  /** See `Queries.distributed`; false where absent. */
  distributed?: boolean;
  /** Who listens to what is announced; nobody where absent. */
  announcements?: Announcements;
}

/** The name of connections that a pooler lends, also after their last client is gone. */
export const POOLED = "tidings pooled";
/** How long a caller waits for a connection, and how long the first statement of a new connection may take. */
const CONNECT_MS = 2_000;
/** A connection is destroyed this long after a statement's time limit, if PostgreSQL has not ended the statement. */
const GRACE_MS = 2_000;

/**
 * Opens a pool of connections. A request that waits longer than 2 s for one is answered with 503, and no request waits for a silent
 * one. Without the error handler a restart of PostgreSQL would end the process.
 */
export function openDb(options: PoolOptions): Db {
  const { url, direct, log, statementTimeoutMs = 15_000, announcements = new Announcements() } = options;
  const distributed = options.distributed ?? false;
  const limits: Limits = { statementTimeoutMs, plansAnew: options.plansAnew ?? false };
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    // A pooler's connection to PostgreSQL keeps the name of its last client.
    application_name: options.name ?? (direct === undefined ? "tidings" : POOLED),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    onConnect: (client) => begin(client as pg.PoolClient),
    // A statement need not wait for the answer to the previous one: see `begun` below.
    pipeline: true,
  });
  pool.on("error", (error) => {
    // The watch has logged it already.
    if (!(error instanceof Silent)) log.warn({ err: error.message }, "an idle database connection was lost");
  });
  const room = new Room();
  const watch = new Watch(pool, { url, direct, log, longestMs: statementTimeoutMs + GRACE_MS });

  async function begin(client: pg.PoolClient): Promise<void> {
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

  /** Begins a transaction. */
  async function open(client: pg.PoolClient): Promise<void> {
    if (direct === undefined) return void (await watch.answer(client, client.query("begin")));
    const [, told] = (await watch.answer(client, client.query(lentBegin(limits)))) as unknown as pg.QueryResult[];
    watch.lent(client, told?.rows[0]?.pid);
  }

  function wake(to: Announced<unknown>, workspaceIds: string[]): void {
    for (const topic of announcements.wakes(to)) options.signals.publish(topic, workspaceIds);
  }

  const queriesOf = (client: pg.PoolClient): Queries => ({
    distributed,
    query: async <R>(statement: Statement) => (await watch.answer(client, client.query(statement))).rows as R[],
    execute: async (statement) => (await watch.answer(client, client.query(statement))).rowCount ?? 0,
  });

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
      failed = error as Error;
      throw error;
    } finally {
      client.release(failed);
    }
  }

  /** Runs a statement outside of a transaction. One that only reads is repeated on another connection if its own was silent. */
  async function outside(statement: Statement): Promise<pg.QueryResult> {
    try {
      return await alone(statement).catch((error) => {
        if (!(error instanceof Silent) || watch.isSilent() || !onlyReads(statement.text)) throw error;
        return alone(statement);
      });
    } catch (error) {
      throw noted(error);
    }
  }

  function noted(error: unknown): unknown {
    room.note(error);
    return translated(error);
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await watch.connection(pool);
    const run = (text: string) => watch.answer(client, client.query(text));
    const commit = () => (committing ??= run("commit"));
    const afterwards: (() => void)[] = [];
    const unknown: (() => void)[] = [];
    let broken: Error | undefined;
    let committing: Promise<pg.QueryResult> | undefined;
    let result: T;
    try {
      // `begin` is sent together with the first statement of `work`: one round trip less made a tenth more transactions a second.
      // In shards a transaction asks them one after the other: after a parallel statement Citus refuses to write tables that have no shards.
      const begun = Promise.all([
        open(client),
        distributed && run("set local citus.multi_shard_modify_mode to sequential"),
      ]);
      begun.catch(() => {});
      const { query, execute } = queriesOf(client);
      const late = () => Promise.reject(new Error("the transaction is being committed already"));
      let heard = false;
      const tx: Tx = {
        distributed,
        query: (statement) => (committing ? late() : query(statement)),
        execute: (statement) => (committing ? late() : execute(statement)),
        commitBehind: () => {
          // A listener may have statements to send still: then the commit comes at the end.
          if (!heard) commit().catch(() => {});
        },
        announce: (to, workspaceIds, batch) => {
          afterwards.push(() => wake(to, workspaceIds));
          const taken = announcements.take(tx, to, batch);
          heard ||= taken !== undefined;
          return taken;
        },
        signal: (topic, items) => afterwards.push(() => options.signals.publish(topic, items)),
        afterCommit: (next) => afterwards.push(next),
        ifUnknown: (next) => unknown.push(next),
      };
      result = await work(tx);
      await begun;
      const { command } = await commit();
      // PostgreSQL answers ROLLBACK if a statement failed and `work` hid its error: nothing of the transaction is stored.
      if (command !== "COMMIT") throw new Error(`the transaction ended with ${command}`);
    } catch (error) {
      await run("rollback").catch((failure: Error) => {
        broken = failure;
      });
      // If the rollback was answered, the commit before it was answered too.
      if (committing && broken) for (const next of unknown) next();
      throw error;
    } finally {
      client.release(broken);
    }
    for (const next of afterwards) next();
    return result;
  }

  return {
    distributed,
    query: async <R>(statement: Statement) => rowsOf(await outside(statement)) as R[],
    execute: async (statement) => (await outside(statement)).rowCount ?? 0,
    transaction: (work) =>
      transaction(work).catch((error) => {
        throw noted(error);
      }),
    isTaken: (to, batch) => announcements.isTaken(to, batch),
    wake,
    writes: () => room.isThere(() => alone(SMALL_WRITE)),
    async close() {
      // A silent connection does not answer `end` either.
      const late = setTimeout(() => watch.close(), CLOSE_MS);
      await pool.end();
      clearTimeout(late);
      watch.close();
    },
  };
}

/** Half a megabyte: the write must need new disk space, and not only the rest of a page. */
const SMALL_WRITE: Statement = {
  text: "create temporary table room on commit drop as select md5(n::text) from generate_series(1, 8000) n",
  values: [],
};

const CLOSE_MS = 1_000;

/** The driver returns a list if a text holds several statements. */
const rowsOf = (result: pg.QueryResult | pg.QueryResult[]) =>
  Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;

/** Whether a statement only reads: without locks, and without a function that has side effects. */
export const onlyReads = (text: string): boolean =>
  /^\s*(select|with)\b/i.test(text) && !/\b(insert|update|delete|merge|share|nextval|setval|pg_\w+)\b/i.test(text);
