import type { PushedChannel } from "@tidings/contract/outbound";
import { checkContent } from "../outbound/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import { checkTemplate, newestTemplates, noTemplate, templateIdOf, type UsedBy } from "../templates/index.ts";
import { usingTemplate } from "./store.ts";

/** What an email, a push or a text message of a broadcast says: the same shapes as of a transactional. */
export type Fields = Record<string, unknown>;

/** @throws Problem invalid_request naming the field, template_error with line and column, template_not_found */
export async function checkWritten(
  q: Queries,
  workspaceId: string,
  channel: PushedChannel,
  content: Fields,
): Promise<void> {
  checkContent(channel, content);
  if (channel === "email") await checkTemplate(q, workspaceId, content);
}

/** The content with its template's newest texts in place, which a text of its own stands above. @throws Problem template_not_found */
export async function filled(q: Queries, workspaceId: string, content: Fields): Promise<Fields> {
  if (content.template_id === undefined) return content;
  const id = templateIdOf(content);
  const [newest] = id ? await newestTemplates(q, [{ workspaceId, id }]) : [];
  if (!newest) throw noTemplate();
  return { ...newest.content, ...content, template_version: newest.version };
}

/** The broadcasts that are to send a template, for whoever wants to delete it. */
export const templateUsers: UsedBy = async (tx, workspaceId, templateId) =>
  (await usingTemplate(tx, workspaceId, encodeId("tpl", templateId))).map(({ name }) => name);
