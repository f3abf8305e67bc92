import type pg from "pg";
import type { Signals } from "../signals/signals.ts";
import { type Announced, Announcements } from "./announcements.ts";
import { type ConnectionOptions, type Connections, openConnections } from "./connections.ts";
import { fromNode, translated } from "./errors.ts";
import { Silent } from "./watch/lines.ts";
import { Room } from "./room.ts";
import type { Db, Statement, Tx } from "./sql.ts";

export interface PoolOptions extends ConnectionOptions {
  signals: Pick<Signals, "publish">;
  /** Who listens to what is announced; nobody where absent. */
  announcements?: Announcements;
}

/** What the transactions of one pool share. */
interface Parts {
  connections: Connections;
  announcements: Announcements;
  signals: PoolOptions["signals"];
}

/**
 * Opens a pool of connections. A request that waits longer than 2 s for one is answered with 503, and no request waits for a silent one.
 */
export function openDb(options: PoolOptions): Db {
  const { signals, announcements = new Announcements() } = options;
  const connections = openConnections(options);
  const { distributed } = connections;
  const parts: Parts = { connections, announcements, signals };
  const room = new Room();
  const noted = (error: unknown): never => {
    room.note(error);
    throw translated(error);
  };
  const outside = (statement: Statement) => runOutside(connections, statement).catch(noted);
  return {
    distributed,
    query: async <R>(statement: Statement) => rowsOf(await outside(statement)) as R[],
    execute: async (statement) => (await outside(statement)).rowCount ?? 0,
    transaction: (work) => transaction(parts, work).catch(noted),
    isTaken: (to, batch) => announcements.isTaken(to, batch),
    wake: (to, workspaceIds) => wake(parts, to, workspaceIds),
    writes: () => room.isThere(() => connections.alone(SMALL_WRITE)),
    close: () => connections.close(),
  };
}

function wake({ announcements, signals }: Parts, to: Announced<unknown>, workspaceIds: string[]): void {
  for (const topic of announcements.wakes(to)) signals.publish(topic, workspaceIds);
}

/** Runs a statement outside of a transaction. One that only reads is repeated on another connection if its own was silent. */
function runOutside(connections: Connections, statement: Statement): Promise<pg.QueryResult> {
  const since = performance.now();
  return connections.alone(statement).catch((error) => {
    if (!onlyReads(statement.text)) throw error;
    if (!(error instanceof Silent) || connections.isSilent()) throw fromNode(error, since);
    return connections.alone(statement);
  });
}

async function transaction<T>(parts: Parts, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { connections } = parts;
  const client = await connections.take();
  const { tx, commit, isCommitting, fail, afterwards, unknown } = txOn(parts, client);
  let broken: Error | undefined;
  let result: T;
  let worked = false;
  const since = performance.now();
  try {
    // `begin` is sent together with the first statement of `work`: one round trip less made a tenth more transactions a second.
    const begun = connections.begin(client);
    begun.catch(() => {});
    result = await work(tx);
    await begun;
    worked = true;
    const { command } = await commit();
    // PostgreSQL answers ROLLBACK if a statement failed and `work` hid its error: nothing of the transaction is stored.
    if (command !== "COMMIT") throw new Error(`the transaction ended with ${command}`);
  } catch (error) {
    fail();
    await connections.end(client, "rollback").catch((failure: Error) => {
      broken = failure;
    });
    // If the rollback was answered, the commit before it was answered too.
    if (isCommitting() && broken) for (const next of unknown) next();
    // A node that does not answer the commit may have carried it out.
    throw worked ? error : fromNode(error, since);
  } finally {
    client.release(broken);
  }
  for (const next of afterwards) next();
  return result;
}

/**
 * Makes what the work of a transaction gets, with what the work asks to be done after it. `commit` commits once. After `commit` and `fail` no statement is sent:
 * of several that were begun at once, one may fail while another has a statement to send still, and the connection is somebody else's by then.
 */
function txOn(parts: Parts, client: pg.PoolClient) {
  const { connections, announcements, signals } = parts;
  const { distributed, query, execute } = connections.queriesOf(client);
  const afterwards: (() => void)[] = [];
  const unknown: (() => void)[] = [];
  let committing: Promise<pg.QueryResult> | undefined;
  const commit = () => (committing ??= connections.end(client, "commit"));
  let failed = false;
  const late = () => Promise.reject(new Error("the transaction has ended"));
  // Who may have statements to send still: the one who opened the transaction, and each listener that takes part in it.
  const senders = new Set<object>();
  /** Adds one, and returns what to call when its last statements are under way. */
  const sender = () => {
    const own = {};
    senders.add(own);
    return () => {
      if (senders.delete(own) && senders.size === 0 && !failed) commit().catch(() => {});
    };
  };
  const tx: Tx = {
    distributed,
    query: (statement) => (committing || failed ? late() : query(statement)),
    execute: (statement) => (committing || failed ? late() : execute(statement)),
    commitBehind: sender(),
    announce: (to, workspaceIds, batch, written) => {
      afterwards.push(() => wake(parts, to, workspaceIds));
      const commitBehind = sender();
      const taken = announcements.take({ ...tx, commitBehind }, to, batch, written);
      if (taken) taken.then(commitBehind, () => {});
      else commitBehind();
      return taken;
    },
    signal: (topic, items) => afterwards.push(() => signals.publish(topic, items)),
    afterCommit: (next) => afterwards.push(next),
    ifUnknown: (next) => unknown.push(next),
  };
  const fail = () => {
    failed = true;
  };
  return { tx, commit, isCommitting: () => committing !== undefined, fail, afterwards, unknown };
}

/** Half a megabyte: the write must need new disk space, and not only the rest of a page. */
const SMALL_WRITE: Statement = {
  text: "create temporary table room on commit drop as select md5(n::text) from generate_series(1, 8000) n",
  values: [],
};

/** The driver returns a list if a text holds several statements. */
const rowsOf = (result: pg.QueryResult | pg.QueryResult[]) =>
  Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;

/** Whether a statement only reads: without locks, and without a function that has side effects. */
export const onlyReads = (text: string): boolean =>
  /^\s*(select|with)\b/i.test(text) && !/\b(insert|update|delete|merge|share|nextval|setval|pg_\w+)\b/i.test(text);
