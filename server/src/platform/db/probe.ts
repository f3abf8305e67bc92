import pg from "pg";

/** What PostgreSQL says of some of its backends. */
export interface Probe {
  /** Those that work on a statement; "alive" where it answers and says nothing of them; undefined where it does not answer. */
  answer: Promise<Set<number> | "alive" | undefined>;
  /** Gives up. */
  end(): void;
}

/**
 * Asks over a new connection, because the open ones may be silent, which of these backends work on a statement. One that waits for
 * its client does not: it has answered, or was never asked. Where the activity is not tracked each is taken to work.
 */
export function probe(url: string, pids: number[]): Probe {
  const client = new pg.Client({ connectionString: url, application_name: "tidings watch" });
  client.on("error", () => {});
  const end = () => client.connection.stream.destroy();
  async function ask() {
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where pid = any($1)
           and coalesce(state, 'disabled') in ('active', 'disabled') and wait_event_type is distinct from 'Client'`,
        [pids],
      );
      return new Set(rows.map((row) => row.pid));
    } catch (error) {
      // Too many connections, for one: it refuses, so it lives.
      return error instanceof pg.DatabaseError ? "alive" : undefined;
    } finally {
      end();
    }
  }
  return { answer: ask(), end };
}
