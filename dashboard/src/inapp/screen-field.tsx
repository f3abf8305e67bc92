import { Autocomplete, Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useRead } from "../platform/call/queries.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./inapp.module.css";
import { lookAlikes } from "./look-alikes.ts";
import { texts } from "./texts.ts";

type Screens = { data: { name: string }[] };
const PAUSE_MS = 250;
/** As many names as somebody reads, and as many as look-alikes are looked for among. */
const [OFFERED, COMPARED] = [20, 200];

/** A screen of the catalog, or any name. */
export function ScreenField({ value, onChange }: { value: string; onChange: (screen: string) => void }) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const [sought] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const screens = useRead<Screens>("/screens", { limit: OFFERED, ...(sought && { q: sought }) }, { keep: true });
  const take = (screen: string) => {
    if (screen.trim() !== value) onChange(screen.trim());
  };
  return (
    <Autocomplete
      label={t("screen")}
      placeholder={t("screenPlaceholder")}
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

/** Says that nobody has reported a screen, and which ones are written almost like it. */
export function ScreenMisses({ screen, onChange }: { screen: string; onChange: (screen: string) => void }) {
  const t = useTexts(texts);
  const named = useRead<Screens>("/screens", { limit: OFFERED, q: screen.slice(0, 200) });
  const some = useRead<Screens>("/screens", { limit: COMPARED });
  if (!named.data || !some.data) return null;
  const names = [...new Set([...named.data.data, ...some.data.data].map(({ name }) => name))];
  const known = names.includes(screen);
  const near = lookAlikes(screen, names).slice(0, 5);
  if (known && near.length === 0) return null;
  return (
    <p className={css.misses} role="status">
      {known ? t("wrongCase") : t("unknownScreen")} {near.length > 0 && t("youMean")}{" "}
      {near.map((name) => (
        <Button key={name} variant="default" size="compact-sm" onClick={() => onChange(name)}>
          {name}
        </Button>
      ))}
    </p>
  );
}
