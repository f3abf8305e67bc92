import { Button, NativeSelect } from "@mantine/core";
import { PersonField } from "../find-person/person-field.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { useCodes } from "./codes.ts";
import css from "./rejected.module.css";
import { type Change, isFiltered, periodNames, type RejectedSearch } from "./search.ts";
import { texts } from "./texts.ts";

interface FilterBarProps {
  search: RejectedSearch;
  onChange: (change: Change) => void;
  onClear: () => void;
}

export function FilterBar({ search, onChange, onClear }: FilterBarProps) {
  const t = useTexts(texts);
  const codes = useCodes();
  const { person_id: person, code, route } = search;
  const chip = (name: string, taken: Change) => (
    <Button
      variant="light"
      rightSection={<Icon name="close" size={12} />}
      aria-label={t("showAll", { name })}
      onClick={() => onChange(taken)}
    >
      {name}
    </Button>
  );
  return (
    <search className={css.filters}>
      <PersonField
        className={css.filter}
        value={person ?? ""}
        onChange={(person) => onChange({ person_id: person || undefined })}
      />
      <NativeSelect
        aria-label={t("period")}
        className={css.filter ?? ""}
        value={search.period ?? "day"}
        onChange={(event) => onChange({ period: event.currentTarget.value === "week" ? "week" : undefined })}
        data={periodNames.map((value) => ({ value, label: t(value) }))}
      />
      {code && chip(codes.titleOf(code), { code: undefined })}
      {route && chip(route, { route: undefined })}
      {isFiltered(search) && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t("clear")}
        </Button>
      )}
    </search>
  );
}
