import { ActionIcon, Button, Input, TextInput } from "@mantine/core";
import { useState } from "react";
import { LiquidField } from "../../../content/liquid/liquid-field.tsx";
import type { LiquidScope } from "../../../content/liquid/scope.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import { same } from "../../model/same.ts";
import css from "../inspector.module.css";
import { texts } from "../texts.ts";

type Row = [name: string, value: string];

interface ValuesFieldProps {
  label: string;
  description: string;
  value: Record<string, unknown> | undefined;
  onChange: (value: Record<string, unknown> | undefined) => void;
  /** What the values can name in Liquid. */
  scope: LiquidScope;
  error?: string | undefined;
  off: boolean;
}

/** A text in quotes is a text; a number, true, false, null, a list or an object is what it is in JSON; all else is a text. */
const written = (value: unknown): string =>
  typeof value === "string" && read(value) === value ? value : JSON.stringify(value);
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const rowsOf = (value: Record<string, unknown> | undefined): Row[] =>
  Object.entries(value ?? {}).map(([name, one]) => [name, written(one)]);

/** Names and values, such as attributes or the body of a call. */
export function ValuesField({ label, description, value, onChange, scope, error, off }: ValuesFieldProps) {
  const t = useTexts(texts);
  const [rows, setRows] = useState(() => rowsOf(value));
  // Changed elsewhere, such as by undoing: what is typed here is old then.
  const all = same(objectOf(rows), value) ? rows : rowsOf(value);
  const change = (to: Row[]) => {
    setRows(to);
    onChange(objectOf(to));
  };
  const set = (at: number, row: Row) => change(all.with(at, row));
  return (
    <Input.Wrapper
      component="fieldset"
      className={css.bare ?? ""}
      label={label}
      labelElement="div"
      description={description}
      error={error}
    >
      <div className={css.rows}>
        {all.map(([name, text], i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place while its name is typed
          <span key={i} className={css.beside}>
            <TextInput
              aria-label={t("valueName", { count: i + 1 })}
              value={name}
              disabled={off}
              onChange={(event) => set(i, [event.currentTarget.value, text])}
            />
            <LiquidField
              label={t("value", { count: i + 1 })}
              labelHidden
              scope={scope}
              value={text}
              readOnly={off}
              onChange={(to) => set(i, [name, to])}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("removeValue", { count: i + 1 })}
              disabled={off}
              onClick={() => change(all.toSpliced(i, 1))}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </span>
        ))}
      </div>
      <Button
        size="compact-sm"
        variant="subtle"
        disabled={off}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setRows([...all, ["", ""]])}
      >
        {t("addValue")}
      </Button>
    </Input.Wrapper>
  );
}

/** Returns the rows as an object; undefined where none has a name. */
function objectOf(rows: readonly Row[]): Record<string, unknown> | undefined {
  const named = rows.filter(([name]) => name !== "");
  return named.length > 0 ? Object.fromEntries(named.map(([name, text]) => [name, read(text)])) : undefined;
}
