import type { Series } from "@tidings/contract/facts/analytics";
import type { DeliveriesSearch } from "../../activity/filters/search.ts";
import type { Say } from "../../platform/language/texts.ts";
import type { Metric } from "../metrics.ts";
import { type AnalyticsSearch, scopeOf } from "../search.ts";
import type { texts } from "../texts.ts";

/** One line of a chart. */
export interface DrawnLine {
  key: string;
  label: string;
  /** The CSS variable with its colour. */
  colour: string;
  dashed: boolean;
  /** A number for each bucket; null where this line has no such bucket. */
  values: (number | null)[];
}

/** One line of the chart of analytics. The table below has a column for it. */
export interface Line extends DrawnLine {
  /** Returns the search that lists the deliveries which a bucket counts. */
  behind: (i: number) => DeliveriesSearch | undefined;
}

interface LinesOf {
  metric: Metric;
  series: Series;
  before: Series | undefined;
  search: AnalyticsSearch;
  t: Say<typeof texts>;
}

/** Returns the lines of a metric: one for each channel or kind of source, or else this period and the one before. */
export function linesOf({ metric, series, before, search, t }: LinesOf): Line[] {
  const scope = scopeOf(search);
  const behindOf = (data: Series["data"], part: DeliveriesSearch) => (i: number) => {
    const bucket = data[i];
    return bucket && { ...scope, ...part, metric, from: bucket.start, to: bucket.end };
  };
  if (series.parts)
    return series.parts.map(({ channel, source, data }, i) => ({
      key: channel ?? source ?? "",
      label: t((channel ?? source) as keyof typeof texts),
      colour: `--line-${i + 1}`,
      dashed: false,
      values: data.map((bucket) => bucket[metric]),
      behind: behindOf(data, { ...(channel && { channel }), ...(source && { source }) }),
    }));
  const now: Line = {
    key: "now",
    label: t("thisPeriod"),
    colour: "--line-1",
    dashed: false,
    values: series.data.map((bucket) => bucket[metric]),
    behind: behindOf(series.data, {}),
  };
  if (!before) return [now];
  const values = series.data.map((_, i) => before.data[i]?.[metric] ?? null);
  const old = { key: "before", label: t("periodBefore"), colour: "--line-before", dashed: true, values };
  return [now, { ...old, behind: behindOf(before.data, {}) }];
}
