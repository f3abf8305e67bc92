import type { Queries } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { isLive } from "./store.ts";

// The content of an email may name a template, as `template_id`.

/** The template that a content names; undefined where it names none, or not a template id. */
export const templateIdOf = ({ template_id }: Record<string, unknown>): string | undefined =>
  typeof template_id === "string" ? decodeId("tpl", template_id) : undefined;

/** Checks that the template of a content exists when the content is written. @throws Problem template_not_found */
export async function checkTemplate(q: Queries, workspaceId: string, content: Record<string, unknown>): Promise<void> {
  if (content.template_id === undefined) return;
  const id = templateIdOf(content);
  if (id === undefined || !(await isLive(q, workspaceId, id))) throw noTemplate();
}

/** The 404 for a template_id that this workspace does not have. */
export const noTemplate = (): Problem =>
  new Problem("template_not_found", "No email template of this workspace has this id.", {
    errors: [{ pointer: "/content/template_id", message: "names no email template" }],
  });
