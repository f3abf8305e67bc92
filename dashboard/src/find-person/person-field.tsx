import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useRead } from "../platform/call/queries.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Lines } from "../platform/look/parts.tsx";
import { nameOf, type PersonRead } from "./person-name.ts";
import { texts } from "./texts.ts";

interface PersonFieldProps {
  /** Without one it is a filter of a list: its label is only heard, the key "/" leads to it, and to empty it takes the filter away. */
  label?: string;
  className?: string | undefined;
  description?: string;
  /** A person_id; empty where nobody is chosen. */
  value: string;
  /**
   * A person that was chosen, or what was typed and Enter pressed: somebody may know an id that is in no list. In a form also the id of a
   * person, as soon as it is typed.
   */
  onChange: (personId: string) => void;
  autoFocus?: boolean;
}

/** How long nothing must be typed before people are searched. */
const PAUSE_MS = 200;
const OFFERED = 8;

/** Finds a person by the beginning of a name, an email, a phone number or a person_id. */
export function PersonField({ label, description, className, value, onChange, autoFocus = false }: PersonFieldProps) {
  const t = useTexts(texts);
  const named = label === undefined ? { "aria-label": t("person"), "data-list-search": true } : { label };
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const [sought] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const found = useRead<{ data: PersonRead[] }>(
    "/people",
    { limit: OFFERED, ...(sought && sought !== value && { q: sought }) },
    { enabled: combobox.dropdownOpened, keep: true },
  );
  const people = found.data?.data ?? [];
  // A form need not wait for Enter: a button beside the field would be off until then, and the click on it would only leave the field.
  const known = label !== undefined && people.some((one) => one.person_id === typed.trim()) ? typed.trim() : value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another id is a reason
  useEffect(() => {
    if (known !== value) onChange(known);
  }, [known]);
  const choose = (personId: string) => {
    setTyped(personId);
    combobox.closeDropdown();
    onChange(personId);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal>
      <Combobox.Target>
        <TextInput
          {...named}
          className={className ?? ""}
          description={description}
          placeholder={t("search")}
          leftSection={<Icon name="people" size={14} />}
          maxLength={256}
          autoComplete="off"
          data-autofocus={autoFocus || undefined}
          value={typed}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown();
            if (typed.trim() !== value) choose(typed.trim());
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || combobox.getSelectedOptionIndex() >= 0) return;
            event.preventDefault();
            choose(typed.trim());
          }}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            if (label === undefined && event.currentTarget.value === "" && value !== "") onChange("");
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={t("people")}>
          {people.map((person) => (
            <Combobox.Option value={person.person_id} key={person.person_id}>
              <Lines>
                <span className="cut">{nameOf(person) ?? person.email ?? person.person_id}</span>
                <span className="cut quiet">{[person.person_id, person.email].filter(Boolean).join(" · ")}</span>
              </Lines>
            </Combobox.Option>
          ))}
          {people.length === 0 && <Combobox.Empty>{found.isFetching ? t("searching") : t("noMatch")}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
