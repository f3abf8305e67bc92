import type { Metrics } from "@tidings/contract/facts/activity";
import type { Breakdown, BreakdownExportQuery, Series } from "@tidings/contract/facts/analytics";
import type { Queries } from "../platform/db/index.ts";
import { csvLine } from "../platform/transfer/csv.ts";
import type { NamesOf } from "../workspaces/index.ts";
import { breakdownOf } from "./breakdown.ts";
import { METRICS } from "./counts-store.ts";

const PAGE = 1_000;

const numbers = (row: Metrics): string[] => METRICS.map((metric) => String(row[metric]));

/** Yields a line for each bucket, or for each bucket of each channel or source. */
export async function* seriesLines(
  { data, parts }: Series,
  by: "channel" | "source" | undefined,
): AsyncGenerator<string> {
  yield csvLine([...(by ? [by] : []), "start", "end", ...METRICS]);
  for (const part of by && parts ? parts : [{ data }])
    for (const row of part.data)
      yield csvLine([...(by && "totals" in part ? [part[by] ?? ""] : []), row.start, row.end, ...numbers(row)]);
}

/** Yields a line for each channel, kind of source or source. */
export async function* breakdownLines(
  q: Queries,
  workspaceId: string,
  query: BreakdownExportQuery,
  namesOf: NamesOf,
): AsyncGenerator<string> {
  const { by = "channel" } = query;
  const keys = by === "source_id" ? (["source", "source_id", "name"] as const) : [by];
  yield csvLine([...keys, ...METRICS]);
  let cursor: string | null = null;
  do {
    const asked = { ...query, ...(cursor !== null && { cursor }) };
    const { data, next_cursor }: Breakdown = await breakdownOf(q, workspaceId, { query: asked, limit: PAGE, namesOf });
    yield data.map((row) => csvLine([...keys.map((key) => row[key] ?? ""), ...numbers(row)])).join("");
    cursor = next_cursor;
  } while (cursor !== null);
}
