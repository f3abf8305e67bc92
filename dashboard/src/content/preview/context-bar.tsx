import { NativeSelect, SegmentedControl, Switch } from "@mantine/core";
import { PersonField } from "../../find-person/person-field.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { ScreenField } from "../../screens/screen-field.tsx";
import type { PreviewContext } from "./context.ts";
import css from "./preview.module.css";
import { texts } from "./texts.ts";

interface ContextBarProps {
  value: PreviewContext;
  onChange: (context: PreviewContext) => void;
  /** What the message depends on. */
  show: readonly ("person" | "screen" | "locale" | "variant")[];
  /** The languages and variants that there are, besides the first ones. */
  locales?: readonly string[];
  variants?: readonly string[];
  /** Whether the kind of device and its colours change what is seen. */
  withDevice?: boolean;
}

/** As whom, where and how a message is previewed. */
export function ContextBar(props: ContextBarProps) {
  const { value, onChange, show, locales = [], variants = [], withDevice = true } = props;
  const t = useTexts(texts);
  const set = (change: Partial<PreviewContext>) => onChange({ ...value, ...change });
  const choice = (name: "locale" | "variant", words: readonly string[]) =>
    show.includes(name) &&
    words.length > 0 && (
      <NativeSelect
        label={t(name)}
        value={value[name]}
        onChange={(event) => set({ [name]: event.currentTarget.value })}
        data={[{ value: "", label: t(`any_${name}`) }, ...words]}
      />
    );
  return (
    <fieldset className={css.bar}>
      <legend className="visually-hidden">{t("context")}</legend>
      {show.includes("person") && (
        <PersonField label={t("person")} value={value.person} onChange={(person) => set({ person })} />
      )}
      {show.includes("screen") && (
        <ScreenField label={t("screen")} value={value.screen} onChange={(screen) => set({ screen })} />
      )}
      {choice("locale", locales)}
      {choice("variant", variants)}
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
