import type { Config } from "./config.ts";
import type { Db, Replica } from "./db/index.ts";
import type { Shares } from "./limits/shares.ts";
import type { LinkKey } from "./links.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { FetchOut } from "./outbound-http/index.ts";
import type { Places } from "./places.ts";
import type { Seal } from "./seal.ts";
import type { Signals } from "./signals/index.ts";
import type { OtherThread } from "./threads/other-thread.ts";
import type { Clock } from "./time/clock.ts";
import type { Traces } from "./tracing/index.ts";
import type { Callers } from "./work/callers.ts";
import type { DueWork } from "./work/due.ts";

/**
 * The services that the code of one thread shares. The roof creates it once for each and passes it down as an argument; there is no global. A slice
 * adds a field to the type if nearly all users of the ground need it.
 */
export interface Ground {
  config: Config;
  log: Log;
  metrics: Metrics;
  /** What the code says about its work for OpenTelemetry. */
  traces: Traces;
  clock: Clock;
  /** Pool for requests. */
  db: Db;
  /** Pool for background work, so that requests and background work cannot starve each other. */
  workDb: Db;
  /** Pool for queries over many rows that a person waits for, with a short time limit: see interactiveQuery. */
  interactiveDb: Db;
  /** The pools of interactive queries and exports, before them the read replica: a write of the last seconds may be missing. */
  lagging: { interactiveDb: Db; exportDb: Db };
  /** The read replica, if there is one. */
  replica: Replica | undefined;
  /** Pool for the lists of the product API: see inListTurns. */
  listDb: Db;
  /** Pool for exports. */
  exportDb: Db;
  /** How many clients this process accepts. */
  places: Places;
  /** Bounds on expensive work, shared fairly among the workspaces. */
  shares: Shares;
  /** Whether somebody waits for answers of this process: background work leaves them room. */
  callers: Callers;
  signals: Signals;
  /** Of a process with the roles `api` and `worker`: the thread that does the background work, and for that one the thread that answers requests. */
  otherThread: OtherThread | undefined;
  /** Finds due work for the loops of this process, in one statement each second. */
  dueWork: DueWork;
  seal: Seal;
  /** The one way out over HTTP, which refuses private addresses. */
  fetchOut: FetchOut;
  /** Seals the links in messages; see sealLink. */
  linkKey: LinkKey;
}
