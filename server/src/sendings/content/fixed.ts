import { type MessageRow, messageById } from "../../inapp/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { newestTemplates, noTemplate, templateAt, templateIdOf } from "../../templates/index.ts";
import type { EditionContent, Editions, Sending } from "../sending.ts";
import { type Edition, listEditions, messageIdOf, withContents } from "./editions.ts";
import { within } from "./within.ts";

/** The content of an email, a push or a text message, in the shapes of a transactional. */
type Fields = Record<string, unknown>;

type SendingSource = Pick<Sending, "workspaceId" | "source">;

/**
 * Returns the editions with the newest version of each message and template. Sending fixes these versions when it starts.
 * @throws Problem content_missing, template_not_found
 */
export async function fixVersions(q: Queries, from: SendingSource, editions: Editions): Promise<Editions> {
  const versions = new Map<string, number>();
  const contents: EditionContent[] = [];
  for (const edition of listEditions(editions)) {
    const { message_id, content } = edition;
    if (content !== undefined) {
      contents.push({ content: await within(edition.at, () => fixTemplate(q, from.workspaceId, content)) });
      continue;
    }
    const version = versions.get(message_id ?? "") ?? (await messageFor(q, from, edition)).version;
    versions.set(message_id ?? "", version);
    contents.push({ ...(message_id !== undefined && { message_id }), message_version: version });
  }
  return withContents(editions, contents);
}

/** A content that editions only name, with the pointer to the field that names it. */
export interface NamedContent {
  pointer: string;
  content: unknown;
}

/** Returns the in-app messages and templates that editions name, in their newest versions. What was removed is left out. */
export async function namedContents(q: Queries, workspaceId: string, editions: Editions): Promise<NamedContent[]> {
  const found: NamedContent[] = [];
  for (const edition of listEditions(editions)) {
    const { at, content } = edition;
    const message = messageIdOf(edition);
    const row = message && (await messageById(q, workspaceId, message));
    if (row) found.push({ pointer: `${at}/message_id`, content: row.definition });
    const id = content && templateIdOf(content);
    const [newest] = id ? await newestTemplates(q, [{ workspaceId, id }]) : [];
    const template = id && newest && (await templateAt(q, workspaceId, id, newest.version));
    if (template) found.push({ pointer: `${at}/content/template_id`, content: template.content });
  }
  return found;
}

/** Returns the newest version of an edition's message. @throws Problem content_missing if the message was removed */
export async function messageFor(
  q: Queries,
  { workspaceId, source }: SendingSource,
  edition: Edition,
): Promise<MessageRow> {
  const id = messageIdOf(edition);
  const message = id === undefined ? undefined : await messageById(q, workspaceId, id);
  if (message) return message;
  throw new Problem(
    "content_missing",
    `The in-app message of this ${source} was removed: give it another message_id.`,
    {
      errors: [{ pointer: `${edition.at}/message_id`, message: "names a message that was removed" }],
    },
  );
}

/**
 * Returns the content with the newest version number of its template. The template's texts are left out: with many languages
 * they would be megabytes, which each batch would read and write. @throws Problem template_not_found
 */
async function fixTemplate(q: Queries, workspaceId: string, content: Fields): Promise<Fields> {
  if (content.template_id === undefined) return content;
  const id = templateIdOf(content);
  const [newest] = id ? await newestTemplates(q, [{ workspaceId, id }]) : [];
  if (!newest) throw noTemplate();
  return { ...content, template_version: newest.version };
}

/** Returns the content with its template's texts, which the content's own texts override. @throws Problem template_not_found */
export async function withTemplate(q: Queries, workspaceId: string, content: Fields): Promise<Fields> {
  const { template_version: version } =
    content.template_version === undefined ? await fixTemplate(q, workspaceId, content) : content;
  const id = templateIdOf(content);
  if (id === undefined || typeof version !== "number") return content;
  const found = await templateAt(q, workspaceId, id, version);
  if (!found) throw noTemplate();
  return { ...found.content, ...content, template_version: version };
}
