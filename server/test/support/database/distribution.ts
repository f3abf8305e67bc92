import pg from "pg";

// Puts a database on Citus, for tests: tables of people by person_key, what all of them join on each node, all others on the coordinator.

/** The column by whose value a row finds its shard. Rows of one person are on one node, in all tables. */
const KEY = "person_key";

/** Tables that statements over people read too. Each node has all of their rows, so that every shard can join them. */
const EVERYWHERE = ["workspaces", "topics", "audiences", "in_app_message_versions", "campaigns", "campaign_versions"];

/** What is still to do for a table. */
interface Step {
  /** `spread`: into shards; `copy`: to each node */
  what: "spread" | "copy";
  table: string;
}

/** Returns what is still to do, in its order; nothing where all is done. It reads the catalog alone, so a run that was cut off goes on where it was. */
async function remaining(client: pg.ClientBase): Promise<Step[]> {
  const { rows } = await client.query<Step>(
    `select case when kind.what is null then 'copy' else kind.what end as what, c.relname::text as table
     from pg_class c
     cross join lateral (select case when exists (
       select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
       where i.indrelid = c.oid and i.indisprimary and a.attname = $1) then 'spread' end as what) kind
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and (kind.what = 'spread' or c.relname = any($2::text[]))
       and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid
         and (p.partmethod = 'h' or p.repmodel = 't'))
     order by kind.what, array_position($2::text[], c.relname::text), c.relname <> 'people', c.relname`,
    [KEY, EVERYWHERE],
  );
  return rows;
}

/** Does one step. It is a transaction of its own. */
async function doStep(client: pg.ClientBase, { what, table }: Step): Promise<void> {
  const name = `public.${table}`;
  if (what === "copy") await client.query("select create_reference_table($1)", [name]);
  else if (table === "people")
    await client.query("select create_distributed_table($1, $2, colocate_with => 'none')", [name, KEY]);
  else await client.query("select create_distributed_table($1, $2, colocate_with => 'public.people')", [name, KEY]);
}

/** Distributes what is not distributed yet. Citus allows no triggers on shards, so deliveries are not counted there. */
export async function distributeAll(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const when of ["insert", "update", "delete", "truncate"])
      await client.query(`drop trigger if exists deliveries_count_${when} on deliveries`);
    for (const step of await remaining(client)) await doStep(client, step);
  } finally {
    await client.end();
  }
}
