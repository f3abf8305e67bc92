import { Autocomplete, type ComboboxItem } from "@mantine/core";
import { useMemo } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../builder.module.css";
import { fieldTexts } from "../texts.ts";
import type { Suggestion } from "./catalog.ts";

interface NameFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  suggestions: readonly Suggestion[];
  /** What is typed is among nothing that was read: it may be a slip. */
  unknown?: boolean;
  error?: string | undefined;
  placeholder?: string;
  inputMode?: "decimal";
  /** Called by Enter where no suggestion is chosen. */
  onEnter?: () => void;
}
const MOST_SHOWN = 60;

/** A text that is typed freely, with suggestions and what is known of each. */
export function NameField(props: NameFieldProps) {
  const { label, value, onChange, suggestions, unknown = false, error, placeholder, inputMode, onEnter } = props;
  const t = useTexts(fieldTexts);
  const about = useMemo(() => new Map(suggestions.map((one) => [one.value, one.about])), [suggestions]);
  const names = useMemo(() => [...about.keys()], [about]);
  return (
    <div className={css.field}>
      <Autocomplete
        aria-label={label}
        placeholder={placeholder ?? label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={onChange}
        data={names}
        limit={MOST_SHOWN}
        comboboxProps={{ withinPortal: true, width: "max-content", position: "bottom-start" }}
        // With a whole name in it, the field offers the others, too.
        filter={({ options, search, limit }) => {
          const text = about.has(search) ? "" : search.trim().toLowerCase();
          return options.filter((one) => (one as ComboboxItem).value.toLowerCase().includes(text)).slice(0, limit);
        }}
        renderOption={({ option }) => (
          <span className={css.option}>
            <span>{option.value}</span>
            <span className="quiet">{about.get(option.value)}</span>
          </span>
        )}
        error={error}
        maxLength={1_000}
        {...(inputMode && { inputMode })}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !onEnter || event.defaultPrevented) return;
          event.preventDefault();
          onEnter();
        }}
      />
      {unknown && !error && value !== "" && <span className={css.hint}>{t("unknownName", { name: value })}</span>}
    </div>
  );
}
