import { TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Read } from "../../platform/call/call.ts";
import { useList, useRead } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useEdit } from "../../platform/form/edit.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { More } from "../../platform/list/more.tsx";
import { Item, Lines, List, Note, Section } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { BodyField } from "../editor/body-field.tsx";
import css from "../editor/editor.module.css";
import { FaultNote } from "../editor/fault-note.tsx";
import { PreviewPane } from "../editor/preview-pane.tsx";
import { faultOf, usePreview } from "../editor/use-preview.ts";
import type { Layout, Snippet, SnippetRow, Template, TemplateRow } from "../template.ts";
import { TemplateField } from "../template-field.tsx";
import { aroundSnippet, sampleFor, textsOf } from "./samples.ts";
import { texts } from "./texts.ts";

export type PartKind = "email-layouts" | "snippets";
export type Part = Layout | Snippet;
const nodeNames = { "email-layouts": "emailLayouts", snippets: "snippets" } as const;
export const kindTexts = { "email-layouts": "layout", snippets: "snippet" } as const;

/** The text of a layout or a snippet beside a template that has it. */
export function PartForm({ kind, version }: { kind: PartKind; version: Read<Part> }) {
  const t = useTexts(texts);
  const off = !mayEdit(useWorkspace());
  const part = version.body;
  const { id } = part;
  const path = `/${kind}/${id}`;
  const isLayout = kind === "email-layouts";
  const reached = useList<TemplateRow>("/email-templates", {
    limit: 20,
    counts: true,
    ...(isLayout ? { layout_id: id } : { snippet: part.name }),
  });
  const count = (reached.data?.pages[0] as { counts?: { total: number } } | undefined)?.counts?.total ?? 0;
  const form = useEdit({
    path,
    version,
    valuesOf: ({ name, body }: Part) => ({ name, body }),
    bodyOf: (values, typed) => Object.fromEntries(typed.map((name) => [name, values[name]])),
    // A refusal may be about another template: it is said with its name, and not at the text.
    fieldOf: (pointer) => (pointer === "/name" ? "name" : pointer),
    onSaved: () => tell(count > 0 ? t("savedReach", { count }) : t("saved")),
  });
  const { body } = form.values;
  const [seenIn, setSeenIn] = useState<string>();
  const [reader, setReader] = useState({ person: "", data: "" });
  const template = seenIn ?? reached.rows[0]?.id ?? "";
  const around = useRead<Template>(`/email-templates/${template}`, {}, { enabled: template !== "" });
  const previewed = usePreview(textsAround({ ...part, body }, around.data, t), reader);
  const snippets = useRead<{ data: SnippetRow[] }>("/snippets", { limit: 200, sort: "name" });
  const names = useMemo(() => (snippets.data?.data ?? []).map(({ name }) => name), [snippets.data]);
  const refused = faultOf(form.problem);
  return (
    <>
      <div className={css.split}>
        <form onSubmit={form.onSubmit} className={css.fields}>
          {isLayout ? (
            <TextInput
              label={t("name")}
              description={t("layoutHint")}
              required
              maxLength={200}
              readOnly={off}
              {...form.text("name")}
            />
          ) : (
            <span>
              {t("insert")}: <code>{`{% snippet "${part.name}" %}`}</code>
            </span>
          )}
          <BodyField
            value={body}
            onChange={(text) => form.set("body", text)}
            error={form.errorOf("body")}
            fault={previewed.fault}
            part={isLayout ? "layout" : `snippet ${part.name}`}
            format={"format" in part ? part.format : "html"}
            snippets={names}
            readOnly={off}
          />
          {refused?.templateId && <FaultNote fault={refused} />}
          {reached.data && (
            <Note tone={count > 0 && form.dirty ? "warn" : "plain"}>
              {count > 0 ? t("reach", { count }) : t("reachNone")}
            </Note>
          )}
          {!off && <SaveBar form={form} labels={{ name: t("name"), body: t(kindTexts[kind]) }} />}
        </form>
        <div className={`${css.side} ${css.fields}`}>
          <TemplateField label={t("seenIn")} value={template} onChange={setSeenIn} links={false} />
          <PreviewPane of={previewed} value={reader} onChange={setReader} />
        </div>
      </div>
      <UsedBy reached={reached} />
      <AsCall
        of={{
          method: "PATCH",
          path: `/api/v1${path}`,
          node: `${nodeNames[kind]}.update`,
          ids: [id],
          body: isLayout ? form.values : { body },
        }}
      />
    </>
  );
}

/** The templates that have it. */
function UsedBy({ reached }: { reached: ReturnType<typeof useList<TemplateRow>> }) {
  const t = useTexts(texts);
  return (
    <Section title={t("usedBy")}>
      {reached.rows.length === 0 ? (
        <p className="quiet">{t("reachNone")}</p>
      ) : (
        <List>
          {reached.rows.map((row) => (
            <Item key={row.id}>
              <TemplateLink row={row} />
            </Item>
          ))}
        </List>
      )}
      <More list={reached} />
    </Section>
  );
}

/** What the preview shows: the text in a template that has it, or in as little as it needs. */
function textsAround(part: Part, template: Template | undefined, t: Say<typeof texts>): Record<string, unknown> {
  const { name, body } = part;
  if ("format" in part) {
    const { layout_id: _, ...written } = template
      ? textsOf(template)
      : { subject: t("sampleSubject"), body: sampleFor(part, t("sample")), layout_id: null };
    return { ...written, layout: { body } };
  }
  const written = template ? textsOf(template) : { subject: name, body: aroundSnippet(part) };
  return { ...written, snippet: { name, body } };
}

function TemplateLink({ row: { id, name, subject } }: { row: TemplateRow }) {
  const { id: workspace } = useWorkspace();
  return (
    <Lines>
      <Link to="/w/$workspace/email-templates/$id" params={{ workspace, id }}>
        {name}
      </Link>
      <span className="quiet cut">{subject}</span>
    </Lines>
  );
}
