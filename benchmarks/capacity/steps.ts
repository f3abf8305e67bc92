import { CORES_OF_A_PROCESS, type Capacity, type Limit } from "./model.ts";

/** One step of growth: what stops at its end, and what follows. */
export interface Step {
  title: string;
  /** Whether this plan needs it. */
  needed: boolean;
  why: string;
}

/** PostgreSQL works well with some hundred connections; each takes about 10 MB. */
const MOST_CONNECTIONS = 300;
const SMALL_CORES = 2;
const SMALL_DISK = 500e9;

/** Returns the steps of docs/capacity.md, in their order, and which of them a plan needs. */
export function stepsFor(capacity: Capacity): Step[] {
  const { serverCores, databaseCores, processes, connections, shards } = capacity;
  const cores = serverCores.peak + databaseCores.peak;
  const first = firstFull(capacity);
  return [
    {
      title: "a PostgreSQL of its own (DATABASE_URL)",
      needed: cores > SMALL_CORES || capacity.bytes > SMALL_DISK,
      why: `the busiest hour needs ${cores.toFixed(1)} cores and the tables ${gb(capacity.bytes)}; one machine is enough up to ${SMALL_CORES} cores and ${gb(SMALL_DISK)}`,
    },
    {
      title: "several processes, with NATS for their signals (NATS_URL)",
      needed: processes > 1,
      why: `${processes}: the service needs ${serverCores.peak.toFixed(1)} cores in the busiest hour, and a process answers late beyond ${CORES_OF_A_PROCESS}`,
    },
    {
      title: "PgBouncer (DATABASE_DIRECT_URL)",
      needed: connections.own > MOST_CONNECTIONS,
      why: `${connections.own} connections without it, about ${connections.pooled} with it; PostgreSQL should have at most ${MOST_CONNECTIONS}`,
    },
    {
      title: "several databases, each an installation with workspaces of its own",
      needed: shards > 1,
      why: `${shards}: ${shards > 1 ? binding(capacity) : `the fullest of one is its ${first.limit}, at ${percent(first.full)}`}`,
    },
  ];
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

const NAMES: Record<Limit, string> = {
  cores: "cores",
  disk: "disk",
  log: "write-ahead log",
  retention: "retention, which deletes at most 20 million deliveries a day",
};

/** Names what one PostgreSQL has too little of, such as "3.1 times its disk". */
function binding({ fills }: Capacity): string {
  return (Object.entries(fills) as [Limit, number][])
    .toSorted(([, a], [, b]) => b - a)
    .filter(([, times]) => times > 1)
    .map(([limit, times]) => `${times.toFixed(1)} times ${NAMES[limit]}`)
    .join("; ");
}

/** What of one PostgreSQL is full first, and how full it is. */
function firstFull({ fills }: Capacity): { limit: string; full: number } {
  const [limit, full] = (Object.entries(fills) as [Limit, number][]).reduce((most, one) =>
    one[1] > most[1] ? one : most,
  );
  return { limit: NAMES[limit], full };
}

export const gb = (bytes: number): string =>
  bytes >= 1e12 ? `${(bytes / 1e12).toFixed(1)} TB` : `${(bytes / 1e9).toFixed(1)} GB`;
