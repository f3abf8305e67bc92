import type { Queries } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import { newestTemplates, templateIdOf } from "../templates/index.ts";
import type { Users } from "../workspaces/index.ts";
import { type TransactionalRow, withTemplate } from "./store.ts";

// Content of an email may be a template's. What is sent is its newest version at that moment, with the definition's own
// texts over it; the version stays with the delivery.

type Row = Pick<TransactionalRow, "workspace_id" | "content">;

/** The definitions, those with a template with its newest version in place: one statement for all, one more for new versions. */
export async function withTemplates<R extends Row>(q: Queries, rows: (R | undefined)[]): Promise<(R | undefined)[]> {
  const wanted = rows.flatMap((row, i) => {
    const id = row && templateIdOf(row.content);
    return row && id !== undefined ? [{ workspaceId: row.workspace_id, id, i }] : [];
  });
  if (wanted.length === 0) return rows;
  const newest = await newestTemplates(q, wanted);
  const filled = [...rows];
  wanted.forEach(({ i }, at) => {
    const [row, found] = [filled[i], newest[at]];
    if (row && found) {
      filled[i] = { ...row, content: { ...found.content, ...row.content, template_version: found.version } };
    }
  });
  return filled;
}

/** The transactionals that send with a template, for whoever wants to delete it. */
export const templateUsers: Users["template"] = async (tx, workspaceId, templateId) =>
  (await withTemplate(tx, workspaceId, encodeId("tpl", templateId))).map(({ name }) => name);
