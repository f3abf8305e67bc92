import { NativeSelect, TextInput } from "@mantine/core";
import { LiquidField } from "../../content/liquid/liquid-field.tsx";
import type { Form } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./editor.module.css";
import { texts } from "./texts.ts";
import { actions, IN_APP, type MessageValues } from "./values.ts";

/** The one button of a message: what it does, its words, and where it leads. */
export function ButtonFields({ form, off }: { form: Form<MessageValues>; off: boolean }) {
  const t = useTexts(texts);
  const action = form.values["cta/action"];
  return (
    <div className={css.group}>
      <NativeSelect
        label={t("cta")}
        name="cta/action"
        value={action}
        onChange={(event) => form.set("cta/action", actions.find((one) => one === event.currentTarget.value) ?? "")}
        error={form.errorOf("cta/action")}
        data={[{ value: "", label: t("noCta") }, ...actions.map((one) => ({ value: one, label: t(one) }))]}
      />
      {action && (
        <div className={css.pair}>
          <TextInput label={t("ctaLabel")} maxLength={100} {...form.text("cta/label")} />
          {action === "deep_link" && (
            <LiquidField
              label={t("value_deep_link")}
              placeholder={"app://offers"}
              name="cta/value"
              value={form.values["cta/value"]}
              onChange={(address) => form.set("cta/value", address)}
              error={form.errorOf("cta/value")}
              scope={IN_APP}
              maxLength={4_096}
              readOnly={off}
            />
          )}
          {action === "custom" && (
            <TextInput
              label={t("value_custom")}
              description={t("value_customHint")}
              inputWrapperOrder={["label", "input", "description", "error"]}
              maxLength={4_096}
              {...form.text("cta/value")}
            />
          )}
        </div>
      )}
    </div>
  );
}
