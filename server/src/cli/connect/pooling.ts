import { randomBytes } from "node:crypto";
import pg from "pg";
import { Refused } from "../terminal/refused.ts";

/**
 * Checks that DATABASE_URL and DATABASE_DIRECT_URL fit together. A pooler in transaction mode lends a connection for one transaction: there
 * signals and jobs never arrive, and what a connection is told is told to somebody else. A service would start and then fail at each request.
 * @throws Refused with what to set
 */
export async function assertPooling(url: string, direct: string | undefined): Promise<void> {
  if (direct === undefined) {
    if (await isLent(url))
      throw new Refused(
        "DATABASE_URL is a pooler in transaction mode: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, see docs/operations.md",
      );
    return;
  }
  if (await isLent(direct))
    throw new Refused(
      "DATABASE_DIRECT_URL is a pooler in transaction mode: it must be the address of PostgreSQL itself, see docs/operations.md",
    );
  if (!(await areOne(url, direct)))
    throw new Refused("DATABASE_URL and DATABASE_DIRECT_URL lead to different databases");
  if (!(await keepsStatements(url)))
    throw new Refused(
      "the pooler of DATABASE_URL does not keep named statements: PgBouncer 1.21 or later does, with max_prepared_statements = 500",
    );
}

/** Whether another connection sees what this one was told: a pooler passes on its connection to PostgreSQL after each transaction. */
export async function isLent(url: string): Promise<boolean> {
  const token = randomBytes(8).toString("hex");
  return onTwo([url, url], async (one, other) => {
    const pid = await one.query<{ pid: number }>(
      "select pg_backend_pid() as pid, set_config('tidings.pooling', $1, false)",
      [token],
    );
    // PostgreSQL tells each connection its process, and a pooler invents one.
    if (pid.rows[0]?.pid === (one as unknown as { processID: number }).processID) return false;
    for (const client of [one, other, one, other]) {
      const { rows } = await client.query<{ pid: number; told: string }>(
        "select pg_backend_pid() as pid, current_setting('tidings.pooling', true) as told",
      );
      if (client === other ? rows[0]?.told === token : rows[0]?.pid !== pid.rows[0]?.pid) return true;
    }
    return false;
  });
}

/** Whether both lead to the same database: a lock in one is seen in the other. */
function areOne(url: string, direct: string): Promise<boolean> {
  const [high, low] = [randomBytes(4).readInt32BE(), randomBytes(4).readInt32BE()];
  return onTwo([direct, url], async (holder, asker) => {
    await holder.query("select pg_advisory_lock($1, $2)", [high, low]);
    const { rows } = await asker.query<{ free: boolean }>("select pg_try_advisory_xact_lock($1, $2) as free", [
      high,
      low,
    ]);
    return rows[0]?.free === false;
  });
}

/** Whether two clients may give the same name to different statements, as each of them may on a connection of its own. */
async function keepsStatements(url: string): Promise<boolean> {
  const name = "tidings_pooling";
  return onTwo([url, url], async (one, other) => {
    try {
      for (const [client, text] of [
        [one, "select 1"],
        [other, "select 2"],
      ] as const)
        await client.query({ name, text });
      return true;
    } catch (error) {
      // "prepared statement already exists", and of one that does not exist
      if (["42P05", "26000"].includes((error as { code?: string }).code ?? "")) return false;
      throw error;
    }
  });
}

async function onTwo<T>(urls: [string, string], work: (one: pg.Client, other: pg.Client) => Promise<T>): Promise<T> {
  const [one, other] = urls.map(
    (url) => new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 }),
  ) as [pg.Client, pg.Client];
  for (const client of [one, other]) client.on("error", () => {});
  try {
    for (const client of [one, other]) await client.connect();
    return await work(one, other);
  } finally {
    for (const client of [one, other]) await client.end().catch(() => {});
  }
}
