import { Button, NativeSelect } from "@mantine/core";
import { PersonField } from "../../find-person/person-field.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import css from "../activity.module.css";
import { channels, sources } from "../delivery.ts";
import { useEntryWords } from "../entry-name.tsx";
import { families, kindsOf } from "./kinds.ts";
import type { LogFilters } from "./filters.ts";
import { logTexts } from "./texts.ts";
import { texts } from "../texts.ts";

interface LogFilterBarProps {
  filters: LogFilters;
  /** Undefined takes a filter away. */
  onChange: (changed: { [K in keyof LogFilters]: LogFilters[K] | undefined }) => void;
  onClear: () => void;
}

export function LogFilterBar({ filters, onChange, onClear }: LogFilterBarProps) {
  const t = useTexts(texts);
  const say = useTexts(logTexts);
  const words = useEntryWords();
  const select = <K extends "channel" | "source">(
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
      <PersonField
        className={css.personFilter}
        value={filters.person_id ?? ""}
        onChange={(person) => onChange({ person_id: person || undefined })}
      />
      <NativeSelect
        aria-label={say("kind")}
        className={css.filter ?? ""}
        data-set={filters.type !== undefined}
        value={filters.type ?? ""}
        onChange={(event) => onChange({ type: event.currentTarget.value || undefined })}
        data={[
          { value: "", label: say("anyKind") },
          ...families.map((family) => ({
            group: say(`family_${family}`),
            items: [
              { value: `${family}.*`, label: say(`all_${family}`) },
              ...kindsOf(family).map((value) => ({ value, label: words(value, {}) })),
            ],
          })),
        ]}
      />
      {select("channel", "anyChannel", channels)}
      {select("source", "anySource", sources)}
      {filters.source_id && (
        <Button
          variant="default"
          onClick={() => onChange({ source_id: undefined })}
          rightSection={<Icon name="close" size={14} />}
        >
          {say("ofOne")}
        </Button>
      )}
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t("clear")}
        </Button>
      )}
    </search>
  );
}
