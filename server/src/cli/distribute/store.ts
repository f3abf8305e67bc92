import type pg from "pg";
import { quoted } from "../connect/tables.ts";

// What puts a database on Citus (docs/decisions/0059-statements-for-shards.md): tables of people in shards by person_key, the tables that
// statements about people read too on each node, all others on the coordinator.

/** The column by whose value a row finds its shard. Rows of one person are on one node, in all tables. */
const KEY = "person_key";

/** Tables that statements over people read too. Each node has all of their rows, so that every shard can join them. */
const EVERYWHERE = ["workspaces", "topics", "audiences", "in_app_message_versions", "campaigns", "campaign_versions"];

/** The triggers that count deliveries. Citus allows none on tables in shards: there analytics counts the deliveries themselves. */
const COUNTING = "deliveries_count_%";

/** The cluster as this node knows it. */
export interface Cluster {
  /** The version of Citus here, such as "13.2-1"; null where the extension was not created in this database. */
  version: string | null;
  /** Whether this node is the coordinator. */
  coordinates: boolean;
  /** The active nodes that take shards. */
  takers: number;
  /** Into how many shards people are spread; null where they are not. */
  shards: number | null;
  /** Whether Citus looks for transactions of several nodes that wait for each other. */
  endsDeadlocks: boolean;
}

const WITHOUT_CITUS: Cluster = { version: null, coordinates: false, takers: 0, shards: null, endsDeadlocks: false };

export async function clusterOf(client: pg.ClientBase): Promise<Cluster> {
  const {
    rows: [extension],
  } = await client.query<{ version: string }>("select extversion as version from pg_extension where extname = 'citus'");
  if (!extension) return WITHOUT_CITUS;
  const { rows } = await client.query<Cluster>(
    `select $1::text as version,
       (select groupid = 0 from pg_dist_local_group) as coordinates,
       (select count(*)::int from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards) as takers,
       (select count(*)::int from pg_dist_shard s where s.logicalrelid = to_regclass('public.people') and exists (
         select from pg_dist_partition p where p.logicalrelid = s.logicalrelid and p.partmethod = 'h')) as shards,
       current_setting('citus.distributed_deadlock_detection_factor')::float > 0 as "endsDeadlocks"`,
    [extension.version],
  );
  const found = rows[0] ?? WITHOUT_CITUS;
  return { ...found, shards: found.shards || null };
}

/** What is still to do for a table. */
export interface Step {
  /** `uncount`: remove the triggers that count; `copy`: to each node; `spread`: into shards; `clear`: remove the rows that the coordinator kept */
  what: "uncount" | "copy" | "spread" | "clear";
  table: string;
  /** The size of the table on this node now, with its indexes. */
  bytes: number;
}

/**
 * Returns what is still to do, in its order; nothing where all is done. It reads the catalog alone, so a run that was cut off goes on where it was, and a
 * table of a later migration is found.
 */
export async function remaining(client: pg.ClientBase): Promise<Step[]> {
  const { rows } = await client.query<Step>(
    `with tables as (
       select c.oid, c.relname::text as name, pg_total_relation_size(c.oid)::float as bytes, pg_relation_size(c.oid) > 0 as has_rows,
         exists (select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
           where i.indrelid = c.oid and i.indisprimary and a.attname = $1) as of_people,
         exists (select from pg_dist_partition p where p.logicalrelid = c.oid and (p.partmethod = 'h' or p.repmodel = 't')) as placed
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r')
     select what, "table", bytes from (
     select 'uncount' as what, t.name as table, t.bytes, 0 as turn from tables t
     where exists (select from pg_trigger g where g.tgrelid = t.oid and g.tgname like $3)
     union all select 'copy', name, bytes, 1 from tables where name = any($2::text[]) and not placed
     union all select 'spread', name, bytes, case when name = 'people' then 2 else 3 end from tables where of_people and not placed
     union all select 'clear', name, bytes, 4 from tables where of_people and (has_rows or not placed)) steps
     order by turn, array_position($2::text[], "table"), "table"`,
    [KEY, EVERYWHERE, COUNTING],
  );
  return rows;
}

/** Does one step. Each is a transaction of its own, and has no effect if it is cut off. @param shards for the table of people, which others follow */
export async function doStep(client: pg.ClientBase, { what, table }: Step, shards: number): Promise<void> {
  const name = `public.${quoted(table)}`;
  if (what === "uncount") return uncount(client, table);
  if (what === "copy") await client.query("select create_reference_table($1)", [name]);
  else if (what === "clear") await client.query("select truncate_local_data_after_distributing_table($1)", [name]);
  else if (table === "people")
    await client.query("select create_distributed_table($1, $2, colocate_with => 'none', shard_count => $3)", [
      ...[name, KEY],
      shards,
    ]);
  else await client.query("select create_distributed_table($1, $2, colocate_with => 'public.people')", [name, KEY]);
}

async function uncount(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select tgname::text as name from pg_trigger where tgrelid = $1::regclass and tgname like $2",
    [`public.${quoted(table)}`, COUNTING],
  );
  for (const { name } of rows) await client.query(`drop trigger if exists ${quoted(name)} on public.${quoted(table)}`);
}
