import pg from "pg";

/** Text that a careless format would read as its own syntax. */
const NASTY = "a\tb\\N\n\\.\nÄ😀\r\n";
const ROWS = 3;

interface Column {
  name: string;
  type: string;
}

/**
 * Inserts rows into every empty table, with any columns, in an order that its references allow. If a check needs columns
 * that fit together, `fitting` returns them.
 */
export async function fillEveryTable(
  url: string,
  tables: string[],
  fitting: Record<string, Record<string, unknown>>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const table of tables) {
      if ((await client.query(`select 1 from ${table} limit 1`)).rows.length > 0) continue;
      const columns = await columnsOf(client, table);
      const given = { ...(await wordsOf(client, table)), ...(await referencesOf(client, table)), ...fitting[table] };
      for (let row = 0; row < ROWS; row++) {
        const values = columns.map(({ name, type }) => (name in given ? given[name] : anyOf(type, row)));
        const names = columns.map(({ name }) => name).join(", ");
        const places = values.map((_, i) => `$${i + 1}`).join(", ");
        await client
          .query(`insert into ${table} (${names}) values (${places}) on conflict do nothing`, values)
          .catch((error) => {
            throw new Error(`${table}: ${error.message}`, { cause: error });
          });
      }
    }
  } finally {
    await client.end();
  }
}

const columnsOf = async (client: pg.Client, table: string): Promise<Column[]> =>
  (
    await client.query(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
  ).rows;

/** Returns the first allowed word of each column that allows certain words only. */
async function wordsOf(client: pg.Client, table: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query<{ text: string }>(
    "select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = $1::regclass and contype = 'c'",
    [table],
  );
  const found = rows.flatMap(({ text }) => [...text.matchAll(/\((\w+) = ANY \(ARRAY\['([^']*)'/g)]);
  return Object.fromEntries(found.map(([, column, word]) => [column, word]));
}

/** Returns the values of the first row that this table may refer to. */
async function referencesOf(client: pg.Client, table: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query<{ here: string; there: string; target: string }>(
    `select a.attname as here, b.attname as there, k.confrelid::regclass::text as target from pg_constraint k
     cross join lateral unnest(k.conkey, k.confkey) as u (here, there)
     join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.here
     join pg_attribute b on b.attrelid = k.confrelid and b.attnum = u.there
     where k.conrelid = $1::regclass and k.contype = 'f'`,
    [table],
  );
  const found: Record<string, unknown> = {};
  for (const { here, there, target } of rows) {
    const [row] = (await client.query(`select ${there} as value from ${target} order by 1 limit 1`)).rows;
    found[here] = row?.value;
  }
  return found;
}

function anyOf(type: string, row: number): unknown {
  if (type.endsWith("[]")) return [anyOf(type.slice(0, -2), row)];
  if (type === "uuid") return `00000000-0000-7000-8000-00000000000${row + 1}`;
  if (type === "jsonb") return JSON.stringify({ nasty: NASTY, row });
  if (type === "boolean") return row % 2 === 0;
  if (type === "bytea") return Buffer.from([0, 255, 10, 92, 46, row]);
  if (type === "date") return `2026-01-0${row + 1}`;
  if (type.startsWith("timestamp")) return `2026-01-0${row + 1}T12:34:56.789Z`;
  if (type === "text") return `${NASTY}${row}`;
  return String(row + 1);
}
