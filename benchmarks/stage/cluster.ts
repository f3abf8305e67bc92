import { randomBytes } from "node:crypto";
import pg from "pg";
import { childrenCpu } from "../processes/cpu.ts";
import { tidings } from "./service.ts";
import type { Place } from "./stage.ts";

/** Of each table. */
const SHARDS = 8;

/**
 * Creates a database in shards on a cluster of Citus whose nodes are on this machine: their CPU is that of their processes.
 * @param coordinator the address of a superuser on the coordinator
 */
export async function placeInShards(coordinator: string): Promise<Place> {
  const nodes = [coordinator, ...(await workersOf(coordinator))];
  const name = `tidings_bench_${randomBytes(5).toString("hex")}`;
  const url = at(coordinator, { pathname: `/${name}` });
  const env = { DATABASE_URL: url, ENCRYPTION_KEY: randomBytes(32).toString("base64") };
  const stop = async () => {
    // Citus's own processes use it, too, and come back: first nobody may connect.
    for (const node of nodes) await query(node, `alter database ${name} allow_connections false`);
    for (const node of nodes) await query(node, `drop database ${name} with (force)`);
  };
  try {
    await joined(nodes, name);
    await tidings(env, "migrate");
    await tidings(env, "distribute", "--shards", String(SHARDS));
    const pids = await Promise.all(nodes.map(pidOf));
    const databaseCpu = () => pids.map(childrenCpu).reduce((sum, cpu) => sum + cpu, 0);
    return { env, url: () => url, databaseCpu, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/** Creates the database on each node; that on the first one becomes the coordinator of the others. */
async function joined(nodes: string[], name: string): Promise<void> {
  for (const node of nodes) {
    await query(node, `create database ${name}`);
    await query(at(node, { pathname: `/${name}` }), "create extension citus");
  }
  const [coordinator, ...workers] = nodes.map((node) => new URL(at(node, { pathname: `/${name}` })));
  const self = coordinator as URL;
  await query(self.href, `select citus_set_coordinator_host('${self.hostname}', ${self.port})`);
  for (const { hostname, port } of workers) await query(self.href, `select citus_add_node('${hostname}', ${port})`);
}

async function workersOf(coordinator: string): Promise<string[]> {
  const rows = await query<{ hostname: string; port: string }>(
    coordinator,
    "select nodename as hostname, nodeport::text as port from pg_dist_node where groupid <> 0 and isactive order by nodeid",
  );
  if (rows.length === 0) throw new Error(`${coordinator} is no coordinator of Citus with workers`);
  return rows.map((worker) => at(coordinator, worker));
}

/** Returns the process of a node's PostgreSQL. */
async function pidOf(node: string): Promise<number> {
  const [row] = await query<{ file: string }>(node, "select pg_read_file('postmaster.pid') as file");
  return Number.parseInt(row?.file ?? "", 10);
}

const at = (url: string, part: Partial<Pick<URL, "hostname" | "port" | "pathname">>): string =>
  Object.assign(new URL(url), part).href;

async function query<R extends pg.QueryResultRow>(url: string, statement: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<R>(statement).finally(() => client.end())).rows;
}
