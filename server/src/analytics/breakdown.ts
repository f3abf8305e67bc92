import type { Metrics } from "@tidings/contract/facts/activity";
import type { Breakdown, BreakdownExportQuery, BreakdownQuery } from "@tidings/contract/facts/analytics";
import { sourceText } from "../activity/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { badParameter, page } from "../platform/http/index.ts";
import { sortedBy } from "../platform/resources/sorts.ts";
import type { NamesOf } from "../workspaces/index.ts";
import { bySource, groups, METRICS, NO_SOURCE, type SourceGroup, totals } from "./counts-store.ts";
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

const NEWEST = "-created_at";
const SORTS = { sorts: [...METRICS, NEWEST.slice(1)], defaultSort: NEWEST };

/** What a breakdown is asked for: a page of it, and who names its sources. */
export interface BreakdownPage {
  query: Omit<BreakdownQuery, "limit">;
  limit: number;
  namesOf: NamesOf;
}

/**
 * Returns the numbers of a workspace, or of a part of it, in all and by channel, kind of source or source. Only a breakdown by source
 * is sorted, and may have more than one page.
 * @throws Problem invalid_request for a sort of something else, or a cursor of another sort
 */
export async function breakdownOf(
  q: Queries,
  workspaceId: string,
  { query, limit, namesOf }: BreakdownPage,
): Promise<Breakdown> {
  const [scope, period] = [scopeOf(workspaceId, query), periodOf(query)];
  const { by = "channel", sort, cursor } = query;
  for (const [name, value] of Object.entries({ sort, cursor }))
    if (value !== undefined && by !== "source_id") throw badParameter(name, "needs by=source_id");
  const summary = {
    from: period.from?.toISOString() ?? null,
    to: period.to?.toISOString() ?? null,
    totals: await totals(q, scope, period),
  };
  if (by !== "source_id") return { ...summary, data: await groups(q, scope, period, by), next_cursor: null };
  const sorted = sortedBy(SORTS, { sort, cursor }, (name) => [...(isMetric(name) ? WHOLE : []), "uuid", "text"]);
  const { descending, after, name } = sorted;
  const metric = isMetric(name) ? name : undefined;
  const rows = await bySource(q, scope, { period, sort: { metric, descending }, after, limit: limit + 1 });
  const key = (row: SourceGroup) =>
    sorted.cursorOf([...(metric ? [String(row[metric])] : []), row.source_id, row.source]);
  const { data, next_cursor } = page(rows, limit, key, sourceView);
  const names = await namesOf(
    q,
    workspaceId,
    data.map((row) => row.source_id).filter((id) => id !== null),
  );
  return {
    ...summary,
    data: data.map((row) => ({ ...row, name: names.get(row.source_id ?? "") ?? null })),
    next_cursor,
  };
}

const WHOLE = ["whole"] as const;
const isMetric = (name: string): name is keyof Metrics => METRICS.some((metric) => metric === name);

const sourceView = ({ source_id: id, source, ...numbers }: SourceGroup) => ({
  source,
  source_id: id === NO_SOURCE ? null : sourceText(source, id),
  ...numbers,
});
