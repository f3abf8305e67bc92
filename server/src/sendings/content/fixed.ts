import { type MessageRow, messageById } from "../../inapp/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { newestTemplates, noTemplate, templateAt, templateIdOf } from "../../templates/index.ts";
import type { Said, Saying, Sending } from "../sending.ts";
import { type Edition, editionsOf, messageIdOf, withSaid } from "./editions.ts";
import { within } from "./within.ts";

/** What an email, a push or a text message says: the same shapes as of a transactional. */
type Fields = Record<string, unknown>;

type About = Pick<Sending, "workspaceId" | "source">;

/**
 * Returns what is said with the newest version of each message and template: what is fixed when sending starts.
 * @throws Problem content_missing, template_not_found
 */
export async function fixVersions(q: Queries, about: About, saying: Saying): Promise<Saying> {
  const versions = new Map<string, number>();
  const said: Said[] = [];
  for (const edition of editionsOf(saying)) {
    const { message_id, content } = edition.said;
    if (content !== undefined) {
      const whole = await within(edition.at, () => fixTemplate(q, about.workspaceId, content));
      said.push({ ...edition.said, content: whole });
      continue;
    }
    const known = versions.get(message_id ?? "") ?? (await messageFor(q, about, edition)).version;
    versions.set(message_id ?? "", known);
    said.push({ ...edition.said, message_version: known });
  }
  return withSaid(saying, said);
}

/** The message of an edition, as it is now. @throws Problem content_missing where it was removed since */
export async function messageFor(q: Queries, { workspaceId, source }: About, edition: Edition): Promise<MessageRow> {
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
 * The content with the version of its template that is the newest now. Its texts are left out: with many languages they
 * would be megabytes, which each page would read and write. @throws Problem template_not_found
 */
async function fixTemplate(q: Queries, workspaceId: string, content: Fields): Promise<Fields> {
  if (content.template_id === undefined) return content;
  const id = templateIdOf(content);
  const [newest] = id ? await newestTemplates(q, [{ workspaceId, id }]) : [];
  if (!newest) throw noTemplate();
  return { ...content, template_version: newest.version };
}

/** The content with its template's texts, which the content's own texts override. @throws Problem template_not_found */
export async function withTemplate(q: Queries, workspaceId: string, content: Fields): Promise<Fields> {
  const { template_version: version } =
    content.template_version === undefined ? await fixTemplate(q, workspaceId, content) : content;
  const id = templateIdOf(content);
  if (id === undefined || typeof version !== "number") return content;
  const found = await templateAt(q, workspaceId, id, version);
  if (!found) throw noTemplate();
  return { ...found.content, ...content, template_version: version };
}
