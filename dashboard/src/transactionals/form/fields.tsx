import { NativeSelect, Radio, SegmentedControl, Stack, Switch, TextInput } from "@mantine/core";
import { useId } from "react";
import { ContentFields } from "../../content/channels/content-fields.tsx";
import type { LiquidScope } from "../../content/liquid/scope.ts";
import { useRead } from "../../platform/call/queries.ts";
import type { Form } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { TemplateField } from "../../templates/template-field.tsx";
import { channels, type TransactionalChannel } from "../search.ts";
import { texts } from "../texts.ts";
import css from "../transactionals.module.css";
import { contentOf, contentValuesOf, type TransactionalValues } from "./values.ts";

/** A trigger name as programs write it, in each language. */
const EXAMPLE = "order_confirmation";

interface FieldsProps {
  form: Form<TransactionalValues>;
  off: boolean;
}

/** How it is called, and through which channel it goes, which never changes later. */
export function NameFields({ form, off, making = false }: FieldsProps & { making?: boolean }) {
  const t = useTexts(texts);
  const id = useId();
  return (
    <Stack gap="md">
      <TextInput label={t("name")} maxLength={200} autoFocus={making} disabled={off} {...form.text("name")} />
      <TextInput
        label={t("triggerName")}
        description={t("triggerNameHint")}
        placeholder={EXAMPLE}
        maxLength={200}
        autoCapitalize="none"
        spellCheck={false}
        disabled={off}
        {...form.text("trigger_name")}
      />
      {making && (
        <div className={css.choice}>
          <span id={id} className={css.legend}>
            {t("channel")}
          </span>
          <SegmentedControl
            aria-labelledby={id}
            value={form.values.channel}
            onChange={(channel) => form.set("channel", channel as TransactionalChannel)}
            data={channels.map((value) => ({ value, label: t(value) }))}
          />
        </div>
      )}
    </Stack>
  );
}

/** Who gets it, also of those who unsubscribed, and how it is sent. */
export function SettingFields({ form, off }: FieldsProps) {
  const t = useTexts(texts);
  const topics = useRead<{ data: { id: string; name: string }[] }>("/topics", { limit: 200, sort: "name" });
  const { values } = form;
  const switchOf = (name: "tracking/opens" | "tracking/clicks" | "at_most_once") => ({
    name,
    checked: values[name],
    disabled: off,
    onChange: (event: { currentTarget: { checked: boolean } }) => form.set(name, event.currentTarget.checked),
  });
  return (
    <Section title={t("sending")}>
      <Stack gap="md">
        <Radio.Group
          label={t("preference")}
          value={values.subscription_preference}
          onChange={(value) =>
            form.set("subscription_preference", value as TransactionalValues["subscription_preference"])
          }
          error={form.errorOf("subscription_preference")}
        >
          <Stack gap={8} mt="xs">
            <Radio value="subscribed" label={t("subscribed")} description={t("subscribedHint")} disabled={off} />
            <Radio value="all" label={t("everybody")} description={t("everybodyHint")} disabled={off} />
          </Stack>
        </Radio.Group>
        {values.subscription_preference === "all" && <Note tone="warn">{t("legal")}</Note>}
        <NativeSelect
          label={t("topic")}
          description={t("topicHint")}
          name="topic_id"
          disabled={off}
          value={values.topic_id ?? ""}
          error={form.errorOf("topic_id")}
          onChange={(event) => form.set("topic_id", event.currentTarget.value || null)}
          data={[
            { value: "", label: t("noTopic") },
            ...(topics.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {values.channel === "email" && (
          <>
            <Switch label={t("opens")} {...switchOf("tracking/opens")} />
            <Switch label={t("clicks")} description={t("trackingHint")} {...switchOf("tracking/clicks")} />
          </>
        )}
        <Switch label={t("once")} description={t("onceHint")} {...switchOf("at_most_once")} />
      </Stack>
    </Section>
  );
}

/** What it says. */
export function SaidFields({ form, off, scope }: FieldsProps & { scope: LiquidScope }) {
  const t = useTexts(texts);
  const { values } = form;
  return (
    <Section title={t("content")}>
      <ContentFields
        channel={values.channel}
        value={contentOf(values)}
        onChange={(next) => {
          const fields = Object.entries(contentValuesOf(next)) as [keyof TransactionalValues & string, string | null][];
          for (const [name, text] of fields) if (values[name] !== text) form.set(name, text);
        }}
        errorOf={(field) => form.errorOf(`content/${field}`)}
        scope={scope}
        off={off}
        templateField={(props) => <TemplateField {...props} name="content/template_id" />}
        withRecipient
      />
    </Section>
  );
}
