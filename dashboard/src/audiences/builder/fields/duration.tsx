import type { Within } from "@tidings/contract/audience/audiences";
import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../builder.module.css";
import { units } from "../model/conditions.ts";
import { fieldTexts } from "../texts.ts";
import { NumberField } from "./number-field.tsx";

interface DurationProps {
  value: Within | undefined;
  onChange: (value: Within) => void;
  /** The message at a field of the length of time. */
  errorOf: (field: "" | "/amount" | "/unit") => string | undefined;
}

/** A length of time, such as 30 days. */
export function DurationField({ value, onChange, errorOf }: DurationProps) {
  const t = useTexts(fieldTexts);
  const unit = value?.unit ?? "days";
  return (
    <span className={css.pair}>
      <NumberField
        label={t("amount")}
        value={value?.amount || undefined}
        narrow
        onChange={(amount) => onChange({ amount: amount ?? 0, unit })}
        error={errorOf("/amount") ?? errorOf("")}
      />
      <NativeSelect
        aria-label={t("unit")}
        value={unit}
        onChange={(event) =>
          onChange({ amount: value?.amount ?? 0, unit: event.currentTarget.value as Within["unit"] })
        }
        data={units.map((one) => ({ value: one, label: t(`unit_${one}`) }))}
        error={errorOf("/unit")}
      />
    </span>
  );
}
