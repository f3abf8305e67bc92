import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { natsSignals } from "./nats.ts";
import { postgresSignals } from "./postgres.ts";
import { type Node, nameOfNode, type Signals } from "./signals.ts";

export { Buckets } from "./buckets.ts";
export { FRESH_MS } from "./fresh.ts";
export { showSignals } from "./monitoring.ts";
export { connectNats } from "./nats.ts";
export { type Node, nameOfNode, type Signals } from "./signals.ts";

/**
 * Opens signals over NATS if NATS_URL is set, else over LISTEN/NOTIFY of the database, which every process has anyway.
 * @param node this process, if it has two threads
 */
export function openSignals(
  config: Pick<Config, "nats">,
  databaseUrl: string,
  log: Log,
  node: Node = { name: nameOfNode(), other: undefined },
): Signals {
  return config.nats ? natsSignals(config.nats, log, node) : postgresSignals(databaseUrl, log, node);
}
