import { Button, NativeSelect, Select } from "@mantine/core";
import { memo } from "react";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { ListSearch } from "../../platform/list/list-search.tsx";
import { Icon } from "../../platform/look/icons.tsx";
import css from "../activity.module.css";
import { sources } from "../delivery.ts";
import { texts } from "../texts.ts";
import { Period } from "./period.tsx";
import { type Changed, type DeliveriesSearch, isFiltered } from "./search.ts";
import { useSources } from "./sources.ts";

interface FilterBarProps {
  search: DeliveriesSearch;
  onChange: (changed: Changed) => void;
  onClear: () => void;
}

export const FilterBar = memo(function FilterBar({ search, onChange, onClear }: FilterBarProps) {
  const t = useTexts(texts);
  return (
    <search>
      <div className={css.filters}>
        <ListSearch
          className={css.typed}
          label={t("search")}
          longest={256}
          value={search.q ?? ""}
          onSearch={(text) => onChange({ q: text || undefined })}
        />
        <SourceFilter search={search} onChange={onChange} />
        <Period search={search} onChange={onChange} />
        <NativeSelect
          aria-label={t("order")}
          className={css.filter ?? ""}
          value={search.sort ?? ""}
          onChange={(event) => onChange({ sort: event.currentTarget.value === "" ? undefined : "queued_at" })}
          data={[
            { value: "", label: t("newestFirst") },
            { value: "queued_at", label: t("oldestFirst") },
          ]}
        />
        {isFiltered(search) && (
          <Button variant="subtle" color="gray" onClick={onClear}>
            {t("clear")}
          </Button>
        )}
      </div>
      <Given search={search} onChange={onChange} />
    </search>
  );
});

type Part = Pick<FilterBarProps, "search" | "onChange">;

/** A kind of source, or one of them by its name. */
function SourceFilter({ search: { source, source_id: id }, onChange }: Part) {
  const t = useTexts(texts);
  const named = useSources();
  const kinds = { group: t("kinds"), items: sources.map((value) => ({ value, label: t(value) })) };
  const byKind = sources.flatMap((kind) => {
    const items = named.filter((one) => one.source === kind).map(({ id, name }) => ({ value: id, label: name }));
    return items.length === 0 ? [] : [{ group: t(kind), items }];
  });
  // One that is older than those that were read is still the filter.
  const other =
    id && !named.some((one) => one.id === id) ? [{ group: t("source"), items: [{ value: id, label: id }] }] : [];
  const isKind = (value: string): value is (typeof sources)[number] => sources.some((one) => one === value);
  return (
    <Select
      aria-label={t("source")}
      className={css.sourceFilter ?? ""}
      placeholder={t("anySource")}
      data-set={source !== undefined || id !== undefined}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("anySource") }}
      nothingFoundMessage={t("noSource")}
      limit={60}
      maxDropdownHeight={320}
      value={id ?? source ?? null}
      onChange={(value) =>
        onChange({
          source: value !== null && isKind(value) ? value : undefined,
          source_id: value === null || isKind(value) ? undefined : value,
          step: undefined,
          variant: undefined,
        })
      }
      data={[kinds, ...byKind, ...other]}
    />
  );
}

/** Filters that a link from another page has set, each with a button that takes it away. */
function Given({ search, onChange }: Part) {
  const t = useTexts(texts);
  const format = useFormat();
  const names = ["person_id", "step", "variant", "reason", "undetermined"] as const;
  const given = names.filter((name) => search[name] !== undefined);
  const { metric, from, to } = search;
  if (given.length === 0 && metric === undefined) return null;
  const moment = (iso: string | undefined) => (iso ? format.instant(iso) : "…");
  return (
    <div className={css.given}>
      {given.map((name) => (
        <Button
          key={name}
          size="compact-sm"
          maw="100%"
          variant="default"
          rightSection={<Icon name="close" size={12} />}
          aria-label={`${t("takeAway")}: ${t(name)}`}
          onClick={() => onChange({ [name]: undefined })}
        >
          {name === "undetermined" ? t(name) : `${t(name)}: ${search[name]}`}
        </Button>
      ))}
      {metric && (
        <Button
          size="compact-sm"
          variant="default"
          rightSection={<Icon name="close" size={12} />}
          onClick={() => onChange({ metric: undefined, from: undefined, to: undefined })}
        >
          {t("counted", { metric: t(metric), from: moment(from), to: moment(to) })}
        </Button>
      )}
    </div>
  );
}
