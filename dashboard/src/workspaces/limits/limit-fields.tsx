import { Chip, Group, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import type { Edit } from "../../platform/form/edit.ts";
import { useLanguage } from "../../platform/language/language.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "../workspaces.module.css";
import { daysInWords } from "./sentence.ts";
import { texts } from "./texts.ts";
import { type channels, type LimitsValues, type LimitValues, weekdays, type WindowMode } from "./values.ts";

interface LimitFieldsProps {
  name: "all" | (typeof channels)[number];
  form: Edit<LimitsValues>;
  off: boolean;
  modes: WindowMode[];
}

/** How many messages a person gets, and when: over all channels, or of one. */
export function LimitFields({ name, form, off, modes }: LimitFieldsProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const value = form.values[name];
  const set = (part: Partial<LimitValues>) => form.set(name, { ...value, ...part });
  const error = form.errorOf(name);
  const same = name === "all" || name === "in_app" ? t("windowAny") : t("windowSame");
  const words = { same, own: t("windowOwn"), none: t("windowAny") };
  const number = { min: 1, max: 1_000, allowDecimal: false, placeholder: t("noLimit"), disabled: off };
  return (
    <fieldset className={css.fieldset} aria-label={name === "all" ? t("allChannels") : t(name)}>
      <div className={css.row}>
        <NumberInput
          label={t("perDay")}
          name={name}
          value={value.per_day}
          onChange={(per_day) => set({ per_day })}
          {...number}
        />
        <NumberInput
          label={t("perWeek")}
          value={value.per_week}
          onChange={(per_week) => set({ per_week })}
          {...number}
        />
        <NativeSelect
          label={t("window")}
          disabled={off}
          value={value.mode}
          onChange={(event) => set({ mode: event.currentTarget.value as WindowMode })}
          data={modes.map((mode) => ({ value: mode, label: words[mode] }))}
        />
      </div>
      {value.mode === "own" && (
        <>
          <div className={css.row}>
            <TextInput
              type="time"
              label={t("from")}
              disabled={off}
              value={value.from}
              onChange={(event) => set({ from: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={t("to")}
              disabled={off}
              value={value.to}
              onChange={(event) => set({ to: event.currentTarget.value })}
            />
          </div>
          <Chip.Group multiple value={value.days} onChange={(days) => set({ days })}>
            <Group gap="xs" role="group" aria-label={t("chosenDays")}>
              {weekdays.map((day) => (
                <Chip key={day} value={day} size="xs" disabled={off}>
                  {daysInWords([day], language)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </>
      )}
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
