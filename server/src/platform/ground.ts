import type { Config } from "./config.ts";
import type { Db } from "./db/index.ts";
import type { Shares } from "./limits/shares.ts";
import type { LinkKey } from "./links.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { FetchOut } from "./outbound-http/index.ts";
import type { Places } from "./places.ts";
import type { Seal } from "./seal.ts";
import type { Signals } from "./signals/index.ts";
import type { Clock } from "./time/clock.ts";

/**
 * What one process stands on. The roof makes it once and hands it down as an argument; there is no global. A slice adds a field to the type
 * where nearly all of the ground's users need it.
 */
export interface Ground {
  config: Config;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  /** Pool of the requests. */
  db: Db;
  /** Pool of the background work, so that neither can starve the other. */
  workDb: Db;
  /** Pool of the questions over many rows, whose statements have little time: see askBriefly. */
  askDb: Db;
  /** Pool of the lists of the product API: see inListTurns. */
  listDb: Db;
  /** Pool of the exports. */
  exportDb: Db;
  /** How many clients this process takes. */
  places: Places;
  /** What is dear, shared out among the workspaces. */
  shares: Shares;
  signals: Signals;
  seal: Seal;
  /** The one way out over HTTP, which refuses private addresses. */
  fetchOut: FetchOut;
  /** Seals the links that leave in messages; see sealLink. */
  linkKey: LinkKey;
}
