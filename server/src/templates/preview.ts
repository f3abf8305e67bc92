import type { EmailTemplateTextsPreviewInput } from "@tidings/contract/messages/templates";
import { missingFields, type Part, renderParts, textOf } from "../content/index.ts";
import { viewOf } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { notFound } from "../platform/http/index.ts";
import { NO_LINKS } from "../subscriptions/index.ts";
import type { Source } from "./assemble.ts";
import { compileTemplate, type UsedParts } from "./compile.ts";
import { type Content, type Definition, formatOf, readDefinition, warningsOf } from "./definition.ts";
import { newestTemplates } from "./newest.ts";
import { partsReader } from "./parts-reader.ts";

/** Whom a preview is for, and what the call would carry. */
interface Reader {
  person_id?: string;
  person?: Record<string, unknown>;
  message_data?: Record<string, unknown>;
}

/**
 * Renders a template for a known person, for given attributes, or for the person with the given attributes on top.
 * @throws Problem not_found, person_not_found, template_error
 */
export async function preview(q: Queries, workspaceId: string, id: string, reader: Reader) {
  const [newest] = await newestTemplates(q, [{ workspaceId, id }]);
  if (!newest) throw notFound("email template");
  return { version: newest.version, ...(await rendered(q, workspaceId, newest.content, reader)) };
}

/**
 * Compiles and renders texts that are not saved, as `preview` does those of a template. The text of a layout or of a snippet may be given, too.
 * @throws Problem invalid_request, person_not_found, template_error
 */
export async function previewTexts(q: Queries, workspaceId: string, input: EmailTemplateTextsPreviewInput) {
  const { layout, snippet, person_id, person, message_data, subject = "", ...texts } = input;
  const definition = readDefinition({ ...texts, subject, layout_id: layout ? null : (texts.layout_id ?? null) });
  const used = await usedParts(q, workspaceId, definition, { layout, snippet });
  const { content } = await compileTemplate(definition, used);
  const reader: Reader = {
    ...(person_id !== undefined && { person_id }),
    ...(person !== undefined && { person }),
    ...(message_data !== undefined && { message_data }),
  };
  return {
    format: definition.format,
    ...(await rendered(q, workspaceId, content, reader)),
    ...warningsOf(definition.body),
  };
}

interface Given {
  layout: EmailTemplateTextsPreviewInput["layout"] | undefined;
  snippet: EmailTemplateTextsPreviewInput["snippet"] | undefined;
}

/** The saved layout and snippets that texts use, with those of the call in their place. */
async function usedParts(
  q: Queries,
  workspaceId: string,
  { body, layout_id }: Definition,
  { layout, snippet }: Given,
): Promise<UsedParts> {
  const reader = partsReader(q, workspaceId);
  const saved = await reader.partsOf({ part: "body", text: body }, layout_id);
  const given: Source[] = [
    ...(layout ? [{ part: "layout", text: layout.body }] : []),
    ...(snippet ? [{ part: `snippet ${snippet.name}`, text: snippet.body }] : []),
  ];
  // They may use further snippets.
  for (const source of given) await reader.partsOf(source, null);
  return {
    workspaceId,
    layout: layout ? { body: layout.body, format: layout.format ?? formatOf(layout.body) } : saved.layout,
    snippets: snippet ? new Map([...saved.snippets, [snippet.name, snippet.body]]) : saved.snippets,
  };
}

async function rendered(q: Queries, workspaceId: string, content: Content, input: Reader) {
  const person = { ...(await viewOf(q, workspaceId, input.person_id)), ...input.person };
  const trigger = input.message_data ?? {};
  const parts = Object.entries(content).map(
    ([name, source]): Part => ({ name, source: source as string, html: name === "body" }),
  );
  const turn = { workspaceId, kind: "preview" } as const;
  const texts = await renderParts(parts, { person, trigger, links: NO_LINKS, turn });
  const text = Object.fromEntries(parts.map(({ name }, i) => [name, texts[i] as string]));
  const body = text.body ?? "";
  return {
    subject: text.subject ?? "",
    preheader: text.preheader ?? null,
    body,
    plaintext: text.plaintext_body ?? (await textOf(body, turn)),
    from: text.from ?? null,
    reply_to: text.reply_to ?? null,
    missing: missingFields(parts, trigger),
  };
}
