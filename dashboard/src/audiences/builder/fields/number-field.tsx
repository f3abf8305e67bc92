import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../builder.module.css";
import { fieldTexts } from "../texts.ts";
import { numberOf } from "./number.ts";

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  /** Undefined while what is typed is no number. */
  onChange: (value: number | undefined) => void;
  error?: string | undefined;
  narrow?: boolean;
}

/** A number, as it is typed in any of the languages. */
export function NumberField({ label, value, onChange, error, narrow = false }: NumberFieldProps) {
  const t = useTexts(fieldTexts);
  const [typed, setTyped] = useState("");
  // What is typed stays as it is while it means the value: "1." is on the way to "1.5".
  const shown = numberOf(typed) === value ? typed : String(value ?? "");
  return (
    <TextInput
      className={(narrow ? css.narrow : css.field) ?? ""}
      aria-label={label}
      placeholder={narrow ? "" : label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={30}
      value={shown}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(numberOf(currentTarget.value));
      }}
      error={error ?? (shown.trim() !== "" && numberOf(shown) === undefined ? t("notNumber") : undefined)}
    />
  );
}
