import pg from "pg";

/**
 * Whether the tests run on a cluster. What tests of plans, of triggers, of positions of rows and of statements in their number say is said of one
 * PostgreSQL.
 */
export const inShards = process.env.CITUS_URL !== undefined;

/** PL/pgSQL that fails as the coordinator of a cluster does where another node refuses a statement. */
export const NODE_REFUSES = "raise exception 'connection to the remote node failed' using errcode = '08006';";

/** Where the databases of a run are created: on each node, the coordinator first. One PostgreSQL is one node. */
export type Nodes = readonly [admin: string, ...workers: string[]];

/** Returns the nodes of the cluster of Citus whose coordinator this is. */
export async function nodesOf(coordinator: string): Promise<Nodes> {
  const workers = await query<{ host: string; port: number }>(
    coordinator,
    "select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and isactive order by nodeid",
  );
  const at = ({ host, port }: { host: string; port: number }) =>
    Object.assign(new URL(coordinator), { hostname: host, port: String(port) }).href;
  return [coordinator, ...workers.map(at)];
}

/** Makes an empty database a coordinator with workers: databases of this name on the same nodes. */
export async function join(nodes: Nodes, name: string): Promise<void> {
  const [coordinator, ...workers] = nodes.map((node) => databaseAt(node, name));
  for (const node of [coordinator, ...workers]) await query(node as string, "create extension citus");
  const { hostname, port } = new URL(coordinator as string);
  await query(coordinator as string, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const node of workers.map((worker) => new URL(worker)))
    await query(coordinator as string, `select citus_add_node('${node.hostname}', ${node.port})`);
}

/** Ends all connections to a template, also Citus's own: a database that somebody uses can't be cloned. */
export async function close(nodes: Nodes, name: string): Promise<void> {
  for (const node of nodes) {
    await query(node, `alter database ${name} allow_connections false`);
    await query(node, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
  }
}

export const databaseAt = (admin: string, name: string): string =>
  Object.assign(new URL(admin), { pathname: `/${name}` }).href;

export async function query<R extends pg.QueryResultRow>(url: string, statement: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<R>(statement).finally(() => client.end())).rows;
}
