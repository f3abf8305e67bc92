import type { Actor } from "@tidings/contract/audit";
import type { Queries, Tx } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { Stale } from "../platform/resources/crud.ts";
import type { Users } from "../workspaces/index.ts";
import type { PartsReader } from "./parts-reader.ts";
import { addVersion, type TemplateRow, templatesWith, type Version } from "./store.ts";
import { lockUnchanged, requireTemplate, versionFrom } from "./template.ts";
import { checkUsers } from "./named.ts";

/** Templates that one layout or snippet may change at once: their compiled texts are in memory together. */
const MOST_TEMPLATES = 500;
const MOST_CHARACTERS = 64 * 1024 * 1024;

export type UsedPart = { layoutId: string } | { snippet: string };

/**
 * Compiles each template that uses this layout or snippet again, and returns the function that writes the versions.
 * @throws Problem template_error naming the template that would no longer compile, conflict where they are too many
 */
export async function recompile(
  q: Queries,
  workspaceId: string,
  { used, parts, usersOf, by }: { used: UsedPart; parts: PartsReader; usersOf: Users["template"]; by: Actor },
): Promise<(tx: Tx, now: Date) => Promise<void>> {
  const cause = "layoutId" in used ? "layout_changed" : "snippet_changed";
  const ids = await templatesWith(q, workspaceId, used);
  const made: { row: TemplateRow; version: Version }[] = [];
  let characters = 0;
  for (const { id } of ids) {
    const row = await requireTemplate(q, workspaceId, id);
    const version = await versionFrom(parts, row.definition, { cause, created_by: by }).catch((error: unknown) => {
      throw withTemplate(row, error);
    });
    made.push({ row, version });
    characters += row.definition.body.length + version.content.body.length;
    if (made.length > MOST_TEMPLATES || characters > MOST_CHARACTERS) throw tooMany();
  }
  return async (tx, now) => {
    // The set of templates that use the part can't change from here on: a template that begins to use it must lock the same part.
    const rows = made.map(({ row }) => row);
    if ((await templatesWith(tx, workspaceId, used)).length !== rows.length) throw new Stale();
    await lockUnchanged(tx, workspaceId, rows);
    for (const { row, version } of made) {
      const { content } = version;
      await checkUsers(tx, workspaceId, { id: row.id, content, usersOf }).catch((error: unknown) => {
        throw withTemplate(row, error);
      });
    }
    for (const { row, version } of made) await addVersion(tx, workspaceId, row, { version, now });
  };
}

/** The error with the template that it belongs to. */
function withTemplate({ id, name }: TemplateRow, error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== "template_error") return error;
  const template = encodeId("tpl", id);
  return new Problem("template_error", `The template ${name} (${template}) would no longer compile. ${error.message}`, {
    ...error.options,
    extra: { ...error.options.extra, template_id: template },
    cause: error,
  });
}

const tooMany = (): Problem =>
  new Problem(
    "conflict",
    `More than ${MOST_TEMPLATES} templates, or ${MOST_CHARACTERS} characters of them, would change at once. Give some of them a layout or snippet of their own.`,
  );
