import type { Source } from "@tidings/contract/facts/activity";
import { nameOfCampaigns } from "../content/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import type { Users } from "../workspaces/index.ts";
import type { Content, Definition } from "./definition.ts";
import { newestTemplates } from "./newest.ts";
import { partsSaying } from "./parts-store.ts";
import { isLive, templatesSaying } from "./store.ts";

// The content of an email may name a template, as `template_id`. Who sends a template decides what it may read: `steps` and `batch` exist
// in campaigns alone, and would be empty elsewhere.

/** The template that a content names; undefined where it names none, or not a template id. */
export const templateIdOf = ({ template_id }: Record<string, unknown>): string | undefined =>
  typeof template_id === "string" ? decodeId("tpl", template_id) : undefined;

/**
 * Checks the template of a content when the content is written: it must exist, and may read what only campaigns have in a campaign alone.
 * @throws Problem template_not_found, template_error
 */
export async function checkTemplate(
  q: Queries,
  workspaceId: string,
  { content, source }: { content: Record<string, unknown>; source: Source },
): Promise<void> {
  if (content.template_id === undefined) return;
  const id = templateIdOf(content);
  if (id === undefined || !(await isLive(q, workspaceId, id))) throw noTemplate();
  if (source === "campaign") return;
  // Read after the lock of `isLive`: an edit that was waited for counts.
  const [newest] = await newestTemplates(q, [{ workspaceId, id }]);
  const read = newest && nameForCampaigns(newest.content);
  if (!read) return;
  const what = `names a template whose ${read.part} reads ${read.name}, which only messages of campaigns have`;
  throw new Problem("template_error", `/content/template_id ${what}.`, {
    errors: [{ pointer: "/content/template_id", message: what }],
    extra: { part: read.part, line: null, column: null },
  });
}

/** The 404 for a template_id that this workspace does not have. */
export const noTemplate = (): Problem =>
  new Problem("template_not_found", "No email template of this workspace has this id.", {
    errors: [{ pointer: "/content/template_id", message: "names no email template" }],
  });

type PartName = Exclude<keyof Definition, "format" | "layout_id">;

/** Returns the first name in a template that only messages of campaigns have, and the part that reads it. */
function nameForCampaigns(content: Content): { part: PartName; name: string } | undefined {
  const { plaintext_body: plaintext, ...texts } = content;
  const parts = Object.entries({ ...texts, plaintext }).flatMap(([name, source]) =>
    source === undefined ? [] : [{ name, source, html: name === "body" }],
  );
  return nameOfCampaigns(parts) as { part: PartName; name: string } | undefined;
}

/**
 * Checks that everything that sends a template has what its new version reads. Call it with the template locked, so that nothing begins
 * to use it meanwhile. @throws Problem template_error
 */
export async function checkUsers(
  tx: Tx,
  workspaceId: string,
  { id, content, usersOf }: { id: string; content: Content; usersOf: Users["template"] },
): Promise<void> {
  const read = nameForCampaigns(content);
  if (!read) return;
  const users = (await usersOf(tx, workspaceId, id)).filter(({ source }) => source !== "campaign");
  if (users.length === 0) return;
  const names = users.slice(0, 10).map(({ source, name }) => `the ${source} ${name}`);
  const what = `reads ${read.name}, which only messages of campaigns have, but is also sent by ${names.join(", ")}`;
  throw new Problem("template_error", `The ${read.part} ${what}.`, {
    errors: [{ pointer: `/${read.part}`, message: what }],
    extra: { part: read.part, line: null, column: null, used_by: users.slice(0, 10).map(({ name }) => name) },
  });
}

const PARTS = { lay: "email_layout", snp: "snippet" } as const;

/** Returns the templates, layouts and snippets that show an image. */
export const imageUsers: Users["image"] = async (q, workspaceId, text) => [
  ...(await templatesSaying(q, workspaceId, text)).map(({ id, name }) => ({
    type: "email_template" as const,
    id: encodeId("tpl", id),
    name,
  })),
  ...(await partsSaying(q, workspaceId, text)).map(({ prefix, id, name }) => ({
    type: PARTS[prefix],
    id: encodeId(prefix, id),
    name,
  })),
];
