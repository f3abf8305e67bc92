import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
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
/** How long nothing must be typed before the list is asked. */
const PAUSE_MS = 250;

export function FilterBar({ search, onChange, onClear }: FilterBarProps) {
  const t = useTexts(texts);
  const codes = useCodes();
  const { person_id: person, code, route } = search;
  const [typed, setTyped] = useState(person ?? "");
  useEffect(() => setTyped(person ?? ""), [person]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause anew
  useEffect(() => {
    const asked = typed.trim() || undefined;
    if (asked === person) return;
    const timer = setTimeout(() => onChange({ person_id: asked }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
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
      <TextInput
        aria-label={t("person")}
        className={css.filter ?? ""}
        placeholder={t("personPlaceholder")}
        leftSection={<Icon name="search" size={14} />}
        data-list-search
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
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
