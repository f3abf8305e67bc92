import { NumberInput, Radio, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { LengthField } from "./length-field.tsx";
import type { Length } from "./length.ts";
import css from "./rules.module.css";
import { sentenceOf } from "./sentence.ts";
import { texts } from "./texts.ts";

export interface Persistence {
  mode: "one_time" | "persistent_until_dismissed";
  per: "person" | "delivery";
  max_impressions: number | string;
  min_interval: Length | null;
}

interface PersistenceFieldProps {
  value: Persistence;
  onChange: <K extends keyof Persistence>(name: K, value: Persistence[K]) => void;
  errorOf: (name: keyof Persistence) => string | undefined;
}
const FIRST: Length = { amount: 6, unit: "hours" };

/** How often the message shows, with a sentence that sums it up. */
export function PersistenceField({ value, onChange, errorOf }: PersistenceFieldProps) {
  const t = useTexts(texts);
  const { mode, per, max_impressions: most, min_interval: pause } = value;
  return (
    <div className={css.group}>
      <Radio.Group
        label={t("mode")}
        value={mode}
        onChange={(to) => onChange("mode", to === "one_time" ? to : "persistent_until_dismissed")}
        error={errorOf("mode")}
      >
        <div className={css.radios}>
          {(["one_time", "persistent_until_dismissed"] as const).map((one) => (
            <Radio key={one} value={one} label={t(one)} />
          ))}
        </div>
      </Radio.Group>
      <NumberInput
        label={t("max")}
        description={t("maxHint")}
        name="persistence/max_impressions"
        className={css.most ?? ""}
        value={most}
        onChange={(to) => onChange("max_impressions", to)}
        allowDecimal={false}
        min={1}
        max={100_000}
        clampBehavior="none"
        error={errorOf("max_impressions")}
      />
      <PauseField
        value={pause}
        onChange={(length) => onChange("min_interval", length)}
        error={errorOf("min_interval")}
      />
      {(most !== "" || pause) && (
        <Radio.Group
          label={t("per")}
          value={per}
          onChange={(to) => onChange("per", to === "delivery" ? to : "person")}
          error={errorOf("per")}
        >
          <div className={css.radios}>
            <Radio value="person" label={t("per_person")} />
            <Radio value="delivery" label={t("per_delivery")} />
          </div>
        </Radio.Group>
      )}
      <p className={css.sum} role="status">
        {sentenceOf(value, t)}
      </p>
    </div>
  );
}

interface PauseFieldProps {
  value: Length | null;
  onChange: (length: Length | null) => void;
  error: string | undefined;
}

/** How long it does not show again, or no such time. A length that was typed is there again after a change of mind. */
function PauseField({ value, onChange, error }: PauseFieldProps) {
  const t = useTexts(texts);
  const [last, setLast] = useState(value ?? FIRST);
  return (
    <div>
      <p className={css.label}>{t("interval")}</p>
      <div className={css.line}>
        <SegmentedControl
          aria-label={t("interval")}
          value={value ? "pause" : "none"}
          onChange={(to) => onChange(to === "pause" ? last : null)}
          data={[
            { value: "none", label: t("noInterval") },
            { value: "pause", label: t("withInterval") },
          ]}
        />
        {value && (
          <LengthField
            label={t("interval")}
            name="persistence/min_interval"
            value={value}
            error={error}
            onChange={(length) => {
              setLast(length);
              onChange(length);
            }}
          />
        )}
      </div>
    </div>
  );
}
