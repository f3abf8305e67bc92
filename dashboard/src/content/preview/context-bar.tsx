import { NativeSelect, SegmentedControl, Switch } from "@mantine/core";
import { PersonField } from "../../find-person/person-field.tsx";
import { useLocale } from "../../platform/language/format.ts";
import { offeredIn } from "../../platform/language/languages.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { ScreenField } from "../../screens/screen-field.tsx";
import type { PreviewContext } from "./context.ts";
import css from "./preview.module.css";
import { texts } from "./texts.ts";

interface ContextBarProps {
  value: PreviewContext;
  onChange: (context: PreviewContext) => void;
  /** What the message depends on. */
  show: readonly ("person" | "screen" | "locale")[];
  /** Whether the kind of device and its colours change what is seen. */
  withDevice?: boolean;
}

/** As whom, where and how a message is previewed. */
export function ContextBar(props: ContextBarProps) {
  const { value, onChange, show, withDevice = true } = props;
  const t = useTexts(texts);
  const set = (change: Partial<PreviewContext>) => onChange({ ...value, ...change });
  const language = useLocale();
  return (
    <fieldset className={css.bar}>
      <legend className="visually-hidden">{t("context")}</legend>
      {show.includes("person") && (
        <PersonField label={t("person")} value={value.person} onChange={(person) => set({ person })} />
      )}
      {show.includes("screen") && (
        <ScreenField label={t("screen")} value={value.screen} onChange={(screen) => set({ screen })} />
      )}
      {show.includes("locale") && (
        <NativeSelect
          label={t("locale")}
          value={value.locale}
          onChange={(event) => set({ locale: event.currentTarget.value })}
          data={[
            { value: "", label: t("anyLocale") },
            ...offeredIn(language).map(({ tag, name }) => ({ value: tag, label: name })),
          ]}
        />
      )}
      {withDevice && (
        <div className={css.looks}>
          <SegmentedControl
            aria-label={t("device")}
            size="xs"
            value={value.device}
            onChange={(device) => set({ device: device as PreviewContext["device"] })}
            data={(["desktop", "phone"] as const).map((device) => ({ value: device, label: t(device) }))}
          />
          <Switch
            label={t("dark")}
            checked={value.dark}
            onChange={(event) => set({ dark: event.currentTarget.checked })}
          />
        </div>
      )}
    </fieldset>
  );
}
