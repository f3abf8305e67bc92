import pg from "pg";
import type { Log } from "../log.ts";
import type { Signals } from "../signals/signals.ts";
import { translated } from "./errors.ts";
import type { Db, Queries, Statement, Tx } from "./sql.ts";

// Counts and sizes are far below 2^53; a string "3" in an answer would be a bug for every client.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  url: string;
  connections: number;
  signals: Pick<Signals, "publish">;
  log: Log;
  statementTimeoutMs?: number;
}

function queriesOf(client: pg.Pool | pg.PoolClient): Queries {
  return {
    query: async <R>(statement: Statement) => (await client.query(statement)).rows as R[],
    execute: async (statement) => (await client.query(statement)).rowCount ?? 0,
  };
}

/**
 * A pool of connections. Waiting for one longer than 2 s is answered 503 rather than queued without end, and
 * without the error handler a restart of PostgreSQL would end the process.
 */
export function openDb(options: PoolOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    application_name: "tidings",
    keepAlive: true,
    // By a statement: PgBouncer refuses it as a parameter of the connection, or ignores it, and then there is none.
    onConnect: async (client) => {
      await client.query(`set statement_timeout = ${options.statementTimeoutMs ?? 15_000}`);
    },
    // A statement need not wait for the answer of the one before it: see `begin` below.
    pipeline: true,
  });
  pool.on("error", (error) => options.log.warn({ err: error.message }, "an idle database connection was lost"));

  const outside = queriesOf(pool);
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw translated(error);
    }
  };

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const afterwards: (() => void)[] = [];
    // Between two queries of a transaction the client has no listener but ours: a restart would be an uncaught 'error'.
    const lost = () => {};
    client.on("error", lost);
    let broken: Error | undefined;
    let committing: Promise<pg.QueryResult> | undefined;
    let result: T;
    try {
      // Sent together with the first statement of `work`: a round trip less gave a tenth more transactions a second.
      const begun = client.query("begin");
      begun.catch(() => {});
      const { query, execute } = queriesOf(client);
      const late = () => Promise.reject(new Error("the transaction is being committed already"));
      result = await work({
        query: (statement) => (committing ? late() : query(statement)),
        execute: (statement) => (committing ? late() : execute(statement)),
        commitBehind: () => {
          committing = client.query("commit");
          committing.catch(() => {});
        },
        signal: (topic, items) => afterwards.push(() => options.signals.publish(topic, items)),
        afterCommit: (next) => afterwards.push(next),
      });
      await begun;
      const { command } = await (committing ?? client.query("commit"));
      // PostgreSQL answers so where a statement failed whose error nobody passed on: nothing of it is there.
      if (command !== "COMMIT") throw new Error(`the transaction ended with ${command}`);
    } catch (error) {
      await client.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.off("error", lost);
      client.release(broken);
    }
    for (const next of afterwards) next();
    return result;
  }

  return {
    query: (statement) => guarded(outside.query(statement)) as never,
    execute: (statement) => guarded(outside.execute(statement)),
    transaction: (work) => guarded(transaction(work)),
    close: () => pool.end(),
  };
}
