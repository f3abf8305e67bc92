import { NativeSelect } from "@mantine/core";
import type { Metrics } from "@tidings/contract/facts/activity";
import { useState } from "react";
import { type Metric, metricsOf, wholeOf } from "../../analytics/metrics.ts";
import { type Format, useFormat } from "../../platform/language/format.ts";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import type { Broadcast } from "../broadcast.ts";
import css from "../broadcasts.module.css";
import { isCounted } from "./counted.ts";
import { differenceOf, intervalOf, type Part, rateOf, verdictOf } from "./rates.ts";
import { texts } from "./texts.ts";

interface ComparedProps {
  broadcast: Broadcast;
  numbers: Record<string, Metrics>;
}

/** What one compares first. */
const FIRST: readonly Metric[] = ["clicked", "opened", "delivered"];

/** The variants beside each other, with how sure the numbers are. */
export function Compared({ broadcast, numbers }: ComparedProps) {
  const t = useTexts(texts);
  const { channel } = broadcast;
  const metrics = metricsOf(channel, ...Object.values(numbers)).filter(
    (name) => wholeOf(name, channel) && isCounted(name, broadcast),
  );
  const [chosen, choose] = useState<Metric>();
  const metric = chosen ?? FIRST.find((name) => metrics.includes(name)) ?? (metrics[0] as Metric);
  const sum = (name: "sent" | "delivered") => Object.values(numbers).reduce((all, of) => all + of[name], 0);
  const whole = wholeOf(metric, channel, { sent: sum("sent"), delivered: sum("delivered") }) ?? "sent";
  const parts = Object.entries(numbers).map(
    ([name, of]) => [name, { of: of[whole], count: Math.min(of[metric], of[whole]) }] as const,
  );
  const [reference] = parts;
  if (!reference) return null;
  return (
    <div className={css.compared}>
      <div className={css.comparedHead}>
        <h3 className={css.subtitle}>{t("compared")}</h3>
        <NativeSelect
          size="xs"
          label={t("by")}
          value={metric}
          onChange={(event) => choose(event.currentTarget.value as Metric)}
          data={metrics.map((name) => ({ value: name, label: t(name) }))}
        />
      </div>
      <div className={css.scrolls} data-scrolls-sideways>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t("variant")}</th>
              <th scope="col">{t("people")}</th>
              <th scope="col">{t(metric)}</th>
              <th scope="col">{t("rate")}</th>
              <th scope="col">{t("against", { name: reference[0] })}</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(([name, part], i) => (
              <Row key={name} name={name} part={part} against={i === 0 ? undefined : reference[1]} parts={parts} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="quiet">
        {t("honest")} {parts.length > 3 && t("honestMany")}
      </p>
    </div>
  );
}

interface RowProps {
  name: string;
  part: Part;
  against: Part | undefined;
  parts: readonly (readonly [string, Part])[];
}

function Row({ name, part, against, parts }: RowProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const [low, high] = intervalOf(part);
  // All bars share one scale, which ends at the highest interval that says something.
  const most = Math.max(...parts.filter(([, { of }]) => of > 0).map(([, one]) => intervalOf(one)[1]), 0.01);
  const at = (value: number) => `${Math.min(value / most, 1) * 100}%`;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="numbers">{format.number(part.of)}</td>
      <td className="numbers">{format.number(part.count)}</td>
      <td>
        {part.of > 0 && (
          <span className={css.interval}>
            <strong className="numbers">{format.percent(rateOf(part))}</strong>
            <span className="quiet numbers">
              {t("interval", { low: format.percent(low), high: format.percent(high) })}
            </span>
            <span className={css.intervalBar} aria-hidden="true">
              <span
                className={css.intervalFill}
                style={{ insetInlineStart: at(low), inlineSize: `calc(${at(high)} - ${at(low)})` }}
              />
              <span className={css.intervalPoint} style={{ insetInlineStart: at(rateOf(part)) }} />
            </span>
          </span>
        )}
      </td>
      <td>{against ? inWords(part, against, t, format) : <span className="quiet">{t("reference")}</span>}</td>
    </tr>
  );
}

/** The difference from another variant in words, such as "higher, by 1.2 to 3.4 points". */
function inWords(part: Part, against: Part, t: Say<typeof texts>, { number }: Format): string {
  const verdict = verdictOf(part, against);
  if (verdict === "notEnough" || verdict === "noDifference") return t(verdict);
  const points = differenceOf(part, against)
    .map((end) => Math.round(Math.abs(end) * 1_000) / 10)
    .toSorted((one, other) => one - other);
  return t(verdict, { low: number(points[0] as number), high: number(points[1] as number) });
}
