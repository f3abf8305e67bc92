import type { DestinationCredentials, DestinationSettings, DestinationTable } from "@tidings/contract/destinations";
import type { FetchOut, OutboundRequest } from "../../platform/outbound-http/index.ts";
import { scrubber } from "../../platform/scrub.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { answered, type FarEnd, TIMEOUT_MS } from "./far-end.ts";
import { flatLine, packedLines } from "./formats.ts";

/** Inserts each batch into the table of its name. ClickHouse knows a repeat by its token. */
export function clickhouseFarEnd(
  { fetchOut, clock }: { fetchOut: FetchOut; clock: Clock },
  { url, database, table_prefix = "", user }: DestinationSettings["clickhouse"],
  { password }: DestinationCredentials["clickhouse"],
): FarEnd {
  const scrub = scrubber([password]);
  // The contract allows letters, digits and _ only.
  const nameOf = (table: DestinationTable) => `\`${database}\`.\`${table_prefix}${table}\``;

  async function ask(query: string, settings: Record<string, string>, request: OutboundRequest = {}): Promise<void> {
    const address = new URL(url);
    for (const [name, value] of Object.entries({ query, ...settings })) address.searchParams.set(name, value);
    const call = fetchOut(address, {
      method: "POST",
      timeoutMs: TIMEOUT_MS,
      maxBytes: 16_384,
      cut: true,
      ...request,
      headers: { "x-clickhouse-user": user, "x-clickhouse-key": password, ...request.headers },
    });
    await answered(call, { expected: [200], said: ({ body }) => scrub(body.toString("utf8")), now: clock.now() });
  }

  return {
    begin: (table) => packedLines(flatLine(table)),
    async send({ table, name, body, signal }) {
      await ask(
        `INSERT INTO ${nameOf(table)} FORMAT JSONEachRow`,
        {
          insert_deduplicate: "1",
          insert_deduplication_token: `${table}-${name}`,
          // Answered after the rows are stored, also where the server gathers inserts.
          wait_for_async_insert: "1",
          date_time_input_format: "best_effort",
          // A table may lack columns that nobody there needs.
          input_format_skip_unknown_fields: "1",
        },
        {
          headers: { "content-encoding": "gzip" },
          body,
          signal,
        },
      );
    },
    async test(tables) {
      for (const table of tables) await ask(`SELECT 1 FROM ${nameOf(table)} LIMIT 0`, {});
    },
  };
}
