import { Counter, Gauge } from "prom-client";
import type { Config } from "../config.ts";
import { type Db, followReplica, openDb } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { INTERACTIVE, PAGES } from "../limits/shares.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { INTERACTIVE_MS } from "./interactive.ts";

interface Shared {
  config: Pick<Config, "readReplica">;
  log: Log;
  metrics: Metrics;
}

/** Puts the read replica, if there is one, before the pools of interactive queries and exports. */
export function withReplica(
  primary: { db: Db; interactiveDb: Db; exportDb: Db },
  { config, log, metrics }: Shared,
): Pick<Ground, "lagging" | "replica"> & { close(): Promise<unknown> } {
  const { readReplica } = config;
  if (!readReplica) return { lagging: primary, replica: undefined, close: async () => {} };
  const pool = { url: readReplica.url, signals: { publish: () => {} }, log, name: "tidings replica" };
  const interactiveDb = openDb({ ...pool, connections: INTERACTIVE, statementTimeoutMs: INTERACTIVE_MS });
  const exportDb = openDb({ ...pool, connections: PAGES, statementTimeoutMs: 60_000 });
  // A connection of its own: a look must not wait behind an export.
  const lookDb = openDb({ ...pool, connections: 1, statementTimeoutMs: INTERACTIVE_MS });
  const answered = new Counter({
    name: "tidings_read_replica_statements_total",
    help: "Exports and queries over many rows, by where they were answered: the read replica or the primary",
    labelNames: ["from"] as const,
    registers: [metrics.registry],
  });
  const replica = followReplica({
    primary: primary.db,
    replica: lookDb,
    mostLagMs: readReplica.mostLagMs,
    log,
    count: (from) => answered.inc({ from }),
  });
  new Gauge({
    name: "tidings_read_replica_lag_seconds",
    help: "How old the state is that the read replica shows for sure; it grows while the replica does not answer",
    registers: [metrics.registry],
    aggregator: "max",
    collect() {
      this.set(replica.lagMs() / 1_000);
    },
  });
  return {
    lagging: {
      interactiveDb: replica.before(primary.interactiveDb, interactiveDb),
      exportDb: replica.before(primary.exportDb, exportDb),
    },
    replica,
    async close() {
      replica.stop();
      await Promise.all([interactiveDb, exportDb, lookDb].map((db) => db.close()));
    },
  };
}
