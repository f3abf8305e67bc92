import { Button, NativeSelect, Switch, TextInput } from "@mantine/core";
import { channels, sources } from "../activity/delivery.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import css from "./analytics.module.css";
import type { Day } from "./time/dates.ts";
import { type AnalyticsSearch, type Change, periods } from "./search.ts";
import { texts } from "./texts.ts";

interface FilterBarProps {
  search: AnalyticsSearch;
  /** The days of the period that is shown: what a custom one begins with. */
  days: { first: Day; last: Day } | undefined;
  today: Day;
  /** The name of the one source that is shown. */
  sourceName: string | undefined;
  /** What is wrong with the custom period. */
  problem: string | undefined;
  onChange: (change: Change) => void;
}

export function FilterBar({ search, days, today, sourceName, problem, onChange }: FilterBarProps) {
  const t = useTexts(texts);
  const period = search.period ?? "30d";
  const choosePeriod = (value: string) => {
    const chosen = periods.find((one) => one === value);
    const range = chosen === "custom" ? { from: days?.first ?? today, to: days?.last ?? today } : {};
    onChange({ from: undefined, to: undefined, ...range, period: chosen === "30d" ? undefined : chosen });
  };
  const select = <K extends "channel" | "source">(name: K, any: keyof typeof texts, values: readonly string[]) => (
    <NativeSelect
      aria-label={t(name)}
      className={css.filter ?? ""}
      data-set={search[name] !== undefined}
      value={search[name] ?? ""}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined, source_id: undefined })}
      data={[
        { value: "", label: t(any) },
        ...values.map((value) => ({ value, label: t(value as keyof typeof texts) })),
      ]}
    />
  );
  const day = (name: "from" | "to", value: Day | undefined) => (
    <TextInput
      type="date"
      aria-label={t(name)}
      className={css.filter ?? ""}
      value={value ?? ""}
      max={today}
      error={name === "to" && problem}
      onChange={(event) => event.currentTarget.value && onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <search className={css.filters}>
      <NativeSelect
        aria-label={t("period")}
        className={css.filter ?? ""}
        value={period}
        onChange={(event) => choosePeriod(event.currentTarget.value)}
        data={periods.map((value) => ({ value, label: t(`period_${value}`) }))}
      />
      {period === "custom" && day("from", search.from ?? days?.first)}
      {period === "custom" && day("to", search.to ?? days?.last)}
      {select("channel", "anyChannel", channels)}
      {search.source_id ? (
        <Button
          variant="light"
          className={css.chip ?? ""}
          rightSection={<Icon name="close" size={12} />}
          aria-label={t("clearSource", { name: sourceName ?? search.source_id })}
          onClick={() => onChange({ source_id: undefined, source: undefined })}
        >
          {sourceName ?? search.source_id}
        </Button>
      ) : (
        select("source", "anySource", sources)
      )}
      <Switch
        className={css.compare ?? ""}
        label={t("compare")}
        checked={search.compare !== false}
        onChange={(event) => onChange({ compare: event.currentTarget.checked ? undefined : false })}
      />
    </search>
  );
}
