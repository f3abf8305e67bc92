import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { atEnd } from "../wait.ts";

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
type Row = any;

export interface ClickHouseEmulator {
  url: string;
  /** The rows of each table, `database.table`, in the order of their inserts. */
  tables: Record<string, Row[]>;
  /** The tokens of the inserts that were stored. */
  tokens: Set<string>;
  /** The faults of the next inserts: no answer after the rows are stored, or an error before. */
  faults: ("lost" | "error")[];
}

/** The HTTP interface of a ClickHouse with the tables of the user `tidings`: inserts with tokens, and `select 1`. */
export async function clickhouseEmulator(password: string, tables: string[]): Promise<ClickHouseEmulator> {
  const it: ClickHouseEmulator = {
    url: "",
    tables: Object.fromEntries(tables.map((name) => [name, []])),
    tokens: new Set(),
    faults: [],
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { searchParams: asked } = new URL(request.url ?? "", "http://ch");
    const fault = (status: number, text: string) => response.writeHead(status).end(`Code: ${text}\n`);
    if (request.headers["x-clickhouse-user"] !== "tidings" || request.headers["x-clickhouse-key"] !== password)
      return fault(
        516,
        `516. DB::Exception: tidings: Authentication failed with ${request.headers["x-clickhouse-key"]}`,
      );
    const [, verb, database, table] =
      /^(INSERT INTO|SELECT 1 FROM) `(\w+)`\.`(\w+)` (?:FORMAT JSONEachRow|LIMIT 0)$/.exec(asked.get("query") ?? "") ??
      [];
    const rows = it.tables[`${database}.${table}`];
    if (!rows) return fault(404, `60. DB::Exception: Table ${database}.${table} does not exist. (UNKNOWN_TABLE)`);
    if (verb === "SELECT 1 FROM") return response.writeHead(200).end();
    const how = it.faults.shift();
    if (how === "error") return fault(500, "241. DB::Exception: Memory limit exceeded");
    const token = asked.get("insert_deduplication_token") ?? "";
    if (!it.tokens.has(token))
      rows.push(
        ...gunzipSync(Buffer.concat(chunks))
          .toString("utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
      );
    it.tokens.add(token);
    if (how === "lost") return request.socket.destroy();
    return response.writeHead(200).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  atEnd(() => new Promise((done) => server.close(() => done(undefined)).closeAllConnections()));
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return it;
}
