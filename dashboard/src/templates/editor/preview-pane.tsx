import { JsonInput, SegmentedControl, Switch } from "@mantine/core";
import { useState } from "react";
import { PersonField } from "../../find-person/person-field.tsx";
import { Busy, FormProblem } from "../../platform/form/parts.tsx";
import { HtmlFrame } from "../../platform/html-frame.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Source } from "../../platform/look/parts.tsx";
import { Loading } from "../../platform/states/states.tsx";
import { CLIPPED_BYTES, weightOf } from "../checks/checks.ts";
import css from "./editor.module.css";
import { FaultNote } from "./fault-note.tsx";
import { texts } from "./texts.ts";
import { dataOf, type PreviewFor, type usePreview } from "./use-preview.ts";

const PHONE_PX = 375;
const views = ["desktop", "phone", "text"] as const;

interface PreviewPaneProps {
  of: ReturnType<typeof usePreview>;
  value: PreviewFor;
  onChange: (value: PreviewFor) => void;
}

/** The email as somebody gets it, while it is written. */
export function PreviewPane({ of: { preview, asked, error, fault }, value, onChange }: PreviewPaneProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const [view, setView] = useState<(typeof views)[number]>("desktop");
  const [dark, setDark] = useState(false);
  const bytes = preview ? weightOf(preview.body) : 0;
  return (
    <section className={css.preview} aria-label={t("preview")}>
      <div className={css.previewFor}>
        <PersonField
          label={t("previewFor")}
          value={value.person}
          onChange={(person) => onChange({ ...value, person })}
        />
        <JsonInput
          label={t("previewData")}
          placeholder='{ "order": "A-1001" }'
          autosize
          minRows={1}
          maxRows={6}
          value={value.data}
          onChange={(data) => onChange({ ...value, data })}
          error={dataOf(value.data) === undefined ? t("noJson") : undefined}
        />
      </div>
      {preview && preview.missing.length > 0 && (
        <p className={css.missing}>
          {t("missing", { fields: preview.missing.map((name) => `trigger.${name}`).join(", ") })}
        </p>
      )}
      <div className={css.views}>
        <SegmentedControl
          aria-label={t("view")}
          size="xs"
          value={view}
          onChange={(next) => setView(next as typeof view)}
          data={views.map((one) => ({ value: one, label: t(one) }))}
        />
        {view !== "text" && <Switch size="xs" label={t("dark")} checked={dark} onChange={() => setDark(!dark)} />}
        {preview && (
          <span className={`${css.weight} quiet numbers`} data-heavy={bytes > CLIPPED_BYTES}>
            {t("weight", { size: format.bytes(bytes), format: preview.format.toUpperCase() })}
          </span>
        )}
      </div>
      {fault ? <FaultNote fault={fault} /> : <FormProblem problem={error ?? undefined} />}
      <Busy of={asked} />
      {!preview && !error && <Loading rows={8} />}
      {preview && (
        <div className={css.shown} data-old={error !== null}>
          <div className={css.inbox}>
            <strong className="cut">{preview.subject || t("noSubject")}</strong>
            <span className="quiet cut">{preview.preheader ?? ""}</span>
          </div>
          {view === "text" ? (
            <Source text={preview.plaintext} />
          ) : (
            <HtmlFrame
              html={preview.body}
              title={t("preview")}
              height={620}
              width={view === "phone" ? PHONE_PX : undefined}
              dark={dark}
            />
          )}
        </div>
      )}
      {error && preview && !fault && <Note tone="plain">{t("older")}</Note>}
    </section>
  );
}
