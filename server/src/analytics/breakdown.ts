import type { Breakdown, BreakdownExportQuery } from "@tidings/contract/facts/analytics";
import { sourceText } from "../activity/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { badParameter, page } from "../platform/http/index.ts";
import { bySource, groups, NO_SOURCE, type SourceGroup, totals } from "./counts-store.ts";
import type { Period } from "./period.ts";
import { rangeEnd, scopeOf } from "./series.ts";

const QUARTER_MS = 900_000;
const quarter = (instant: Date | undefined, round: (n: number) => number): Date | null =>
  instant === undefined ? null : new Date(round(instant.getTime() / QUARTER_MS) * QUARTER_MS);

/** @throws Problem invalid_request for an empty range */
export function periodOf(query: BreakdownExportQuery): Period {
  const [from, to] = [rangeEnd("from", query.from), rangeEnd("to", query.to)];
  if (from && to && from >= to) throw badParameter("from", "must be before `to`");
  return { from: quarter(from, Math.floor), to: quarter(to, Math.ceil) };
}

const sourceView = ({ source_id: id, source, ...numbers }: SourceGroup) => ({
  source,
  source_id: id === NO_SOURCE ? null : sourceText(source, id),
  ...numbers,
});

/**
 * Returns the numbers of a workspace, or of a part of it, in all and by channel, kind of source or source. Only a breakdown by source
 * may have more than one page.
 */
export async function breakdownOf(
  q: Queries,
  workspaceId: string,
  { query, after, limit }: { query: BreakdownExportQuery; after: string[] | undefined; limit: number },
): Promise<Breakdown> {
  const [scope, period] = [scopeOf(workspaceId, query), periodOf(query)];
  const { by = "channel" } = query;
  const summary = {
    from: period.from?.toISOString() ?? null,
    to: period.to?.toISOString() ?? null,
    totals: await totals(q, scope, period),
  };
  if (by !== "source_id") return { ...summary, data: await groups(q, scope, period, by), next_cursor: null };
  const rows = await bySource(q, scope, { period, after, limit: limit + 1 });
  return { ...summary, ...page(rows, limit, (row) => [row.source_id, row.source], sourceView) };
}
