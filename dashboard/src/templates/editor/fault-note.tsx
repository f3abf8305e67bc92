import { Link } from "@tanstack/react-router";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import type { SnippetRow, Template } from "../template.ts";
import { texts } from "./texts.ts";
import type { TextFault } from "./use-preview.ts";

/** What is wrong with a text, with a link to it where it is not on this page. */
export function FaultNote({ fault }: { fault: TextFault }) {
  const t = useTexts(texts);
  const { part, line, message, templateId } = fault;
  const snippet = /^snippet (.+)$/.exec(part)?.[1];
  const place = snippet ? t("part_snippet", { name: snippet }) : t(partTexts[part] ?? "part_body");
  return (
    <Note tone="bad" role="alert">
      {line === undefined ? place : t("atLine", { place, line })}: {message}.{" "}
      {templateId && <OtherTemplate id={templateId} />}
      {snippet && <SnippetLink name={snippet} />}
    </Note>
  );
}
const partTexts: Record<string, keyof typeof texts> = {
  subject: "part_subject",
  preheader: "part_preheader",
  layout: "part_layout",
  plaintext: "part_plaintext",
};

/** The template that a change of a layout or snippet would break. */
function OtherTemplate({ id }: { id: string }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { data } = useRead<Template>(`/email-templates/${id}`);
  return (
    <>
      {t("otherTemplate")}{" "}
      <Link to="/w/$workspace/email-templates/$id" params={{ workspace, id }} target="_blank">
        {data?.name ?? id}
      </Link>
    </>
  );
}

function SnippetLink({ name }: { name: string }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { data } = useRead<{ data: SnippetRow[] }>("/snippets", { q: name, limit: 20 });
  const found = data?.data.find((one) => one.name === name);
  if (!found) return null;
  return (
    <Link to="/w/$workspace/snippets/$id" params={{ workspace, id: found.id }} target="_blank">
      {t("openSnippet")}
    </Link>
  );
}
