import { isDeepLink, isImageAddress, type RenderTurn, renderParts, type Scope } from "../../content/index.ts";
import type { Rendered, Version } from "./version.ts";

export interface RenderResult {
  content: Rendered;
  /** Fields that are left out because their rendered address is unusable. */
  leftOut: string[];
}

/** Renders the content of a version for one person. @throws Problem template_error */
export async function render(
  { definition, dynamic }: Version,
  scope: Scope & { turn: RenderTurn },
): Promise<RenderResult> {
  const { title, body, image_url } = definition;
  const content: Rendered = { title, body, image_url };
  const leftOut: string[] = [];
  const texts = await renderParts(dynamic, scope);
  dynamic.forEach((part, i) => {
    // PostgreSQL can't store half of a surrogate pair, or a NUL, as JSON.
    const text = (texts[i] as string).toWellFormed().replaceAll("\0", "");
    if (part.name === "title") content.title = text;
    else if (part.name === "body") content.body = text;
    else if (part.name === "image_url") {
      const address = text.trim();
      content.image_url = isImageAddress(address) ? address : null;
      if (content.image_url === null) leftOut.push("image_url");
    } else {
      const address = text.trim();
      content.cta_value = isDeepLink(address) ? address : null;
      if (content.cta_value === null) leftOut.push("cta");
    }
  });
  return { content, leftOut };
}
