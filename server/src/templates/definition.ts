import type {
  EmailTemplateInput,
  EmailTemplatePatch,
  Format,
  TemplateWarning,
} from "@tidings/contract/messages/templates";
import { checkParts, isDynamic, isOfCampaigns } from "../content/index.ts";
import { badField } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { mailbox } from "../platform/mailbox.ts";

/** The texts of a template as the author wrote them, with every default written out. */
export interface Definition {
  subject: string;
  preheader: string | null;
  body: string;
  format: Format;
  plaintext: string | null;
  layout_id: string | null;
  from: string | null;
  reply_to: string | null;
}

/** The compiled email before it is rendered for a person: the shape of a transactional's content. */
export interface Content {
  subject: string;
  preheader?: string;
  body: string;
  plaintext_body?: string;
  from?: string;
  reply_to?: string;
}

/** Validates what an author sent. @throws Problem invalid_request that names the field, template_error with line and column */
export function readDefinition(input: Omit<EmailTemplateInput, "name">): Definition {
  const definition: Definition = {
    subject: input.subject,
    preheader: input.preheader || null,
    body: input.body,
    format: input.format ?? formatOf(input.body),
    plaintext: input.plaintext || null,
    layout_id: layoutOf(input.layout_id),
    from: input.from ?? null,
    reply_to: input.reply_to ?? null,
  };
  for (const name of ["from", "reply_to"] as const) {
    const sender = definition[name];
    if (sender !== null && !isDynamic(sender) && !mailbox(sender)) {
      throw badField(`/${name}`, "must be one address, such as `Acme <hello@acme.test>`");
    }
  }
  const { body: _, format: __, layout_id: ___, ...texts } = definition;
  checkParts(
    Object.entries(texts).flatMap(([name, source]) => (source === null ? [] : [{ name, source, html: false }])),
    isOfCampaigns,
  );
  return definition;
}

/** Applies an edit: the fields that it names replace the definition's. @throws as readDefinition */
export function applyPatch(before: Definition, { name: _, ...patch }: EmailTemplatePatch): Definition {
  const { format, layout_id, ...texts } = before;
  return readDefinition({
    ...texts,
    layout_id: layout_id && encodeId("lay", layout_id),
    // The format of a new body is detected from its text.
    ...(patch.body === undefined && { format }),
    ...patch,
  });
}

/** The format of a text: MJML where its first element is MJML's, after comments and Liquid tags. */
export function formatOf(text: string): Format {
  const blank = /\s*/y;
  for (;;) {
    blank.test(text);
    const at = blank.lastIndex;
    const end = text.startsWith("<!--", at) ? "-->" : text.startsWith("{%", at) ? "%}" : undefined;
    if (end === undefined) return /^<mj(?:ml|-)/i.test(text.slice(at, at + 5)) ? "mjml" : "html";
    const close = text.indexOf(end, at);
    if (close === -1) return "html";
    blank.lastIndex = close + end.length;
  }
}

/** Its length is limited, because a body may be 512 KB of unfinished tags like this. */
const INLINE_STYLE = /<mj-style\s(?:[^<>]{0,1000}?\s)?inline\b/i;

/** The warnings for the author of a body; without `warnings` where there are none. */
export const warningsOf = (body = ""): { warnings?: TemplateWarning[] } =>
  INLINE_STYLE.test(body)
    ? {
        warnings: [
          {
            code: "style_not_inlined",
            message:
              "The styles of <mj-style inline> stay in the head and are not moved into elements. Mail programs that drop styles of the head show none of them: write what matters as attributes.",
            field: "body",
          },
        ],
      }
    : {};

function layoutOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const id = decodeId("lay", text);
  if (!id) throw noLayout();
  return id;
}

/** The 400 for a layout that this workspace does not have. */
export const noLayout = () => badField("/layout_id", "names no email layout of this workspace");
