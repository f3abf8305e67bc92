import type { Say } from "../../platform/language/texts.ts";
import type { texts } from "./texts.ts";
import { type LimitsValues, type LimitValues, type channels, weekdays } from "./values.ts";

/** Monday, for the names of the days of the week. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Returns the names of the days, three or more in a row as a range: "Mon–Fri". */
export function daysInWords(days: readonly string[], language: string): string {
  const format = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  const names = weekdays.map((_, i) => format.format(MONDAY + i * DAY_MS));
  const rows: number[][] = [];
  for (const i of weekdays.flatMap((day, i) => (days.includes(day) ? [i] : []))) {
    const last = rows.at(-1);
    if (last?.at(-1) === i - 1) last.push(i);
    else rows.push([i]);
  }
  return rows
    .flatMap((row) =>
      row.length > 2 ? [`${names[row[0] as number]}–${names[row.at(-1) as number]}`] : row.map((i) => names[i]),
    )
    .join(", ");
}

const limitsInWords = ({ per_day, per_week }: LimitValues, t: Say<typeof texts>): string => {
  const limits = [per_day && t("inDay", { most: per_day }), per_week && t("inWeek", { most: per_week })];
  const said = limits.filter(Boolean).join(` ${t("and")} `);
  return said ? t("atMost", { limits: said }) : t("anyNumber");
};

function windowInWords({ from, to, days }: LimitValues, t: Say<typeof texts>, language: string): string {
  const time = from && to ? t("between", { from, to }) : from ? t("after", { from }) : to ? t("before", { to }) : "";
  const on = days.length > 0 ? t("onDays", { days: daysInWords(days, language) }) : "";
  return [on, time].filter(Boolean).join(", ") || t("anyTime");
}

/** Says what the limits over all channels mean for a person. */
export const sentenceOfAll = ({ all }: LimitsValues, t: Say<typeof texts>, language: string): string =>
  t("sentence", {
    limits: limitsInWords(all, t),
    when: all.mode === "own" ? windowInWords(all, t, language) : t("anyTime"),
  });

/** Says what holds for one channel. */
export function sentenceOf(
  values: LimitsValues,
  channel: (typeof channels)[number],
  t: Say<typeof texts>,
  language: string,
): string {
  const own = values[channel];
  // Quiet hours hold for in-app messages, and not the window over all channels.
  const window = own.mode === "same" && channel !== "in_app" && values.all.mode === "own" ? values.all : own;
  const when = window.mode === "own" ? windowInWords(window, t, language) : t("anyTime");
  const limits = own.per_day || own.per_week ? limitsInWords(own, t) : t("noOwn");
  return `${limits}, ${when}`;
}
