import type { Metrics } from "@tidings/contract/facts/activity";
import type { Series, SeriesQuery } from "@tidings/contract/facts/analytics";
import { sourceOf } from "../activity/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { badParameter } from "../platform/http/index.ts";
import { parseInstant } from "../platform/time/clock.ts";
import type { Workspace } from "../workspaces/index.ts";
import { boundsOf, EARLIEST, MOST_BUCKETS } from "./buckets.ts";
import { type Scope, type SeriesRow, series } from "./counts-store.ts";
import { plus, ZEROS } from "./metrics.ts";

const HOUR_MS = 3_600_000;
const USUAL_MS = { hour: 48 * HOUR_MS, day: 30 * 24 * HOUR_MS };

/** Returns the scope of a query. */
export const scopeOf = (
  workspaceId: string,
  { channel, source, source_id }: Pick<SeriesQuery, "channel" | "source" | "source_id">,
): Scope => ({ workspaceId, channel, source, sourceId: source_id === undefined ? null : sourcesOf(source_id) });

const sourcesOf = (text: string): string | string[] => {
  const [one = "", ...more] = text.split(",").map((id) => sourceOf(id.trim()));
  return more.length === 0 ? one : [one, ...more];
};

/**
 * Parses an end of a range; undefined if it is not given.
 * @throws Problem invalid_request before the year 2000
 */
export function rangeEnd(name: "from" | "to", text: string | undefined): Date | undefined {
  const instant = text === undefined ? undefined : parseInstant(text);
  if (instant && instant < EARLIEST) throw badParameter(name, "must not be before the year 2000");
  return instant;
}

/**
 * Returns the numbers of each hour or day of a range, in the workspace's time zone, including buckets without events. The totals are
 * the sums of these buckets.
 * @throws Problem invalid_request for a range that is empty or has too many buckets
 */
export async function seriesOf(q: Queries, workspace: Workspace, query: SeriesQuery, now: Date): Promise<Series> {
  const { bucket = "day" } = query;
  const to = rangeEnd("to", query.to) ?? now;
  const from = rangeEnd("from", query.from) ?? new Date(Math.max(to.getTime() - USUAL_MS[bucket], EARLIEST.getTime()));
  if (from >= to) throw badParameter("from", "must be before `to`");
  const bounds = boundsOf(from, to, bucket, workspace.timezone);
  if (!bounds)
    throw badParameter(
      "from",
      `makes more than ${MOST_BUCKETS} buckets until \`to\`. Ask for a shorter range, or for bucket=day`,
    );
  const rows = await series(q, scopeOf(workspace.id, query), { bounds, by: query.by });
  const { by } = query;
  return {
    from: (bounds[0] as Date).toISOString(),
    to: (bounds.at(-1) as Date).toISOString(),
    bucket,
    timezone: workspace.timezone,
    ...filled(rows, bounds),
    ...(by && {
      parts: [...Map.groupBy(rows, (row) => row.part)].map(([part, own]) => ({ [by]: part, ...filled(own, bounds) })),
    }),
  };
}

/** Returns every bucket, with zeros where there is no row, and their sum. */
function filled(rows: SeriesRow[], bounds: Date[]): Pick<Series, "totals" | "data"> {
  const sums = new Map<number, Metrics>();
  for (const { bucket, part: _part, ...numbers } of rows) sums.set(bucket, plus(sums.get(bucket) ?? ZEROS, numbers));
  const at = (i: number) => (bounds[i] as Date).toISOString();
  return {
    totals: [...sums.values()].reduce(plus, ZEROS),
    data: bounds.slice(1).map((_, i) => ({ start: at(i), end: at(i + 1), ...(sums.get(i + 1) ?? ZEROS) })),
  };
}
