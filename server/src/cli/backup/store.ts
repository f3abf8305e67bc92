import type pg from "pg";
import { quoted, type Table } from "../connect/tables.ts";

/** A new PostgreSQL has used more transaction numbers than this when it is ready, so its own come after those of a backup. */
const MOST_NUMBERS = 500;

/** The tables with entries of the log, and the columns with the transactions that wrote them. */
const LOG: Record<string, string[]> = { activity: ["txid"], deliveries: ["queued_txid", "expired_txid"] };

/**
 * Transaction numbers mean nothing in another PostgreSQL. The log is numbered anew in its order, which both of its tables share: readers sort the entries of
 * one number, so they must not have one number all. Other numbers become 0.
 */
const BOUNDS = `
  select workspace_id, percentile_disc(array(select n / ${MOST_NUMBERS - 1}::float8 from generate_series(1, ${MOST_NUMBERS - 2}) n))
    within group (order by txid) as bounds
  from (${Object.entries(LOG)
    .flatMap(([table, columns]) =>
      columns.map((column) => `select workspace_id, ${column} as txid from ${table} where ${column} is not null`),
    )
    .join(" union all ")}) log group by workspace_id`;

export function copyOut({ name, columns, numbered }: Table & { numbered: string[] }): string {
  const ofLog = LOG[name] ?? [];
  const values = columns.map((column) => {
    if (!numbered.includes(column)) return `t.${quoted(column)}`;
    if (!ofLog.includes(column)) return `'0'::xid8 as ${quoted(column)}`;
    return `case when t.${column} is not null then (1 + width_bucket(t.${column}, b.bounds))::text::xid8 end as ${column}`;
  });
  const join = ofLog.length === 0 ? "" : `left join (${BOUNDS}) b on b.workspace_id = t.workspace_id`;
  return `copy (select ${values.join(", ")} from ${quoted(name)} t ${join}) to stdout`;
}

export const copyIn = ({ name, columns }: Table): string =>
  `copy ${quoted(name)} (${columns.map(quoted).join(", ")}) from stdin`;

/** Disables or enables triggers. They count changes, and the counts are restored like all rows. */
export const triggers = ({ name }: Table, on: boolean): string =>
  `alter table ${quoted(name)} ${on ? "enable" : "disable"} trigger user`;

export async function migrationsOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from migrations order by name");
  return rows.map(({ name }) => name);
}

export async function sequencesOf(client: pg.ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    "select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'",
  );
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

export const setSequence = (client: pg.ClientBase, name: string, last: string) =>
  client.query("select setval($1::regclass, $2::bigint)", [`public.${quoted(name)}`, last]);

/** Makes webhooks continue with the events from now on: their positions are transaction numbers of the other PostgreSQL. */
export const webhooksFromNow = (client: pg.ClientBase) =>
  client.query(`update webhooks set txid = '${MOST_NUMBERS}', event_id = '00000000-0000-0000-0000-000000000000'`);

/** Makes export destinations continue so too. What they had not sent when the backup was made is a gap. */
export const streamsFromNow = (client: pg.ClientBase) =>
  client.query(`
    update export_cursors set place = '{"log": {"txid": "${MOST_NUMBERS}", "id": "00000000-0000-0000-0000-000000000000"}}',
      planned = null, gap_from = coalesce(gap_from, sent_until, 'epoch'), gap_until = now(), sent_until = now()`);

/** Returns the first table with a row in it, or undefined if all tables are empty. */
export async function filledTable(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'migrations'",
  );
  for (const { name } of rows) {
    const found = await client.query(`select 1 from ${quoted(name)} limit 1`);
    if (found.rows.length > 0) return name;
  }
  return undefined;
}

/** Removes everything that the migrations created, and the tables of background jobs, which are created again. The schema itself stays: it may belong to somebody else. */
export async function clear(client: pg.ClientBase): Promise<void> {
  await client.query("drop schema if exists pgboss cascade");
  const { rows } = await client.query<{ drop: string }>(`
    select format('drop table if exists %s cascade', c.oid::regclass) as drop
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    union all
    select format('drop routine if exists %s cascade', p.oid::regprocedure)
    from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
  for (const { drop } of rows) await client.query(drop);
}
