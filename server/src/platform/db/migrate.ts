import { readdir, readFile } from "node:fs/promises";
import pg from "pg";

const FOLDER = new URL("../../../migrations/", import.meta.url);
// The advisory lock makes two processes that start at once take turns. The number is arbitrary.
const LOCK = 7_434_464;

/** Returns the migration files in order: plain SQL, forward only, named 0001-what.sql. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => /^\d{4}-[a-z-]+\.sql$/.test(name)).sort();
}

/**
 * Runs the migrations that have not run yet, each file in its own transaction. With `only`, no others run. Returns the names that ran.
 */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  // Statements have no time limit: one may rewrite a table, or wait until another process has done so.
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true });
  client.on("error", () => {});
  await client.connect();
  try {
    // If a process vanishes in the middle, the others must not wait for the time-out of TCP.
    await client.query("set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3");
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await client.query(
      "create table if not exists migrations (name text primary key, ran_at timestamptz not null default now())",
    );
    const done = new Set(
      (await client.query<{ name: string }>("select name from migrations")).rows.map((row) => row.name),
    );
    const ran: string[] = [];
    for (const name of await migrationNames()) {
      if (done.has(name) || only?.includes(name) === false) continue;
      await client.query("begin");
      try {
        await client.query(await readFile(new URL(name, FOLDER), "utf8"));
        await client.query("insert into migrations (name) values ($1)", [name]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback").catch(() => {});
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      ran.push(name);
    }
    return ran;
  } finally {
    await client.end();
  }
}
