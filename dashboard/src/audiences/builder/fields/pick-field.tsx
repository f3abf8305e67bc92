import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useRead } from "../../../platform/call/queries.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../builder.module.css";
import { fieldTexts } from "../texts.ts";
import { useNames } from "./names.ts";

interface Named {
  id: string;
  name: string;
}
interface PickFieldProps {
  label: string;
  value: string | undefined;
  /** Undefined where the choice is taken back. */
  onChange: (id: string | undefined) => void;
  /** The lists from which one is chosen, each with its title where there are several. */
  lists: readonly { path: string; title?: string }[];
  placeholder?: string;
  /** Whether no choice means something. */
  clearable?: boolean;
  error?: string | undefined;
  /** What can't be chosen, such as the audience itself. */
  without?: string | undefined;
}
const OFFERED = 50;
const PAUSE_MS = 200;

/** Chooses a thing of the workspace by its name. What is typed searches all of them. */
export function PickField(props: PickFieldProps) {
  const { label, value, onChange, lists, placeholder, clearable = false, error, without } = props;
  const t = useTexts(fieldTexts);
  const [typed, setTyped] = useState("");
  const names = useNames(value ? [value] : []);
  const name = value && (names.get(value) ?? value);
  const [sought] = useDebouncedValue(typed === name ? "" : typed.trim(), PAUSE_MS);
  const found = useLists(lists, sought);
  const offered = found.map((rows) => rows.filter(({ id }) => id !== without));
  const isOffered = offered.some((rows) => rows.some(({ id }) => id === value));
  const options = (rows: readonly Named[]) => rows.map((one) => ({ value: one.id, label: one.name }));
  const groups = lists.map(({ title }, i) => ({ group: title ?? "", items: options(offered[i] ?? []) }));
  const current = value && !isOffered ? [{ value, label: name as string }] : [];
  return (
    <Select
      className={css.field ?? ""}
      aria-label={label}
      placeholder={placeholder ?? t("choose")}
      searchable
      maxLength={200}
      clearable={clearable}
      allowDeselect={false}
      value={value || null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      data={[
        ...current,
        ...(lists.length > 1 ? groups.filter(({ items }) => items.length > 0) : (groups[0]?.items ?? [])),
      ]}
      // The service has searched.
      {...(sought && { filter: ({ options: all }) => all })}
      nothingFoundMessage={t("noMatch")}
      comboboxProps={{ withinPortal: true }}
      maxDropdownHeight={280}
      error={error}
    />
  );
}

/** Reads the first of each list. Their number never changes while a field is shown. */
function useLists(lists: PickFieldProps["lists"], sought: string): (readonly Named[])[] {
  return lists.map(({ path }) => {
    // biome-ignore lint/correctness/useHookAtTopLevel: a field has the same lists as long as it is shown
    const read = useRead<{ data: Named[] }>(
      path,
      { limit: OFFERED, sort: "name", ...(sought && { q: sought }) },
      { keep: true },
    );
    return read.data?.data ?? [];
  });
}
