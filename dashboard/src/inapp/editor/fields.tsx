import { TextInput } from "@mantine/core";
import { LiquidField } from "../../content/liquid/liquid-field.tsx";
import { ImageField } from "../../media/image-field.tsx";
import { useRead } from "../../platform/call/queries.ts";
import type { Form } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { ExpiryField } from "../rules/expiry-field.tsx";
import { PersistenceField } from "../rules/persistence-field.tsx";
import { QuietHoursField } from "../rules/quiet-hours-field.tsx";
import { ScreensField } from "../rules/screens-field.tsx";
import { texts as ruleTexts } from "../rules/texts.ts";
import { ButtonFields } from "./button-fields.tsx";
import css from "./editor.module.css";
import { KindField } from "./kind-field.tsx";
import { PriorityField } from "./priority-field.tsx";
import { texts as own } from "./texts.ts";
import { IN_APP, type MessageValues, withKind } from "./values.ts";

const texts = { ...ruleTexts, ...own };

interface FieldsProps {
  form: Form<MessageValues>;
  /** Whether the member may only look. */
  off: boolean;
}

/** All fields of a message: what it says, how urgent it is, where and when it shows, and how often. */
export function Fields({ form, off }: FieldsProps) {
  const t = useTexts(texts);
  return (
    <fieldset disabled={off} className={css.plain}>
      <ContentFields form={form} off={off} />
      <Section title={t("priority")}>
        <PriorityField
          value={form.values.priority}
          onChange={(priority) => form.set("priority", priority)}
          error={form.errorOf("priority")}
        />
      </Section>
      <Section title={t("expiry")}>
        <ExpiryField
          value={form.values.expiry}
          onChange={(expiry) => form.set("expiry", expiry)}
          error={form.errorOf("expiry")}
        />
      </Section>
      <RuleFields form={form} off={off} />
    </fieldset>
  );
}

function ContentFields({ form, off }: FieldsProps) {
  const t = useTexts(texts);
  const { values } = form;
  const liquid = (name: "title" | "body" | "image_url") => ({
    name,
    value: values[name],
    onChange: (text: string) => form.set(name, text),
    error: form.errorOf(name),
    scope: IN_APP,
    readOnly: off,
  });
  return (
    <Section title={t("content")}>
      <div className={css.group}>
        <TextInput label={t("name")} description={t("nameHint")} maxLength={200} {...form.text("name")} />
        <KindField
          value={values.render_type}
          error={form.errorOf("render_type")}
          onChange={(kind) => {
            const changed = withKind(values, kind);
            for (const [name, value] of Object.entries(changed)) form.set(name as keyof MessageValues, value as never);
          }}
        />
        <LiquidField label={t("title")} maxLength={1_000} {...liquid("title")} />
        <LiquidField label={t("body")} description={t("liquidHint")} lines={4} maxLength={50_000} {...liquid("body")} />
        <ImageField
          {...liquid("image_url")}
          label={t("image")}
          field={(address) => <LiquidField {...address} {...liquid("image_url")} />}
          disabled={off}
        />
        <ButtonFields form={form} off={off} />
      </div>
    </Section>
  );
}

function RuleFields({ form, off }: FieldsProps) {
  const t = useTexts(texts);
  const { values } = form;
  const workspace = useRead<{ timezone: string }>("/workspace");
  return (
    <>
      <Section title={t("screens")}>
        <ScreensField
          value={{ include: values["screens/include"], exclude: values["screens/exclude"] }}
          onChange={(list, patterns) => form.set(`screens/${list}`, patterns)}
          errorOf={(list) => form.errorOf(`screens/${list}`)}
          disabled={off}
        />
      </Section>
      <Section title={t("quiet")}>
        <QuietHoursField
          value={{
            enabled: values["quiet_hours/enabled"],
            timezone_mode: values["quiet_hours/timezone_mode"],
            start: values["quiet_hours/start"],
            end: values["quiet_hours/end"],
          }}
          onChange={(name, value) => form.set(`quiet_hours/${name}`, value as never)}
          errorOf={(name) => form.errorOf(`quiet_hours/${name}`)}
          zone={workspace.data?.timezone ?? "UTC"}
          disabled={off}
        />
      </Section>
      <Section title={t("persistence")}>
        <PersistenceField
          value={{
            mode: values["persistence/mode"],
            per: values["persistence/per"],
            max_impressions: values["persistence/max_impressions"],
            min_interval: values["persistence/min_interval"],
          }}
          onChange={(name, value) => form.set(`persistence/${name}`, value as never)}
          errorOf={(name) => form.errorOf(`persistence/${name}`)}
        />
      </Section>
    </>
  );
}
