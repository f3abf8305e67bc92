import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import css from "./activity.module.css";
import { channels, sources, statuses } from "./delivery.ts";
import { type Filters, isFiltered, periodNames } from "./filters.ts";
import { texts } from "./texts.ts";

interface FilterBarProps {
  filters: Filters;
  /** Undefined takes a filter away. */
  onChange: (changed: { [K in keyof Filters]: Filters[K] | undefined }) => void;
  onClear: () => void;
}

/** How long nothing must be typed before the list is asked. */
const PAUSE_MS = 250;

export function FilterBar({ filters, onChange, onClear }: FilterBarProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const [person, setPerson] = useState(filters.person_id ?? "");
  useEffect(() => setPerson(filters.person_id ?? ""), [filters.person_id]);
  useEffect(() => {
    if (person === (filters.person_id ?? "")) return;
    const timer = setTimeout(() => onChange({ person_id: person.trim() || undefined }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [person, filters.person_id, onChange]);

  const select = <K extends "channel" | "status" | "source" | "period">(
    name: K,
    any: keyof typeof texts,
    values: readonly (keyof typeof texts)[],
  ) => (
    <NativeSelect
      aria-label={t(name)}
      className={css.filter ?? ""}
      data-set={filters[name] !== undefined}
      value={filters[name] ?? ""}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined })}
      data={[{ value: "", label: t(any) }, ...values.map((value) => ({ value, label: t(value) }))]}
    />
  );
  return (
    <search className={css.filters}>
      <TextInput
        aria-label={t("person")}
        className={css.personFilter ?? ""}
        placeholder={t("personPlaceholder")}
        leftSection={<Icon name="search" size={14} />}
        data-list-search
        value={person}
        onChange={(event) => setPerson(event.currentTarget.value)}
      />
      {select("channel", "anyChannel", channels)}
      {select("status", "anyStatus", statuses)}
      {select("source", "anySource", sources)}
      {select("period", "anyTime", periodNames)}
      {filters.source_id && (
        <Button
          variant="light"
          rightSection={<Icon name="close" size={12} />}
          onClick={() => onChange({ source_id: undefined })}
        >
          {t("ofSource", { id: filters.source_id })}
        </Button>
      )}
      {filters.metric && (
        <Button
          variant="light"
          rightSection={<Icon name="close" size={12} />}
          onClick={() => onChange({ metric: undefined, from: undefined, to: undefined })}
        >
          {t("counted", {
            metric: t(filters.metric),
            from: filters.from ? format.instant(filters.from) : "…",
            to: filters.to ? format.instant(filters.to) : "…",
          })}
        </Button>
      )}
      {isFiltered(filters) && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t("clear")}
        </Button>
      )}
    </search>
  );
}
