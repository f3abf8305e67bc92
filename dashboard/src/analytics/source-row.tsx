import type { Breakdown } from "@tidings/contract/facts/analytics";
import type { DeliveriesSearch } from "../activity/filters/search.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./analytics.module.css";
import { Behind } from "./behind.tsx";
import type { Metric } from "./metrics.ts";
import type { Range } from "./time/period.ts";
import { type AnalyticsSearch, type Change, scopeOf } from "./search.ts";
import { texts } from "./texts.ts";

export type Row = Breakdown["data"][number];

interface SourceRowProps {
  row: Row;
  shown: readonly Metric[];
  range: Range;
  search: AnalyticsSearch;
  onChange: (change: Change) => void;
}

/** The part of the workspace that a row counts; undefined for messages without a definition, which no filter selects alone. */
function partOf({
  channel,
  source,
  source_id: id,
}: Row): Pick<DeliveriesSearch, "channel" | "source" | "source_id"> | undefined {
  if (id === null) return undefined;
  return { ...(channel && { channel }), ...(source && { source }), ...(id !== undefined && { source_id: id }) };
}

/** A source, a channel or a kind of source with its numbers. */
export function SourceRow({ row, shown, range, search, onChange }: SourceRowProps) {
  const t = useTexts(texts);
  const part = partOf(row);
  const name = useNameOf(row);
  return (
    <tr>
      <th scope="row">
        {part ? (
          <button type="button" className={css.drill} onClick={() => onChange({ ...part, by: undefined })}>
            {name}
          </button>
        ) : (
          name
        )}
        {row.source_id !== undefined && row.source && <span className={css.kind}>{t(row.source)}</span>}
      </th>
      {shown.map((metric) => (
        <td key={metric} data-right className="numbers">
          <Behind
            value={row[metric]}
            of={part && { ...scopeOf(search), ...part, metric, ...range }}
            label={`${name}, ${t(metric)}`}
          />
        </td>
      ))}
    </tr>
  );
}

function useNameOf({ channel, source, source_id: id, name }: Row): string {
  const t = useTexts(texts);
  if (id === null) return t(source === "test" ? "testSends" : "raw");
  if (id !== undefined) return name ?? t("removed", { id });
  return t(channel ?? source ?? "raw");
}
