import { Switch, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { LiquidField } from "../../content/liquid/liquid-field.tsx";
import type { Read } from "../../platform/call/call.ts";
import { useRead } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { type Edit, useEdit } from "../../platform/form/edit.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { AdviceList } from "../checks/advice-list.tsx";
import { adviceFor } from "../checks/checks.ts";
import { LayoutSelect } from "../start/layout-select.tsx";
import type { SnippetRow, Template } from "../template.ts";
import css from "./editor.module.css";
import { PreviewPane } from "./preview-pane.tsx";
import { type Jump, TEMPLATE_SCOPE } from "./scope.ts";
import { TestSend } from "./test-send.tsx";
import { texts } from "./texts.ts";
import { type PreviewFor, type TextFault, usePreview } from "./use-preview.ts";
import { bodyOf, type TemplateValues, valuesOf } from "./values.ts";
import { WrittenBody } from "./written-body.tsx";

const NOBODY: PreviewFor = { person: "", data: "" };

/** The editor of a template: its texts, beside their preview for one person and the advice about them. */
export function TemplateForm({ version }: { version: Read<Template> }) {
  const t = useTexts(texts);
  const off = !mayEdit(useWorkspace());
  const { id } = version.body;
  const form = useEdit({
    path: `/email-templates/${id}`,
    version,
    valuesOf,
    bodyOf,
    onSaved: () => tell(t("saved")),
  });
  const [reader, setReader] = useState(NOBODY);
  const [jump, setJump] = useState<Jump>();
  const { values } = form;
  const { name: _, ...written } = bodyOf(values);
  const previewed = usePreview(written, reader);
  const advice = useMemo(() => adviceFor(values, previewed.preview), [values, previewed.preview]);
  const labels = Object.fromEntries(
    (["name", "subject", "preheader", "from", "reply_to", "body", "plaintext"] as const).map((name) => [name, t(name)]),
  );
  return (
    <>
      <div className={css.split}>
        <form onSubmit={form.onSubmit} className={css.fields}>
          <Fields form={form} off={off} fault={previewed.fault} jump={jump} format={version.body.format} />
          {!off && <SaveBar form={form} labels={{ ...labels, layout_id: t("layout") }} />}
        </form>
        <div className={css.side}>
          <PreviewPane of={previewed} value={reader} onChange={setReader} />
          <AdviceList of={advice} onJump={({ part, line = 1 }) => setJump({ part, line })} />
          <TestSend id={id} reader={reader} dirty={form.dirty} />
          <Section title={t("languages")}>
            <p className="quiet">{t("languagesBody")}</p>
          </Section>
        </div>
      </div>
      <AsCall
        of={{
          method: "PATCH",
          path: `/api/v1/email-templates/${id}`,
          node: "emailTemplates.update",
          ids: [id],
          body: bodyOf(values),
        }}
      />
    </>
  );
}

interface FieldsProps {
  form: Edit<TemplateValues>;
  off: boolean;
  fault: TextFault | undefined;
  jump: Jump | undefined;
  format: Template["format"];
}

function Fields({ form, off, fault, jump, format }: FieldsProps) {
  const t = useTexts(texts);
  const { values, set } = form;
  const snippets = useRead<{ data: SnippetRow[] }>("/snippets", { limit: 200, sort: "name" });
  const names = useMemo(() => (snippets.data?.data ?? []).map(({ name }) => name), [snippets.data]);
  const [own, setOwn] = useState(false);
  const ownText = own || values.plaintext !== "" || jump?.part === "plaintext";
  const field = (name: "subject" | "preheader" | "plaintext") => ({
    name,
    label: t(name),
    value: values[name],
    onChange: (text: string) => set(name, text),
    error: form.errorOf(name) ?? (fault?.part === name ? fault.message : undefined),
    jump: jump?.part === name ? jump : undefined,
    scope: TEMPLATE_SCOPE,
    readOnly: off,
    maxLength: name === "plaintext" ? 524_288 : 2_000,
  });
  return (
    <>
      <div className={css.pair}>
        <TextInput label={t("name")} required maxLength={200} readOnly={off} {...form.text("name")} />
        <LayoutSelect
          value={values.layout_id}
          onChange={(id) => set("layout_id", id)}
          error={form.errorOf("layout_id")}
          disabled={off}
        />
      </div>
      <LiquidField {...field("subject")} />
      <LiquidField {...field("preheader")} description={t("preheaderHint")} />
      <div className={css.pair}>
        {(["from", "reply_to"] as const).map((name) => (
          <TextInput
            key={name}
            label={t(name)}
            placeholder="Acme <hello@acme.test>"
            description={t("senderHint")}
            maxLength={400}
            readOnly={off}
            {...form.text(name)}
          />
        ))}
      </div>
      <WrittenBody
        value={values.body}
        onChange={(text) => set("body", text)}
        error={form.errorOf("body")}
        fault={fault}
        jump={jump}
        format={format}
        snippets={names}
        readOnly={off}
      />
      <Switch
        label={t("ownText")}
        description={t("ownTextHint")}
        checked={ownText}
        disabled={off}
        onChange={() => {
          setOwn(!ownText);
          if (ownText) set("plaintext", "");
        }}
      />
      {ownText && <LiquidField {...field("plaintext")} lines={8} />}
    </>
  );
}
