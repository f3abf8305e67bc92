import type { Breakdown, BreakdownRow } from "@tidings/contract/facts/analytics";
import { useState } from "react";
import type { Static } from "typebox";
import { useRead } from "../platform/call/queries.ts";

type Row = Static<typeof BreakdownRow>;
const WEEK_MS = 7 * 86_400_000;
/** The most that one answer holds: transactionals that sent less than those are unlikely to be looked at. */
const MOST = 200;

/** Returns what became of the deliveries of each transactional in 7 days, by its id. One call for all rows of a list. */
export function useWeek(): ReadonlyMap<string, Row> | undefined {
  const [from] = useState(() => new Date(Date.now() - WEEK_MS).toISOString());
  const query = { source: "transactional", by: "source_id", sort: "-sent", from, limit: MOST };
  const { data } = useRead<Static<typeof Breakdown>>("/analytics/metrics", query);
  return data && new Map(data.data.map((row) => [row.source_id ?? "", row]));
}
