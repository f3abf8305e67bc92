import type pg from "pg";

/** A table and its stored columns, in order. */
export interface Table {
  name: string;
  columns: string[];
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Returns the tables of the schema. A table comes after all tables that it refers to. `migrations` is left out, because it describes the
 * schema and not its data.
 */
export async function tablesOf(client: pg.ClientBase): Promise<(Table & { numbered: string[] })[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; numbered: string[]; needs: string[] }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' order by a.attnum) as columns,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.atttypid = 'xid8'::regtype) as numbered,
      array(select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
    order by c.relname`);
  const ordered: typeof rows = [];
  while (ordered.length < rows.length) {
    const ready = rows.filter(
      (table) => !ordered.includes(table) && table.needs.every((name) => ordered.some((one) => one.name === name)),
    );
    if (ready.length === 0) throw new Error("tables refer to each other in a circle: they can't be put in an order");
    ordered.push(...ready);
  }
  return ordered;
}
