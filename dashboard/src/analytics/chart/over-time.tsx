import type { Series } from "@tidings/contract/facts/analytics";
import { SegmentedControl } from "@mantine/core";
import { useMemo } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { Table } from "../../platform/look/table.tsx";
import { Behind } from "../behind.tsx";
import { Chart } from "./chart.tsx";
import { type Line, linesOf } from "./lines.ts";
import type { Metric } from "../metrics.ts";
import type { AnalyticsSearch } from "../search.ts";
import { texts } from "../texts.ts";
import { type Times, useTimes } from "../time/times.ts";

interface OverTimeProps {
  metric: Metric;
  series: Series;
  before: Series | undefined;
  search: AnalyticsSearch;
  onView: (view: "table" | undefined) => void;
}

/** One number by the hour or day, as lines or as the same numbers in a table. */
export function OverTime({ metric, series, before, search, onView }: OverTimeProps) {
  const t = useTexts(texts);
  const times = useTimes(series.timezone, series.bucket);
  const lines = useMemo(() => linesOf({ metric, series, before, search, t }), [metric, series, before, search, t]);
  const starts = useMemo(() => series.data.map(({ start }) => start), [series]);
  const toggle = (
    <SegmentedControl
      size="xs"
      aria-label={t("view")}
      value={search.view ?? "chart"}
      onChange={(view) => onView(view === "table" ? "table" : undefined)}
      data={(["chart", "table"] as const).map((value) => ({ value, label: t(value) }))}
    />
  );
  return (
    <Section title={t(series.bucket === "hour" ? "byHour" : "byDay", { name: t(metric) })} aside={toggle}>
      {search.view === "table" ? (
        <Numbers starts={starts} lines={lines} times={times} bucket={series.bucket} />
      ) : (
        <Chart label={t("chartLabel", { name: t(metric) })} starts={starts} lines={lines} times={times} />
      )}
    </Section>
  );
}

interface NumbersProps {
  starts: readonly string[];
  lines: readonly Line[];
  times: Times;
  bucket: "hour" | "day";
}

function Numbers({ starts, lines, times, bucket }: NumbersProps) {
  const t = useTexts(texts);
  return (
    <Table tall>
      <thead>
        <tr>
          <th scope="col">{t(bucket)}</th>
          {lines.map(({ key, label: name }) => (
            <th key={key} scope="col" data-right>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {starts.map((start, i) => (
          <tr key={start}>
            <th scope="row">{times.full(start)}</th>
            {lines.map(({ key, label: name, values, behind }) => (
              <td key={key} data-right className="numbers">
                {values[i] !== null && values[i] !== undefined && (
                  <Behind value={values[i]} of={behind(i)} label={`${times.full(start)}, ${name}`} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
