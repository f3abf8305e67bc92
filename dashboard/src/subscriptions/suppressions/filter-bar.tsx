import { NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import css from "../subscriptions.module.css";
import { channels, reasons, type SuppressionFilters, suppressionSearch } from "./filters.ts";
import { texts } from "./texts.ts";

/** How long nothing must be typed before the list is asked. */
const PAUSE_MS = 200;

interface FilterBarProps {
  filters: SuppressionFilters;
  onChange: (filters: SuppressionFilters) => void;
}

export function FilterBar({ filters, onChange }: FilterBarProps) {
  const t = useTexts(texts);
  const { q = "" } = filters;
  const [typed, setTyped] = useState(q);
  const change = (part: Record<string, string>) => onChange(suppressionSearch({ ...filters, ...part }));
  useEffect(() => setTyped(q), [q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause anew
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => change({ q: typed.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search className={css.bar}>
      <TextInput
        className={css.search ?? ""}
        aria-label={t("search")}
        placeholder={t("search")}
        leftSection={<Icon name="search" size={14} />}
        data-list-search
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
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
