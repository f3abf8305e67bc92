import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { ListSearch } from "../../platform/list/list-search.tsx";
import css from "../subscriptions.module.css";
import { channels, reasons, type SuppressionFilters, suppressionSearch } from "./filters.ts";
import { texts } from "./texts.ts";

interface FilterBarProps {
  filters: SuppressionFilters;
  onChange: (filters: SuppressionFilters) => void;
}

export function FilterBar({ filters, onChange }: FilterBarProps) {
  const t = useTexts(texts);
  const { q = "" } = filters;
  const change = (part: Record<string, string>) => onChange(suppressionSearch({ ...filters, ...part }));
  return (
    <search className={css.bar}>
      <ListSearch className={css.search} label={t("search")} value={q} onSearch={(text) => change({ q: text })} />
      <NativeSelect
        className={css.facet ?? ""}
        aria-label={t("channel")}
        value={filters.channel ?? ""}
        onChange={(event) => change({ channel: event.currentTarget.value })}
        data={[{ value: "", label: t("anyChannel") }, ...channels.map((value) => ({ value, label: t(value) }))]}
      />
      <NativeSelect
        className={css.facet ?? ""}
        aria-label={t("reason")}
        value={filters.reason ?? ""}
        onChange={(event) => change({ reason: event.currentTarget.value })}
        data={[{ value: "", label: t("anyReason") }, ...reasons.map((value) => ({ value, label: t(value) }))]}
      />
    </search>
  );
}
