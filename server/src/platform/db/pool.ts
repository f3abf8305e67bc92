import pg from "pg";
import type { Log } from "../log.ts";
import type { Signals } from "../signals/signals.ts";
import { type Announced, Announcements } from "./announcements.ts";
import { translated } from "./errors.ts";
import { cut, Silent } from "./lines.ts";
import { Room } from "./room.ts";
import type { Db, Queries, Statement, Tx } from "./sql.ts";
import { Watch } from "./watch.ts";

// Counts and sizes are far below 2^53; a string "3" in an answer would be a bug for every client.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  url: string;
  connections: number;
  signals: Pick<Signals, "publish">;
  log: Log;
  /** How long PostgreSQL works on one statement. */
  statementTimeoutMs?: number;
  name?: string;
  /** Who listens to what is announced; nobody where absent. */
  announcements?: Announcements;
}

/** For a connection, new or used, and again for what a new one is told. */
const CONNECT_MS = 2_000;
/** A connection whose backend does not end a statement at its own limit is thrown away so much later. */
const GRACE_MS = 2_000;

/**
 * What PostgreSQL keeps for a connection, whatever becomes of this process. Locks of a transaction whose client has gone silent are
 * free after 5 s: one that lives and asks nothing says so (watch.ts). What can't be handed to the client any more ends the connection.
 */
const LIMITS = {
  idle_in_transaction_session_timeout: "5s",
  idle_session_timeout: "10min",
  tcp_user_timeout: "10s",
  tcp_keepalives_idle: "5s",
  tcp_keepalives_interval: "2s",
  tcp_keepalives_count: "3",
};

/**
 * A pool of connections. Waiting for one longer than 2 s is answered 503 rather than queued without end, nobody waits for one that
 * is silent, and without the error handler a restart of PostgreSQL would end the process.
 */
export function openDb(options: PoolOptions): Db {
  const { url, log, statementTimeoutMs = 15_000, announcements = new Announcements() } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    application_name: options.name ?? "tidings",
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    onConnect: (client) => begin(client as pg.PoolClient),
    // A statement need not wait for the answer of the one before it: see `begin` below.
    pipeline: true,
  });
  pool.on("error", (error) => {
    // The watch has said so already.
    if (!(error instanceof Silent)) log.warn({ err: error.message }, "an idle database connection was lost");
  });
  const room = new Room();
  const watch = new Watch(pool, { url, log, longestMs: statementTimeoutMs + GRACE_MS });

  /** By a statement: PgBouncer refuses such parameters of the connection, or ignores them, and then there are none. */
  async function begin(client: pg.PoolClient): Promise<void> {
    const limits = { ...LIMITS, statement_timeout: String(statementTimeoutMs) };
    const late = setTimeout(() => cut(client, "a new connection is silent"), CONNECT_MS);
    try {
      const { rows } = await client.query<{ pid: number }>(
        `select pg_backend_pid() as pid, ${Object.entries(limits)
          .map(([name, value]) => `set_config('${name}', '${value}', false)`)
          .join(", ")}`,
      );
      watch.add(client, rows[0]?.pid ?? 0);
    } finally {
      clearTimeout(late);
    }
  }

  function wake(to: Announced<unknown>, workspaceIds: string[]): void {
    for (const topic of announcements.wakes(to)) options.signals.publish(topic, workspaceIds);
  }

  const queriesOf = (client: pg.PoolClient): Queries => ({
    query: async <R>(statement: Statement) => (await watch.answer(client, client.query(statement))).rows as R[],
    execute: async (statement) => (await watch.answer(client, client.query(statement))).rowCount ?? 0,
  });

  async function alone(statement: Statement): Promise<pg.QueryResult> {
    const client = await watch.connection(pool);
    let failed: Error | undefined;
    try {
      return await watch.answer(client, client.query(statement));
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      client.release(failed);
    }
  }

  /** What only reads is asked again, over another connection, where its own was silent. */
  async function outside(statement: Statement): Promise<pg.QueryResult> {
    try {
      return await alone(statement).catch((error) => {
        if (!(error instanceof Silent) || watch.isSilent() || !onlyReads(statement.text)) throw error;
        return alone(statement);
      });
    } catch (error) {
      throw told(error);
    }
  }

  function told(error: unknown): unknown {
    room.note(error);
    return translated(error);
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await watch.connection(pool);
    const ask = (text: string) => watch.answer(client, client.query(text));
    const commit = () => (committing ??= ask("commit"));
    const afterwards: (() => void)[] = [];
    const unknown: (() => void)[] = [];
    let broken: Error | undefined;
    let committing: Promise<pg.QueryResult> | undefined;
    let result: T;
    try {
      // Sent together with the first statement of `work`: a round trip less gave a tenth more transactions a second.
      const begun = ask("begin");
      begun.catch(() => {});
      const { query, execute } = queriesOf(client);
      const late = () => Promise.reject(new Error("the transaction is being committed already"));
      let heard = false;
      const tx: Tx = {
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
      // PostgreSQL answers so where a statement failed whose error nobody passed on: nothing of it is there.
      if (command !== "COMMIT") throw new Error(`the transaction ended with ${command}`);
    } catch (error) {
      await ask("rollback").catch((failure: Error) => {
        broken = failure;
      });
      // Who answers the rollback had answered the commit before it.
      if (committing && broken) for (const next of unknown) next();
      throw error;
    } finally {
      client.release(broken);
    }
    for (const next of afterwards) next();
    return result;
  }

  return {
    query: async <R>(statement: Statement) => rowsOf(await outside(statement)) as R[],
    execute: async (statement) => (await outside(statement)).rowCount ?? 0,
    transaction: (work) =>
      transaction(work).catch((error) => {
        throw told(error);
      }),
    isTaken: (to) => announcements.isTaken(to),
    wake,
    writes: () => room.isThere(() => alone(SMALL_WRITE)),
    async close() {
      // What is silent does not answer a goodbye either.
      const late = setTimeout(() => watch.close(), CLOSE_MS);
      await pool.end();
      clearTimeout(late);
      watch.close();
    },
  };
}

/** Half a megabyte, so that some room is there and not the rest of a page. */
const SMALL_WRITE: Statement = {
  text: "create temporary table room on commit drop as select md5(n::text) from generate_series(1, 8000) n",
  values: [],
};

const CLOSE_MS = 1_000;

/** The driver gives a list where a text held several statements. */
const rowsOf = (result: pg.QueryResult | pg.QueryResult[]) =>
  Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;

/** A `select` for its answer alone: without locks, and without a function that leaves something behind. */
export const onlyReads = (text: string): boolean =>
  /^\s*(select|with)\b/i.test(text) && !/\b(insert|update|delete|merge|share|nextval|setval|pg_\w+)\b/i.test(text);
