import { ActionIcon, Autocomplete, Button, TextInput } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import type { Pair } from "./values.ts";

interface PairsFieldProps {
  /** What a pair is, for a screen reader. */
  label: string;
  add: string;
  value: Pair[];
  onChange: (pairs: Pair[]) => void;
  /** Names to choose from, and values by name. */
  names: readonly string[];
  valuesOf?: (name: string) => readonly string[];
}

/** Names with values, one row each. */
export function PairsField({ label, add, value, onChange, names, valuesOf }: PairsFieldProps) {
  const t = useTexts(texts);
  const set = (i: number, changed: Partial<Pair>) =>
    onChange(value.map((pair, at) => (at === i ? { ...pair, ...changed } : pair)));
  const free = names.filter((name) => !value.some((pair) => pair.name === name));
  return (
    <div className={css.pairs}>
      {value.map(({ name, value: own }, i) => {
        const said = `${label} ${i + 1}`;
        const known = valuesOf?.(name) ?? [];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else that stays
          <div key={i} className={css.pair}>
            <Autocomplete
              size="xs"
              aria-label={`${said}: ${t("name")}`}
              placeholder={t("name")}
              value={name}
              onChange={(to) => set(i, { name: to })}
              data={free}
              limit={30}
            />
            {known.length > 0 ? (
              <Autocomplete
                size="xs"
                aria-label={`${said}: ${t("value")}`}
                placeholder={t("value")}
                value={own}
                onChange={(to) => set(i, { value: to })}
                data={known}
              />
            ) : (
              <TextInput
                size="xs"
                aria-label={`${said}: ${t("value")}`}
                placeholder={t("value")}
                value={own}
                onChange={({ currentTarget }) => set(i, { value: currentTarget.value })}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={`${t("takeAway")}: ${said}`}
              onClick={() => onChange(value.filter((_, at) => at !== i))}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </div>
        );
      })}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Icon name="plus" size={12} />}
        onClick={() => onChange([...value, { name: "", value: "" }])}
      >
        {add}
      </Button>
    </div>
  );
}
