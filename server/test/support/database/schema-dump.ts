import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../../../src/platform/db/index.ts";
import { startEmbedded } from "../../../src/platform/embedded/index.ts";

// server/schema.sql is the schema after all migrations, in one readable file. `--write` writes it; without it the file is
// compared. It is read from the catalogs, because the PostgreSQL from npm has no pg_dump.

const FILE = new URL("../../../schema.sql", import.meta.url);
const HEAD = "-- The schema as the migrations leave it, for reading. Written by `npm run schema:dump`; do not edit.\n";

interface Column {
  name: string;
  type: string;
  required: boolean;
  generated: boolean;
  otherwise: string | null;
}

/** Returns every table of Tidings with its columns, constraints and indexes, sorted by name. pg-boss manages its own schema. */
async function schemaOf(client: pg.Client): Promise<string> {
  const tables = await client.query<{ oid: number; name: string; options: string[] | null }>(`
    select c.oid, c.relname as name, c.reloptions as options from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`);
  const parts: string[] = [];
  for (const table of tables.rows) {
    const columns = await client.query<Column>(
      `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
         a.attgenerated <> '' as generated,
         pg_get_expr(d.adbin, d.adrelid) as otherwise
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`,
      [table.oid],
    );
    // 'n' is "not null", which PostgreSQL 18 lists as a constraint and earlier ones do not.
    const constraints = await client.query<{ text: string }>(
      `select 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as text
       from pg_constraint where conrelid = $1 and contype <> 'n' order by contype = 'p' desc, conname`,
      [table.oid],
    );
    const indexes = await client.query<{ text: string }>(
      `select pg_get_indexdef(i.indexrelid) as text from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = $1 and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
       order by c.relname`,
      [table.oid],
    );
    const lines = [...columns.rows.map(columnLine), ...constraints.rows.map((row) => row.text)];
    const options = table.options ? ` with (${table.options.toSorted().join(", ")})` : "";
    parts.push(`create table ${table.name} (\n${lines.map((line) => `  ${line}`).join(",\n")}\n)${options};\n`);
    parts.push(indexes.rows.map((row) => `${row.text};\n`).join(""));
  }
  const others = await client.query<{ text: string }>(`
    (select pg_get_functiondef(p.oid) as text from pg_proc p where p.pronamespace = 'public'::regnamespace order by p.proname)
    union all
    (select pg_get_triggerdef(t.oid, true) from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by t.tgname)
  `);
  return `${HEAD}\n${[...parts, ...others.rows.map((row) => `${row.text};\n`)].filter(Boolean).join("\n")}`;
}

function columnLine({ name, type, required, generated, otherwise }: Column): string {
  const value = generated ? `generated always as ${otherwise} stored` : `default ${otherwise}`;
  return `${name} ${type}${required ? " not null" : ""}${otherwise === null ? "" : ` ${value}`}`;
}

/** Returns the schema of a new database after the migrations, in a PostgreSQL of its own. */
async function migratedSchema(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tidings-schema-"));
  const embedded = await startEmbedded(folder, { durable: false });
  try {
    await migrate(embedded.url);
    const client = new pg.Client({ connectionString: embedded.url });
    await client.connect();
    return await schemaOf(client).finally(() => client.end());
  } finally {
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const now = await migratedSchema();
if (process.argv.includes("--write")) {
  await writeFile(FILE, now);
} else {
  const kept = await readFile(FILE, "utf8").catch(() => "");
  if (kept !== now) {
    const had = new Set(kept.split("\n"));
    const has = new Set(now.split("\n"));
    for (const line of had) if (!has.has(line)) console.error(`- ${line}`);
    for (const line of has) if (!had.has(line)) console.error(`+ ${line}`);
    console.error("server/schema.sql is not what the migrations make: run `npm run schema:dump` and commit it");
    process.exit(1);
  }
  console.log("server/schema.sql agrees with the migrations");
}
