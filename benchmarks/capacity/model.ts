import { COSTS, IMAGE_NS, type Operation } from "./costs.ts";
import type { Channel, Plan } from "./plan.ts";

/** How often an operation happens, or how many there were. */
export type Counts = Partial<Record<Operation, number>>;

/** What operations leave and took. */
export interface Load {
  rows: number;
  bytes: number;
  /** Bytes of the write-ahead log. */
  log: number;
  /** Seconds of CPU. */
  server: number;
  database: number;
}

const DAY_S = 86_400;

/** Returns the operations of a day. */
export function operationsOf(plan: Plan): Counts {
  const of = (channel: Channel) => plan.deliveriesPerDay * plan.channels[channel];
  const inApp = of("in_app");
  return {
    queued: inApp,
    sync: inApp * plan.syncs,
    impression: inApp * plan.seen,
    click: inApp * plan.clicked,
    dismissal: inApp * plan.dismissed,
    expiry: inApp * (1 - plan.dismissed),
    email: of("email"),
    // A push takes the way of a text message: the same rows, and one request to the provider.
    text: of("push") + of("sms"),
    event: plan.eventsPerDay,
  };
}

/**
 * Returns what operations leave and take. `stored`: bytes that the tables of deliveries and their log have before; `intervals`: the number of
 * intervals between checkpoints in which they happen.
 */
export function loadOf(counts: Counts, stored: number, intervals: number): Load {
  const images = imagesOf(counts, stored, intervals);
  const all: Load = { rows: 0, bytes: 0, log: images, server: 0, database: (images * IMAGE_NS) / 1e9 };
  for (const [operation, count] of entries(counts)) {
    const cost = COSTS[operation];
    all.rows += count * cost.rows;
    all.bytes += count * cost.bytes;
    all.log += count * cost.log;
    all.server += (count * cost.server) / 1e6;
    all.database += (count * cost.database) / 1e6;
  }
  return all;
}

/**
 * The bytes of the images of pages. Each operation changes pages at random places; only the first change of a page in an interval writes an
 * image, whichever operation it is of, and pages that are new since the checkpoint write none. So the images of an interval approach the size
 * of what its operations can reach.
 */
function imagesOf(counts: Counts, stored: number, intervals: number): number {
  const first = entries(counts).map(([operation, count]) => count * COSTS[operation].images);
  const sum = first.reduce((all, images) => all + images, 0);
  if (sum === 0 || stored === 0) return 0;
  const reaches = entries(counts).map(([operation], i) => COSTS[operation].reach * (first[i] ?? 0));
  const reached = stored * (reaches.reduce((all, reach) => all + reach, 0) / sum);
  return intervals * reached * (1 - Math.exp(-sum / (intervals * reached)));
}

const entries = (counts: Counts) => Object.entries(counts) as [Operation, number][];

export interface Capacity {
  /** In the tables when the retention is full. */
  rows: number;
  bytes: number;
  /** Of a day. */
  log: number;
  deliveriesPerSecond: { mean: number; peak: number };
  logMbPerSecond: { mean: number; peak: number };
  serverCores: { mean: number; peak: number };
  databaseCores: { mean: number; peak: number };
  /** How many installations share the work, each with a PostgreSQL: the largest of `fills`, rounded up. */
  installations: number;
  /** If one installation on a cluster of Citus does the work instead: the cores of its nodes in the busiest hour, and into how many shards to put its people (docs/citus.md). */
  cluster: { cores: number; shards: number };
  /** Of each installation. */
  processes: number;
  /** Connections to the PostgreSQL of each installation: without and with PgBouncer. */
  connections: { own: number; pooled: number };
  /** How many times too large the work is for one PostgreSQL, for each of what it has. */
  fills: Record<Limit, number>;
}

export type Limit = "cores" | "disk" | "log" | "retention";

/**
 * Of the thread that answers requests; beyond this its answers are late (docs/performance.md, "fanout"). The work of a process's second thread is counted
 * here too, so the model plans too many processes rather than too few.
 */
export const CORES_OF_A_PROCESS = 0.7;
/** What a process opens at most (docs/operations.md), and what PgBouncer held for many of them. */
const CONNECTIONS_OF_A_PROCESS = 47;
const POOL = { shared: 40, ofAProcess: 3 };
/** How much of the disk may be full: the rest is for the log, indexes that are built, and rows that wait for a vacuum. */
const FULL = 0.6;
/** How many times more CPU the nodes of a cluster take than one PostgreSQL: 5 times for events, 14 for syncs (docs/citus.md, "What it costs"). */
const CPU_IN_SHARDS = 10;
/** Shards for each core of a cluster in the busiest hour, or for each PostgreSQL: a cluster grows by moving whole shards. Citus's own number is the least. */
const SHARDS_OF_A_CORE = 2;
const LEAST_SHARDS = 32;
/** What the retention of one installation deletes at most (decision 0058). */
export const DELETED_PER_DAY = 20e6;

/** Returns what a plan needs. */
export function capacityOf(plan: Plan): Capacity {
  const day = operationsOf(plan);
  const kept = loadOf(day, 0, 1);
  const people = loadOf({ person: plan.people }, 0, 1);
  const bytes = people.bytes + kept.bytes * plan.retentionDays;
  const { event: _, ...ofMessages } = day;
  const messages = loadOf(ofMessages, 0, 1).bytes * plan.retentionDays;
  const spent = loadOf(day, messages, (24 * 60) / plan.checkpointMinutes);
  const rate = (amount: number) => ({ mean: amount / DAY_S, peak: (amount / DAY_S) * plan.peak });
  const serverCores = rate(spent.server);
  const databaseCores = rate(spent.database);
  const logMbPerSecond = rate(spent.log / 1e6);
  const fills = {
    cores: databaseCores.peak / plan.databaseCores,
    disk: bytes / 1e9 / (plan.databaseDiskGb * FULL),
    log: logMbPerSecond.peak / plan.databaseLogMbPerSecond,
    retention: plan.deliveriesPerDay / DELETED_PER_DAY,
  };
  const clusterCores = databaseCores.peak * CPU_IN_SHARDS;
  const installations = Math.max(1, Math.ceil(Math.max(...Object.values(fills))));
  const processes = Math.max(1, Math.ceil(serverCores.peak / installations / CORES_OF_A_PROCESS));
  return {
    rows: people.rows + kept.rows * plan.retentionDays,
    bytes,
    log: spent.log,
    deliveriesPerSecond: rate(plan.deliveriesPerDay),
    logMbPerSecond,
    serverCores,
    databaseCores,
    installations,
    cluster: {
      cores: clusterCores,
      shards: Math.max(
        LEAST_SHARDS,
        2 ** Math.ceil(Math.log2(Math.max(clusterCores, installations) * SHARDS_OF_A_CORE)),
      ),
    },
    processes,
    connections: {
      own: processes * CONNECTIONS_OF_A_PROCESS,
      pooled: Math.min(processes * CONNECTIONS_OF_A_PROCESS, POOL.shared + processes * POOL.ofAProcess),
    },
    fills,
  };
}
