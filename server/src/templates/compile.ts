import type { Format } from "@tidings/contract/messages/templates";
import { checkParts, htmlOf, isDynamic, isOfCampaigns, MarkupError } from "../content/index.ts";
import { Problem } from "../platform/http/index.ts";
import { type Assembled, assemble, faultAt, faultIn, offsetOf, type Source } from "./assemble.ts";
import type { Content, Definition } from "./definition.ts";

/** The layout and the snippets that a template uses. */
export interface UsedParts {
  workspaceId: string;
  layout: { body: string; format: Format } | undefined;
  /** Bodies by name. */
  snippets: ReadonlyMap<string, string>;
}

/**
 * Compiles the content that is sent: snippets and layout filled in, MJML as HTML, Liquid as it was written. Sending compiles
 * nothing.
 * @throws Problem template_error with the part, line and column of the text that its author wrote
 */
export async function compileTemplate(
  definition: Definition,
  { workspaceId, layout, snippets }: UsedParts,
): Promise<{ content: Content; snippets: string[] }> {
  const body: Source = { part: "body", text: definition.body };
  if (layout) checkPair(body, definition.format, layout.format);
  const layoutText = layout && { part: "layout", text: layout.body };
  const assembled = assemble(body, layoutText, snippets);
  const { subject, preheader, plaintext, from, reply_to } = definition;
  const content: Content = {
    subject,
    ...(preheader !== null && { preheader }),
    body: await htmlFrom(assembled, layout?.format ?? definition.format, workspaceId),
    ...(plaintext !== null && { plaintext_body: plaintext }),
    ...(from !== null && { from }),
    ...(reply_to !== null && { reply_to }),
  };
  return { content, snippets: [...assembled.snippets].sort() };
}

/** Checks that a layout compiles, without a body. @throws Problem template_error */
export async function tryLayout(
  layout: Source,
  format: Format,
  { workspaceId, snippets }: Pick<UsedParts, "workspaceId" | "snippets">,
): Promise<void> {
  // The tag itself takes the place of the body: for Liquid it is an unknown name.
  const assembled = assemble({ part: "body", text: "{{ content }}" }, layout, snippets);
  await htmlFrom(assembled, format, workspaceId, givenAround);
}

/** Checks that a snippet compiles alone: its Liquid must be complete. @throws Problem template_error */
export const trySnippet = (snippet: Source, snippets: ReadonlyMap<string, string>): void =>
  checkLiquid(assemble(snippet, undefined, snippets), givenAround);

/**
 * Whether the template around a part may define an unknown name. It may assign a single name, and is checked itself later; a name
 * with fields can only be data.
 */
const givenAround = (names: string[]): boolean => names.length === 1 || isOfCampaigns(names);
type MayBeDefined = (names: string[]) => boolean;

function checkPair(body: Source, format: Format, layout: Format): void {
  if (layout === "html" && format === "mjml") throw faultIn(body, 0, "is MJML, but its layout is HTML");
  const document = body.text.search(/<mjml\b/i);
  if (document !== -1) {
    throw faultIn(body, document, "is a whole document, but stands in a layout: leave out <mjml> and <mj-body>");
  }
}

async function htmlFrom(
  assembled: Assembled,
  format: Format,
  workspaceId: string,
  open: MayBeDefined = isOfCampaigns,
): Promise<string> {
  checkLiquid(assembled, open);
  if (format === "html") {
    const element = assembled.text.search(/<\/?mj(?:ml\b|-[a-z])/i);
    if (element !== -1) throw faultAt(assembled, element, "has an element of MJML, but is sent as HTML");
    return assembled.text;
  }
  try {
    const html = await htmlOf(assembled.text, workspaceId);
    checkCompiled(assembled, html);
    return html;
  } catch (error) {
    if (error instanceof MarkupError) throw faultAt(assembled, error.at, error.message, error);
    throw error;
  }
}

/** Checks the Liquid after the compile: MJML repeats attributes and adds markup between elements, which may break a block apart. */
function checkCompiled(assembled: Assembled, html: string): void {
  try {
    // Its names were checked before.
    checkParts([{ name: "body", source: html, html: true }], () => true);
  } catch (error) {
    const why = error instanceof Problem ? (error.options.errors?.[0]?.message ?? "") : "";
    const what = `has Liquid that the HTML of its MJML takes apart (${why}): end each block in the text or the value that begins it`;
    throw faultAt(assembled, 0, what, error);
  }
}

/** Parses the Liquid before the MJML is compiled, while its lines are still the author's. */
function checkLiquid(assembled: Assembled, open: MayBeDefined): void {
  if (!isDynamic(assembled.text)) return;
  try {
    checkParts([{ name: "body", source: assembled.text, html: true }], open);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors, extra } = error.options;
    const [line, column] = [extra?.line, extra?.column];
    if (typeof line !== "number" || typeof column !== "number") throw error;
    throw faultAt(assembled, offsetOf(assembled.text, line, column), errors?.[0]?.message ?? error.message, error);
  }
}
