import { NumberInput, SegmentedControl } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { priorities } from "../message.ts";
import css from "./editor.module.css";
import { texts } from "./texts.ts";

interface PriorityFieldProps {
  value: number | string;
  onChange: (priority: number | string) => void;
  error: string | undefined;
}

/** The priority, as one of those that have a name or as a number. */
export function PriorityField({ value, onChange, error }: PriorityFieldProps) {
  const t = useTexts(texts);
  const preset = priorities.find(([, number]) => number === value);
  return (
    <div className={css.group}>
      <div className={css.priority}>
        <SegmentedControl
          aria-label={t("presets")}
          value={preset ? preset[0] : "other"}
          onChange={(name) => onChange(priorities.find(([one]) => one === name)?.[1] ?? value)}
          data={[
            ...priorities.map(([name]) => ({ value: name as string, label: t(name) })),
            ...(preset ? [] : [{ value: "other", label: t("other") }]),
          ]}
        />
        <NumberInput
          aria-label={t("priority")}
          name="priority"
          className={css.number ?? ""}
          value={value}
          onChange={onChange}
          allowDecimal={false}
          min={0}
          max={100}
          clampBehavior="none"
          error={error}
        />
      </div>
      <p className={css.hint}>{t("priorityHint")}</p>
    </div>
  );
}
