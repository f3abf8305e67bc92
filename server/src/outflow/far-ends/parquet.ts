import type { DestinationTable } from "@tidings/contract/destinations";
import { type BasicType, ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { nextTurn } from "../../platform/turns.ts";
import { type ColumnType, columns, type Row } from "./columns.ts";
import type { Body } from "./far-end.ts";

/** How many rows are written in one go: 500 of the widest table take 10 ms. */
const GROUP = 500;

const TYPES: Record<ColumnType, BasicType> = { text: "STRING", integer: "INT64", time: "TIMESTAMP", json: "JSON" };

/** Values as the writer takes them. */
const writtenAs: Record<ColumnType, (value: never) => unknown> = {
  text: (value) => value,
  integer: (value: number) => BigInt(value),
  time: (value: string) => new Date(value),
  json: (value) => value,
};

/** Returns a body that is a Parquet file, compressed with Snappy. Times are milliseconds of UTC; JSON is its text. */
export function parquetBody(table: DestinationTable): Body {
  const dataOf = (group: Row[]) =>
    Object.entries(columns[table]).map(([name, type]) => ({
      name,
      type: TYPES[type],
      nullable: true,
      data: group.map((row) => (row[name] === null ? null : writtenAs[type](row[name] as never))),
    }));
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: dataOf([]) }) });
  return {
    async add(rows) {
      const before = writer.offset;
      for (let at = 0; at < rows.length; at += GROUP) {
        await nextTurn();
        file.write({ columnData: dataOf(rows.slice(at, at + GROUP)), rowGroupSize: GROUP });
      }
      return writer.offset - before;
    },
    async end() {
      file.finish();
      return Buffer.from(writer.getBuffer());
    },
  };
}
