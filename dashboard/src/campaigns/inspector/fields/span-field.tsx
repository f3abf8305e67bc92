import { Input, NativeSelect, NumberInput } from "@mantine/core";
import type { Span } from "@tidings/contract/campaigns/steps";
import { useId } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../inspector.module.css";
import { texts } from "../texts.ts";

interface SpanFieldProps {
  label: string;
  description?: string;
  value: Span | undefined;
  onChange: (span: Span | undefined) => void;
  error?: string | undefined;
  off: boolean;
  units?: readonly Span["unit"][];
}
const UNITS = ["seconds", "minutes", "hours", "days"] as const;

/** A length of time: a number and its unit. */
export function SpanField({ label, description, value, onChange, error, off, units = UNITS }: SpanFieldProps) {
  const t = useTexts(texts);
  const id = useId();
  const unit = value?.unit ?? units[0] ?? "days";
  return (
    <Input.Wrapper label={label} description={description} error={error} labelProps={{ htmlFor: id }}>
      <span className={css.beside}>
        <NumberInput
          id={id}
          className={css.amount ?? ""}
          min={1}
          max={100_000}
          allowDecimal={false}
          disabled={off}
          error={error !== undefined}
          value={value?.amount ?? ""}
          onChange={(amount) => onChange(typeof amount === "number" ? { amount, unit } : undefined)}
        />
        <NativeSelect
          aria-label={`${label}: ${t("unit")}`}
          disabled={off}
          value={unit}
          onChange={(event) =>
            onChange({ amount: value?.amount ?? 1, unit: event.currentTarget.value as Span["unit"] })
          }
          data={units.map((one) => ({ value: one, label: t(`unit_${one}`) }))}
        />
      </span>
    </Input.Wrapper>
  );
}
