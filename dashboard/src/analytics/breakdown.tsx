import { SegmentedControl } from "@mantine/core";
import { useTexts } from "../platform/language/texts.ts";
import { More } from "../platform/list/more.tsx";
import { Section } from "../platform/look/parts.tsx";
import { Table } from "../platform/look/table.tsx";
import { useList } from "../platform/call/queries.ts";
import { Answer, Loading } from "../platform/states/states.tsx";
import css from "./analytics.module.css";
import { type Metric, metricNames } from "./metrics.ts";
import type { Range } from "./time/period.ts";
import { type AnalyticsSearch, type Change, groupings, scopeOf } from "./search.ts";
import { type Row, SourceRow } from "./source-row.tsx";
import { texts } from "./texts.ts";

interface BreakdownProps {
  shown: readonly Metric[];
  range: Range;
  search: AnalyticsSearch;
  onChange: (change: Change) => void;
}
const PAGE = 50;

/** The numbers of the period by source, channel or kind of source. Their columns sort, and a row leads to its own numbers. */
export function Breakdown({ shown, range, search, onChange }: BreakdownProps) {
  const t = useTexts(texts);
  const by = search.by ?? "source_id";
  const sort = search.sort ?? "-sent";
  const query = { ...range, ...scopeOf(search), by, ...(by === "source_id" && { sort, limit: PAGE }) };
  const list = useList<Row>("/analytics/metrics", query, { keep: true, everyMs: 60_000 });
  const rows = by === "source_id" ? list.rows : sortedBy(list.rows, sort);
  const choose = (
    <SegmentedControl
      size="xs"
      aria-label={t("by")}
      value={by}
      onChange={(value) => onChange({ by: groupings.find((one) => one === value && one !== "source_id") })}
      data={groupings.map((value) => ({ value, label: t(`by_${value}`) }))}
    />
  );
  return (
    <Section title={t("breakdown")} aside={choose}>
      <Answer of={list} loading={<Loading rows={4} />}>
        {() =>
          rows.length === 0 ? (
            <p className="quiet">{t("noRows")}</p>
          ) : (
            <Table busy={list.isPlaceholderData}>
              <Head shown={shown} sort={sort} name={t(`by_${by}`)} onSort={(to) => onChange({ sort: to })} />
              <tbody>
                {rows.map((row) => (
                  <SourceRow
                    key={`${row.channel} ${row.source} ${row.source_id}`}
                    row={row}
                    shown={shown}
                    range={range}
                    search={search}
                    onChange={onChange}
                  />
                ))}
              </tbody>
            </Table>
          )
        }
      </Answer>
      <More list={list} />
    </Section>
  );
}

function sortedBy(rows: readonly Row[], sort: string): Row[] {
  const metric = metricNames.find((name) => name === sort.replace("-", "")) ?? "sent";
  const order = sort.startsWith("-") ? -1 : 1;
  return rows.toSorted((a, b) => order * (a[metric] - b[metric]));
}

interface HeadProps {
  shown: readonly Metric[];
  sort: string;
  name: string;
  onSort: (sort: string | undefined) => void;
}

/** The names of the columns. One sorts by it, the largest first; again, the smallest first. */
function Head({ shown, sort, name, onSort }: HeadProps) {
  const t = useTexts(texts);
  const orderOf = (metric: Metric) =>
    sort === metric ? ("ascending" as const) : sort === `-${metric}` ? ("descending" as const) : ("none" as const);
  return (
    <thead>
      <tr>
        <th scope="col">{name}</th>
        {shown.map((metric) => (
          <th key={metric} scope="col" data-right aria-sort={orderOf(metric)}>
            <button
              type="button"
              className={css.sort}
              onClick={() => {
                const next = sort === `-${metric}` ? metric : `-${metric}`;
                onSort(next === "-sent" ? undefined : next);
              }}
            >
              {t(metric)}
              <span aria-hidden="true">{{ ascending: "▲", descending: "▼", none: "" }[orderOf(metric)]}</span>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}
