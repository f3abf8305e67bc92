import { useRead } from "../../platform/call/queries.ts";
import type { Read } from "../../platform/call/call.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useEdit } from "../../platform/form/edit.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { texts as contentTexts } from "../../content/channels/texts.ts";
import { NameFields, SaidFields, SettingFields } from "../form/fields.tsx";
import { contentOf, patchOf, type Transactional, type TransactionalValues, valuesOf } from "../form/values.ts";
import { texts } from "../texts.ts";
import css from "../transactionals.module.css";
import { PreviewPane } from "./preview-pane.tsx";
import { type DataSchema, fieldsOf } from "./sample-data.ts";

/** What a transactional says, beside how that looks. */
export function Edit({ version }: { version: Read<Transactional> }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const off = !mayEdit(open);
  const { id } = version.body;
  // What the choice of people itself says is beside it.
  const warnings = version.body.warnings.filter(({ code }) => code !== "reaches_unsubscribed");
  const path = `/transactionals/${id}`;
  const contract = useRead<DataSchema>(`${path}/contract`).data;
  const form = useEdit({ path, version, valuesOf, bodyOf: patchOf, onSaved: () => tell(t("saved")) });
  const fields = contract && fieldsOf(contract).map(({ name }) => name.split(".")[0] as string);
  const before = valuesOf(version.body);
  const typed = Object.keys(before).filter((name) => form.values[name] !== before[name]);
  const patch = patchOf(form.values, typed);
  return (
    <>
      <div className={css.split}>
        <form onSubmit={form.onSubmit}>
          {warnings.length > 0 && (
            <Section title={t("toConsider")}>
              {warnings.map(({ code, message }) => (
                <Note key={code} tone="warn">
                  {message}
                </Note>
              ))}
            </Section>
          )}
          <Section title={t("naming")}>
            <NameFields form={form} off={off} />
          </Section>
          <SaidFields form={form} off={off} scope={{ trigger: { fields: [...new Set(fields)] } }} />
          <SettingFields form={form} off={off} />
          <SaveBar form={form} labels={useLabels()} />
        </form>
        <div className={css.beside}>
          <PreviewPane channel={form.values.channel} content={contentOf(form.values)} />
        </div>
      </div>
      <AsCall
        of={
          typed.length === 0
            ? { method: "GET", path: `/api/v1${path}`, node: "transactionals.get", ids: [id] }
            : { method: "PATCH", path: `/api/v1${path}`, node: "transactionals.update", ids: [id], body: patch }
        }
      />
    </>
  );
}

/** How the fields are called where somebody else changed them meanwhile. */
function useLabels(): Partial<Record<keyof TransactionalValues & string, string>> {
  const t = useTexts(texts);
  const c = useTexts(contentTexts);
  return {
    name: t("name"),
    trigger_name: t("triggerName"),
    subscription_preference: t("preference"),
    topic_id: t("topic"),
    "tracking/opens": t("opens"),
    "tracking/clicks": t("clicks"),
    at_most_once: t("once"),
    "content/template_id": c("templateLabel"),
    "content/subject": c("subject"),
    "content/preheader": c("preheader"),
    "content/body": t("content"),
    "content/plaintext_body": c("plaintext"),
    "content/from": c("from"),
    "content/reply_to": c("replyTo"),
    "content/title": c("title"),
    "content/message": c("message"),
    "content/image_url": c("image"),
    "content/link": c("link"),
    "content/to": c("to"),
  };
}
