import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { inTurns } from "../../platform/turns.ts";
import { columns, type Row } from "./columns.ts";
import type { Sending } from "./far-end.ts";
import { parquetOf } from "./parquet.ts";

const pack = promisify(gzip);

/** Returns a batch as a file of this format, with its content type. */
export async function encoded(
  format: "ndjson.gz" | "parquet",
  { table, rows, lines }: Sending,
): Promise<{ body: Buffer; type: string }> {
  if (format === "parquet") return { body: await parquetOf(table, rows), type: "application/vnd.apache.parquet" };
  return { body: await pack(`${lines.join("\n")}\n`), type: "application/gzip" };
}

/** Returns the lines with JSON as its text, for columns that hold text only. */
export async function flatLines({ table, rows, lines }: Sending): Promise<string> {
  const nested = Object.entries(columns[table]).flatMap(([name, type]) => (type === "json" ? [name] : []));
  if (nested.length === 0) return lines.join("\n");
  const flat = (row: Row) =>
    JSON.stringify({ ...row, ...Object.fromEntries(nested.map((name) => [name, JSON.stringify(row[name])])) });
  return (await inTurns(rows, flat)).join("\n");
}
