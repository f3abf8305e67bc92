import pg from "pg";

/** A question to PostgreSQL about some of its backends. */
export interface Probe {
  /** The backends that work on a statement; "alive" if PostgreSQL answers without telling; undefined if it does not answer. */
  answer: Promise<Set<number> | "alive" | undefined>;
  /** Ends the question without an answer. */
  end(): void;
}

/**
 * Asks which of these backends work on a statement, over a new connection because the open ones may be silent. A backend that waits for
 * its client does not work: it has answered, or was never asked. If PostgreSQL does not track activities, each backend counts as working.
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
      // A refusal, such as "too many connections", shows that PostgreSQL lives.
      return error instanceof pg.DatabaseError ? "alive" : undefined;
    } finally {
      end();
    }
  }
  return { answer: ask(), end };
}
