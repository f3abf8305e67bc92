import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { checkContent } from "../outbound/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import { checkTemplate, newestTemplates, noTemplate, templateAt, templateIdOf } from "../templates/index.ts";
import type { Users } from "../workspaces/index.ts";
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

/**
 * The content with the version of its template that is the newest now. Not with its texts: with many languages they
 * would be megabytes, read and written with each page. @throws Problem template_not_found
 */
export async function fixed(q: Queries, workspaceId: string, content: Fields): Promise<Fields> {
  if (content.template_id === undefined) return content;
  const id = templateIdOf(content);
  const [newest] = id ? await newestTemplates(q, [{ workspaceId, id }]) : [];
  if (!newest) throw noTemplate();
  return { ...content, template_version: newest.version };
}

/** The content with its template's texts in place, which a text of its own stands above. @throws Problem template_not_found */
export async function filled(q: Queries, workspaceId: string, content: Fields): Promise<Fields> {
  const { template_version: version } =
    content.template_version === undefined ? await fixed(q, workspaceId, content) : content;
  const id = templateIdOf(content);
  if (id === undefined || typeof version !== "number") return content;
  const found = await templateAt(q, workspaceId, id, version);
  if (!found) throw noTemplate();
  return { ...found.content, ...content, template_version: version };
}

/** The broadcasts that are to send a template, for whoever wants to delete it. */
export const templateUsers: Users["template"] = async (tx, workspaceId, templateId) =>
  (await usingTemplate(tx, workspaceId, encodeId("tpl", templateId))).map(({ name }) => name);
