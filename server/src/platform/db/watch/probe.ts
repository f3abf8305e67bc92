import pg from "pg";

/** What PostgreSQL says about some of its backends. */
export interface Found {
  /** The backends that work on a statement; "alive" if PostgreSQL answers without telling. */
  working: Set<number> | "alive";
  /** Whether a statement that came last was carried out over the pooler, if there is one. It lends its connections in order of arrival. */
  served: boolean;
}

/** A question to PostgreSQL about some of its backends. */
export interface Probe {
  /** Undefined if PostgreSQL does not answer. */
  answer: Promise<Found | undefined>;
  /** Ends the question without an answer. */
  end(): void;
}

/** The database that is asked. */
interface Asked {
  url: string;
  /** The address of PostgreSQL itself, if `url` is that of a pooler. */
  direct?: string | undefined;
  /** See `Queries.distributed`. */
  distributed?: boolean;
}

/**
 * Asks which of these backends work on a statement, over a new connection because the open ones may be silent. A backend that waits for
 * its client does not work: it has answered, or was never asked. If PostgreSQL does not track activities, each backend counts as working.
 * The coordinator of a cluster seems to wait for its client also while it waits for a node.
 */
export function probe({ url, direct, distributed = false }: Asked, pids: number[]): Probe {
  const asked = question(direct ?? url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any($1)
           and coalesce(state, 'disabled') in ('active', 'disabled') and ($2 or wait_event_type is distinct from 'Client')`,
      [pids, distributed],
    );
    return new Set(rows.map((row) => row.pid));
  });
  const lent = direct === undefined ? undefined : question(url, (client) => client.query("select"));
  return {
    answer: Promise.all([asked.answer, lent?.answer]).then(
      ([working, served]) => working && { working, served: served !== undefined && served !== "alive" },
    ),
    end() {
      asked.end();
      lent?.end();
    },
  };
}

function question<T>(url: string, ask: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: url, application_name: "tidings watch" });
  client.on("error", () => {});
  const end = () => client.connection.stream.destroy();
  async function asked(): Promise<T | "alive" | undefined> {
    try {
      await client.connect();
      return await ask(client);
    } catch (error) {
      // A refusal, such as "too many connections", shows that PostgreSQL lives.
      return error instanceof pg.DatabaseError ? "alive" : undefined;
    } finally {
      end();
    }
  }
  return { answer: asked(), end };
}
