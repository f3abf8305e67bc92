import { CORES_OF_A_PROCESS, type Capacity, DELETED_PER_DAY, type Limit } from "./model.ts";

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
  const { serverCores, databaseCores, installations, processes, connections } = capacity;
  const cores = serverCores.peak + databaseCores.peak;
  const ofEach = (serverCores.peak / installations).toFixed(1);
  return [
    {
      title: "a PostgreSQL of its own (DATABASE_URL)",
      needed: cores > SMALL_CORES || capacity.bytes > SMALL_DISK,
      why: `the busiest hour needs ${cores.toFixed(1)} cores and the tables ${gb(capacity.bytes)}; one machine is enough up to ${SMALL_CORES} cores and ${gb(SMALL_DISK)}`,
    },
    {
      title:
        "several installations, each with a PostgreSQL and workspaces of its own, or one on a cluster of Citus (tidings distribute)",
      needed: installations > 1,
      why: `${installations}: ${filledBy(capacity)}`,
    },
    {
      title: "several processes of an installation, with NATS for their signals (NATS_URL)",
      needed: processes > 1,
      why: `${processes}: its service needs ${ofEach} cores in the busiest hour, and a process answers late beyond ${CORES_OF_A_PROCESS}`,
    },
    {
      title: "PgBouncer (DATABASE_DIRECT_URL)",
      needed: connections.own > MOST_CONNECTIONS,
      why: `an installation has ${connections.own} connections without it, about ${connections.pooled} with it; PostgreSQL should have at most ${MOST_CONNECTIONS}`,
    },
  ];
}

const NAMES: Record<Limit, string> = {
  cores: "cores",
  disk: "disk",
  log: "write-ahead log",
  retention: `retention, which deletes at most ${DELETED_PER_DAY / 1e6} million deliveries a day`,
};

/** Names what one PostgreSQL has too little of, such as "3.1 times its disk", or else what is fullest. */
function filledBy({ fills }: Capacity): string {
  const fullest = (Object.entries(fills) as [Limit, number][]).toSorted(([, a], [, b]) => b - a);
  const tooMuch = fullest.filter(([, times]) => times > 1);
  if (tooMuch.length > 0)
    return tooMuch.map(([limit, times]) => `${times.toFixed(1)} times ${NAMES[limit]}`).join("; ");
  const [limit, full] = fullest[0] as [Limit, number];
  return `the fullest of one is its ${NAMES[limit]}, at ${(full * 100).toFixed(0)} %`;
}

export const gb = (bytes: number): string =>
  bytes >= 1e12 ? `${(bytes / 1e12).toFixed(1)} TB` : `${(bytes / 1e9).toFixed(1)} GB`;
