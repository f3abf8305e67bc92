import pg from "pg";
import { POOLED } from "../../platform/db/index.ts";

/** Each service asks for the database's clock every 5 s. A pooler keeps connections for minutes after the last service has ended. */
const QUIET = "15 seconds";

/** Counts the connections of Tidings services to this database. */
export async function servicesOn(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name like 'tidings%'
       and (application_name <> $1 or state_change > now() - $2::interval)`,
    [POOLED, QUIET],
  );
  return rows[0]?.n ?? 0;
}

/** Calls `work` with a connection of its own. It is not taken for a service. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "command of tidings" });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
