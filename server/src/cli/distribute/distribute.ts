import { parseArgs } from "node:util";
import type pg from "pg";
import { readConfig } from "../../platform/config.ts";
import { inTurn, migrate } from "../../platform/db/index.ts";
import { withAddress } from "../connect/database.ts";
import { connected, servicesOn } from "../connect/services.ts";
import { printJson } from "../terminal/columns.ts";
import { Refused } from "../terminal/refused.ts";
import { type Cluster, clusterOf, doStep, remaining, type Step } from "./store.ts";

/** Citus's own number. Two to four shards for each core that the cluster will ever have let it grow by moving shards to new nodes. */
const SHARDS = 32;
const MOST_SHARDS = 1_024;

/** The feed of events reads the numbers of prepared transactions, which Citus keeps from this version on. */
const OLDEST = [13, 1] as const;

/**
 * `tidings distribute`: puts the database on Citus. It can be cut off and run again at any time: what is done stays done, and a step that
 * was cut off had no effect. After each migration that adds a table of people it is run again.
 */
export async function distribute(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { "dry-run": { type: "boolean" }, shards: { type: "string" }, json: { type: "boolean" } },
  });
  const shards = numberOf(values.shards);
  const dry = values["dry-run"] === true;
  const tell = (line: string) => !values.json && console.log(line);
  const steps = await withAddress(readConfig(), async (url) => {
    if (!dry) await migrate(url);
    // Nobody migrates meanwhile, and a service that starts waits: it asks at its start whether the tables are in shards.
    return inTurn(url, async (client) => {
      await mayDistribute(client, shards, dry);
      return distributeAll(client, { shards: shards ?? SHARDS, dry, tell });
    });
  });
  if (values.json) return printJson({ dry_run: dry, steps });
  if (steps.length === 0) console.log("The database is on Citus: nothing is left to do.");
  else if (dry) console.log(`${steps.length} steps to do. Nothing was changed.`);
  else console.log(`${steps.length} steps done. Start the service.`);
}

interface Distributing {
  shards: number;
  /** Only tell what is to do. */
  dry?: boolean;
  tell?: (line: string) => unknown;
}

/** Does what is left to do, and returns it. */
export async function distributeAll(client: pg.ClientBase, { shards, dry, tell }: Distributing): Promise<Step[]> {
  const steps = await remaining(client);
  for (const step of steps) {
    tell?.(said(step));
    if (!dry) await doStep(client, step, shards);
  }
  return steps;
}

/** Returns how people are spread, for a check. @throws Refused with the tables that are left */
export const checkShards = (url: string): Promise<string> =>
  connected(url, async (client) => {
    const left = (await remaining(client)).filter(({ what }) => what !== "clear").map(({ table }) => table);
    if (left.length > 0) throw new Refused(`${left.join(", ")} left: stop the service and run npx tidings distribute`);
    const { shards, takers } = await clusterOf(client);
    return `people are in ${shards} shards on ${takers} nodes`;
  });

function numberOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1 || number > MOST_SHARDS)
    throw new Refused(`--shards is a whole number from 1 to ${MOST_SHARDS}`);
  return number;
}

/** @throws Refused where this database can't be distributed, with what to do */
async function mayDistribute(client: pg.ClientBase, shards: number | undefined, dry: boolean): Promise<void> {
  const cluster = await clusterOf(client);
  const why = refusal(cluster, shards);
  if (why !== undefined) throw new Refused(why);
  if (!dry && (await servicesOn(client)) > 0)
    throw new Refused(
      "a Tidings is connected to this database: stop all its processes first. They ask at their start whether the tables are in shards",
    );
}

/** Returns why the database can't be distributed, and what to do; undefined where it can. */
export function refusal(cluster: Cluster, shards: number | undefined): string | undefined {
  if (cluster.version === null)
    return "this database has no Citus: create the extension on each node and add the nodes first (docs/citus.md)";
  const [major = 0, minor = 0] = cluster.version.split(/[.-]/).map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    return `this is Citus ${cluster.version}, but Tidings needs ${OLDEST.join(".")} or newer`;
  if (!cluster.coordinates) return "this node is a worker: DATABASE_URL must lead to the coordinator";
  if (cluster.takers === 0)
    return "no node takes shards: add the workers first, select citus_add_node('HOST', PORT) (docs/citus.md)";
  if (!cluster.endsDeadlocks)
    return "citus.distributed_deadlock_detection_factor is off, so two transactions that wait for each other would wait for ever: set it to 2";
  if (shards !== undefined && cluster.shards !== null && shards !== cluster.shards)
    return `people are in ${cluster.shards} shards already: leave out --shards, or change it with Citus's alter_distributed_table`;
  return undefined;
}

const said = ({ what, table, bytes }: Step): string =>
  ({
    uncount: `remove the triggers that count ${table}: in shards they are counted when asked for`,
    copy: `give each node a copy of ${table} (${sizeOf(bytes)})`,
    spread: `spread ${table} into shards (${sizeOf(bytes)})`,
    clear: `remove the rows of ${table} that the coordinator has kept`,
  })[what];

const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
