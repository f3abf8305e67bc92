import type { Queries } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import { newestTemplates, templateIdOf } from "../templates/index.ts";
import type { Users } from "../workspaces/index.ts";
import { type TransactionalRow, saying, withTemplate } from "./store.ts";

// The content of an email may come from a template. A call sends the template's newest version, and the definition's own texts
// override it. The delivery keeps the version.

type Row = Pick<TransactionalRow, "workspace_id" | "content">;

/** Returns the definitions with the newest content of their templates: one statement for all, and one more for new versions. */
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

/** Returns the transactionals that send a template. The template can't be deleted while there are any. */
export const templateUsers: Users["template"] = async (tx, workspaceId, templateId) =>
  (await withTemplate(tx, workspaceId, encodeId("tpl", templateId))).map(({ name }) => ({
    source: "transactional",
    name,
  }));

/** Returns the transactionals that show an image. */
export const imageUsers: Users["image"] = async (q, workspaceId, text) =>
  (await saying(q, workspaceId, text)).map(({ id, name }) => ({ type: "transactional", id: encodeId("tx", id), name }));
