import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const FOLDER = new URL("../../../migrations/", import.meta.url);
// The advisory lock makes two processes that start at once take turns. The number is arbitrary.
const LOCK = 7_434_464;
const LOCK_POLL_MS = 100;
/**
 * A migration waits for a lock no longer than this, and tries again. Whoever wants a table after it waits behind it: without the limit one export
 * of a minute would stop all processes that serve meanwhile.
 */
const LOCK_TIMEOUT_MS = 1_000;
const LOCK_TRIES = 300;
/** The pause between two tries: the requests that waited behind the migration go first. */
const LOCK_PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = "55P03";
/** The first line of a file whose statements run one by one, each without a transaction. */
const CONCURRENTLY = "-- concurrently\n";

/** Returns the migration files in order: plain SQL, forward only, named 0001-what.sql. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => /^\d{4}-[a-z-]+\.sql$/.test(name)).sort();
}

/**
 * Runs the migrations that have not run yet, each file in its own transaction. With `only`, no others run. Returns the names that ran.
 * A file that begins with "-- concurrently" builds indexes while the service writes, which PostgreSQL does outside of transactions only.
 * If it is cut off, the next start runs it from its beginning, so each of its statements can run twice.
 */
export function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  return inTurn(url, async (client) => {
    await client.query(
      "create table if not exists migrations (name text primary key, ran_at timestamptz not null default now())",
    );
    const done = new Set(
      (await client.query<{ name: string }>("select name from migrations")).rows.map((row) => row.name),
    );
    const ran: string[] = [];
    for (const name of await migrationNames()) {
      if (done.has(name) || only?.includes(name) === false) continue;
      try {
        await run(client, name, await readFile(new URL(name, FOLDER), "utf8"));
      } catch (error) {
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      ran.push(name);
    }
    return ran;
  });
}

/** Calls `work` with a connection of its own while nobody else changes the schema: other processes that start wait until it has ended. */
export async function inTurn<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  // Statements have no time limit: one may rewrite a table, or wait until another process has done so.
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true });
  client.on("error", () => {});
  await client.connect();
  try {
    // If a process vanishes in the middle, the others must not wait for the time-out of TCP.
    await client.query("set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3");
    await takeTurn(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Waits for the turn by asking again. A statement that waits for the lock holds a snapshot, and `create index concurrently` of the process
 * that has the lock would wait for that snapshot to end.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>("select pg_try_advisory_lock($1) as ours", [LOCK]);
    if (rows[0]?.ours) return;
    await sleep(LOCK_POLL_MS);
  }
}

async function run(client: pg.Client, name: string, text: string): Promise<void> {
  if (text.startsWith(CONCURRENTLY)) {
    for (const statement of statementsOf(text)) await client.query(statement);
    await client.query("insert into migrations (name) values ($1)", [name]);
    return;
  }
  for (let tries = 1; !(await runWhole(client, name, text, tries === LOCK_TRIES)); tries++) await sleep(LOCK_PAUSE_MS);
}

/** Comments, texts, the bodies of functions, and the ends of statements. */
const PARTS = /--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/** Returns the statements of a file. Citus sends the text of a statement to the shards, and refuses one that comes with others. */
export function statementsOf(text: string): string[] {
  const ends = [...text.matchAll(PARTS)].flatMap(({ 0: part, index }) => (part === ";" ? [index + 1] : []));
  const pieces = [0, ...ends].map((from, i) => text.slice(from, ends[i]));
  return pieces.filter((piece) => piece.replaceAll(/--[^\n]*/g, "").trim() !== "");
}

/** Returns false if it had no effect because another transaction held a lock for too long. @throws the error of the database, at the last try that one too */
async function runWhole(client: pg.Client, name: string, text: string, isLast: boolean): Promise<boolean> {
  // Citus refuses to write the tables that are on each node after a statement that asked the shards in parallel. A PostgreSQL without it ignores this.
  await client.query(
    `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local citus.multi_shard_modify_mode to sequential`,
  );
  try {
    for (const statement of statementsOf(text)) await client.query(statement);
    await client.query("insert into migrations (name) values ($1)", [name]);
    await client.query("commit");
    return true;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || isLast) throw error;
    return false;
  }
}
