import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { DestinationTable } from "@tidings/contract/destinations";
import { nextTurn } from "../../platform/turns.ts";
import { columns, type Row } from "./columns.ts";
import type { Body } from "./far-end.ts";
import { parquetBody } from "./parquet.ts";

const pack = promisify(gzip);

/** How long rows are written in one go. Streams are never urgent: a sync waits less than for most other work. */
const GO_MS = 2;

/** The formats of a file, with their content types. */
export const FORMATS = {
  "ndjson.gz": { type: "application/gzip", begin: () => packedLines(JSON.stringify) },
  parquet: { type: "application/vnd.apache.parquet", begin: parquetBody },
} satisfies Record<string, { type: string; begin(table: DestinationTable): Body }>;

/** Returns a body of lines of JSON, packed by gzip. */
export function packedLines(lineOf: (row: Row) => string): Body {
  const pieces: Buffer[] = [];
  return {
    async add(rows) {
      let [bytes, lines, since] = [0, "", performance.now()];
      const put = () => {
        const piece = Buffer.from(lines);
        pieces.push(piece);
        bytes += piece.length;
        lines = "";
      };
      for (const row of rows) {
        if (performance.now() - since > GO_MS) {
          put();
          await nextTurn();
          since = performance.now();
        }
        lines += `${lineOf(row)}\n`;
      }
      put();
      return bytes;
    },
    end: () => pack(Buffer.concat(pieces)),
  };
}

/** Returns the function that makes a line in which JSON is a text, for columns that hold text only. */
export function flatLine(table: DestinationTable): (row: Row) => string {
  const nested = Object.entries(columns[table]).flatMap(([name, type]) => (type === "json" ? [name] : []));
  if (nested.length === 0) return JSON.stringify;
  return (row) =>
    JSON.stringify({ ...row, ...Object.fromEntries(nested.map((name) => [name, JSON.stringify(row[name])])) });
}
