import { NativeSelect, NumberInput } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { type Length, units } from "./length.ts";
import css from "./rules.module.css";
import { texts } from "./texts.ts";

interface LengthFieldProps {
  /** What it is the length of, for a screen reader. */
  label: string;
  name: string;
  value: Length;
  onChange: (length: Length) => void;
  error?: string | undefined;
}

/** A length of time: a number and its unit. */
export function LengthField({ label, name, value, onChange, error }: LengthFieldProps) {
  const t = useTexts(texts);
  return (
    <div className={css.length}>
      <NumberInput
        aria-label={`${label}: ${t("amount")}`}
        name={name}
        className={css.number ?? ""}
        value={value.amount}
        onChange={(amount) => onChange({ ...value, amount })}
        allowDecimal={false}
        min={1}
        max={100_000}
        clampBehavior="none"
        error={error}
      />
      <NativeSelect
        aria-label={`${label}: ${t("unit")}`}
        value={value.unit}
        onChange={(event) =>
          onChange({ ...value, unit: units.find((unit) => unit === event.currentTarget.value) ?? "days" })
        }
        data={units.map((unit) => ({ value: unit, label: t(unit) }))}
      />
    </div>
  );
}
