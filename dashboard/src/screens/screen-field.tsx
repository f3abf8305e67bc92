import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useRead } from "../platform/call/queries.ts";
import { soughtOf } from "../platform/list/search.ts";

const PAUSE_MS = 250;
/** As many names as somebody reads. */
const OFFERED = 20;

interface ScreenFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (screen: string) => void;
}

/** A screen of the catalog, or any name: one that is typed is taken when the field is left, or by Enter. */
export function ScreenField({ value, onChange, ...rest }: ScreenFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const [sought] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const query = { limit: OFFERED, ...(sought && { q: soughtOf(sought) }) };
  const screens = useRead<{ data: { name: string }[] }>("/screens", query, { keep: true });
  const take = (screen: string) => {
    if (screen.trim() !== value) onChange(screen.trim());
  };
  return (
    <Autocomplete
      {...rest}
      maxLength={1_000}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={take}
      onBlur={() => take(typed)}
      onKeyDown={(event) => event.key === "Enter" && take(typed)}
      limit={OFFERED}
      // The service has searched already.
      filter={({ options }) => options}
      data={screens.data?.data.map(({ name }) => name) ?? []}
    />
  );
}
