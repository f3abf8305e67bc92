import { SegmentedControl } from "@mantine/core";
import { PersonField } from "../../people/person-field.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { ScreenField } from "../screen-field.tsx";
import css from "./editor.module.css";
import { texts } from "./texts.ts";

/** For whom and on what the preview is drawn. */
export interface PreviewContext {
  /** A person_id; empty for nobody, so that Liquid has only its defaults. */
  person: string;
  screen: string;
  device: "desktop" | "phone";
  dark: boolean;
}
export const firstContext: PreviewContext = { person: "", screen: "", device: "phone", dark: false };

export function Context({ value, onChange }: { value: PreviewContext; onChange: (to: PreviewContext) => void }) {
  const t = useTexts(texts);
  return (
    <div className={css.group}>
      <div className={css.pair}>
        <PersonField label={t("person")} value={value.person} onChange={(person) => onChange({ ...value, person })} />
        <ScreenField value={value.screen} onChange={(screen) => onChange({ ...value, screen })} />
      </div>
      <div className={css.views}>
        <SegmentedControl
          size="xs"
          aria-label={t("device")}
          value={value.device}
          onChange={(device) => onChange({ ...value, device })}
          data={(["phone", "desktop"] as const).map((one) => ({ value: one, label: t(one) }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("theme")}
          value={value.dark ? "dark" : "light"}
          onChange={(theme) => onChange({ ...value, dark: theme === "dark" })}
          data={(["light", "dark"] as const).map((one) => ({ value: one, label: t(one) }))}
        />
      </div>
    </div>
  );
}
