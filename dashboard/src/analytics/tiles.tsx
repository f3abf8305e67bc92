import type { Metrics } from "@tidings/contract/facts/activity";
import type { Series } from "@tidings/contract/facts/analytics";
import { UnstyledButton } from "@mantine/core";
import { useFormat } from "../platform/language/format.ts";
import { type Say, useTexts } from "../platform/language/texts.ts";
import css from "./analytics.module.css";
import { Behind } from "./behind.tsx";
import { changeOf, type Metric, wholeOf } from "./metrics.ts";
import { type AnalyticsSearch, scopeOf } from "./search.ts";
import { texts } from "./texts.ts";

interface TilesProps {
  shown: readonly Metric[];
  series: Series;
  /** Of the same length of time before; undefined where nothing is compared. */
  before: Metrics | undefined;
  search: AnalyticsSearch;
  chosen: Metric;
  onChoose: (metric: Metric) => void;
}

/** The numbers of the period. The name of one shows it over time, and the number opens its deliveries. */
export function Tiles({ shown, series, before, search, chosen, onChoose }: TilesProps) {
  const t = useTexts(texts);
  const range = { from: series.from, to: series.to };
  return (
    <ul className={css.tiles}>
      {shown.map((name) => (
        <li key={name} className={css.tile} data-chosen={name === chosen}>
          <UnstyledButton
            className={css.tileName ?? ""}
            aria-pressed={name === chosen}
            title={t(`${name}_hint`)}
            onClick={() => onChoose(name)}
          >
            {t(name)}
          </UnstyledButton>
          <span className={`${css.figure} numbers`}>
            <Behind
              value={series.totals[name]}
              of={{ ...scopeOf(search), metric: name, ...range }}
              label={t("open", { name: t(name) })}
            />
          </span>
          <Part name={name} totals={series.totals} search={search} />
          {before && <Changed name={name} now={series.totals[name]} before={before[name]} />}
        </li>
      ))}
    </ul>
  );
}

function Part({ name, totals, search }: { name: Metric; totals: Metrics; search: AnalyticsSearch }) {
  const t = useTexts(texts);
  const format = useFormat();
  const whole = wholeOf(name, search.channel);
  // What happened now may belong to messages of the period before: more than all of them would only confuse.
  if (!whole || totals[whole] === 0 || totals[name] > totals[whole]) return <span className={css.part} />;
  return (
    <span className={`${css.part} quiet numbers`}>
      {t(`of_${whole}`, { part: format.percent(totals[name] / totals[whole]) })}
    </span>
  );
}

function Changed({ name, now, before }: { name: Metric; now: number; before: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  const change = changeOf(name, now, before);
  return (
    <span className={`${css.change} numbers`} data-tone={change?.tone ?? "plain"} title={t("was", { count: before })}>
      {changeText(t, change && { ...change, up: now > before }, (ratio) => format.percent(ratio))}
      <span className="visually-hidden">, {t("was", { count: before })}</span>
    </span>
  );
}

function changeText(
  t: Say<typeof texts>,
  change: { ratio: number | undefined; up: boolean } | undefined,
  percent: (ratio: number) => string,
): string {
  if (!change) return t("same");
  if (change.ratio === undefined) return t("new");
  return `${change.up ? "▲" : "▼"} ${percent(Math.abs(change.ratio))}`;
}
