import { SegmentedControl, Stack } from "@mantine/core";
import { useId, useRef } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { LiquidField } from "../liquid/liquid-field.tsx";
import css from "./channels.module.css";
import { type Content, emptyContent, textIn } from "./content.ts";
import { type ContentFieldsProps, fieldOf } from "./fields.ts";
import { texts } from "./texts.ts";

/** The fields of an email: of its own HTML, or of a template with what replaces the template's own. */
export function EmailFields(props: ContentFieldsProps) {
  const { value, onChange, templateField, off = false } = props;
  const t = useTexts(texts);
  const field = fieldOf(props);
  const id = useId();
  /** What was written before the other one was chosen: it comes back with it. */
  const other = useRef<Content>(undefined);
  const templated = value.template_id !== undefined;
  const choose = (next: string) => {
    if ((next === "template") === templated) return;
    onChange(other.current ?? (next === "template" ? { template_id: "" } : emptyContent("email")));
    other.current = value;
  };
  const hint = templated ? t("ofTemplate") : undefined;
  return (
    <Stack gap="md">
      {(templateField || templated) && (
        <div className={css.source}>
          <span id={id} className={css.legend}>
            {t("source")}
          </span>
          <SegmentedControl
            aria-labelledby={id}
            disabled={off}
            value={templated ? "template" : "own"}
            onChange={choose}
            data={[
              { value: "own", label: t("own") },
              { value: "template", label: t("template") },
            ]}
          />
          {templated && <span className={css.count}>{t("templateHint")}</span>}
        </div>
      )}
      {templated &&
        templateField?.({
          label: t("templateLabel"),
          value: textIn(value, "template_id"),
          onChange: (template) => onChange({ ...value, template_id: template }),
          error: props.errorOf("template_id"),
          disabled: off,
        })}
      <LiquidField label={t("subject")} description={hint} maxLength={2_000} {...field("subject")} />
      <LiquidField
        label={t("preheader")}
        description={hint ?? t("preheaderHint")}
        maxLength={2_000}
        {...field("preheader")}
      />
      {!templated && (
        <LiquidField label={t("body")} lines={14} language="html" maxLength={524_288} {...field("body")} />
      )}
      {!templated && (
        <LiquidField
          label={t("plaintext")}
          description={t("plaintextHint")}
          lines={3}
          maxLength={524_288}
          {...field("plaintext_body")}
        />
      )}
      <div className={css.pair}>
        <LiquidField
          label={t("from")}
          description={hint ?? t("fromHint")}
          placeholder="Acme <hello@acme.test>"
          maxLength={400}
          {...field("from")}
        />
        <LiquidField
          label={t("replyTo")}
          description={hint ?? t("replyToHint")}
          maxLength={400}
          {...field("reply_to")}
        />
      </div>
    </Stack>
  );
}
