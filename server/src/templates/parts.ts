import type { Actor } from "@tidings/contract/audit";
import type {
  EmailLayoutInput,
  EmailLayoutPatch,
  SnippetInput,
  SnippetPatch,
} from "@tidings/contract/messages/templates";
import { type Queries, violatedUnique } from "../platform/db/index.ts";
import { notFound, Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import type { Write } from "../platform/resources/crud.ts";
import type { Users } from "../workspaces/index.ts";
import { type Source, snippetsIn } from "./assemble.ts";
import { tryLayout, trySnippet } from "./compile.ts";
import { formatOf } from "./definition.ts";
import { partsReader } from "./parts-reader.ts";
import {
  deleteLayout,
  deleteSnippet,
  insertLayout,
  insertSnippet,
  type LayoutRow,
  layoutById,
  lockLayout,
  lockSnippets,
  partsWith,
  type SnippetRow,
  snippetById,
  updateLayout,
  updateSnippet,
} from "./parts-store.ts";
import { recompile } from "./recompile.ts";
import { templatesWith } from "./store.ts";
import { inUse } from "./template.ts";

// Layouts and snippets. A change of one makes a new version of each template that uses it, in the same transaction, so that
// emails always have the newest texts, and a change that would break a template is refused.

const layoutSource = (text: string): Source => ({ part: "layout", text });
const snippetSource = (name: string, text: string): Source => ({ part: `snippet ${name}`, text });

/** Makes a layout. @throws Problem template_error */
export async function createLayout(
  q: Queries,
  workspaceId: string,
  { name, body, format = formatOf(body) }: EmailLayoutInput,
): Promise<Write<LayoutRow>> {
  const reader = partsReader(q, workspaceId);
  const source = layoutSource(body);
  await tryLayout(source, format, await reader.partsOf(source, null));
  return async (tx, now) => {
    await reader.lock(tx);
    return insertLayout(tx, workspaceId, { id: newId(), name, body, format }, { snippets: snippetsIn(source), now });
  };
}

/**
 * Changes a layout; where nothing changes it makes no version.
 * @throws Problem not_found, template_error also where a template would no longer compile
 */
export async function changeLayout(
  q: Queries,
  workspaceId: string,
  { id, patch, usersOf, by }: { id: string; patch: EmailLayoutPatch; usersOf: Users["template"]; by: Actor },
): Promise<Write<LayoutRow>> {
  const before = await layoutById(q, workspaceId, id);
  if (!before) throw notFound("email layout");
  const format = patch.format ?? (patch.body === undefined ? before.format : formatOf(patch.body));
  const after = { ...before, ...patch, format, version: before.version + 1 };
  const same = after.body === before.body && format === before.format;
  if (same && after.name === before.name) return async () => before;
  const source = layoutSource(after.body);
  const reader = partsReader(q, workspaceId, { layout: { before, after } });
  await tryLayout(source, format, await reader.partsOf(source, null));
  const templates = same
    ? undefined
    : await recompile(q, workspaceId, { used: { layoutId: id }, parts: reader, usersOf, by });
  return async (tx, now) => {
    await reader.lock(tx);
    await updateLayout(tx, workspaceId, { ...after, updated_at: now }, snippetsIn(source));
    await templates?.(tx, now);
    return { ...after, updated_at: now };
  };
}

/** Deletes a layout. @throws Problem not_found, conflict while a template uses it */
export function discardLayout(workspaceId: string, id: string): Write<void> {
  return async (tx) => {
    if ((await lockLayout(tx, workspaceId, id)) === undefined) throw notFound("email layout");
    const users = await templatesWith(tx, workspaceId, { layoutId: id }, 10);
    if (users.length > 0)
      throw inUse(
        "email layout",
        users.map(({ name }) => name),
      );
    await deleteLayout(tx, workspaceId, id);
  };
}

/** Makes a snippet. @throws Problem template_error, conflict for a name that is taken */
export async function createSnippet(q: Queries, workspaceId: string, input: SnippetInput): Promise<Write<SnippetRow>> {
  const source = snippetSource(input.name, input.body);
  const reader = partsReader(q, workspaceId);
  trySnippet(source, (await reader.partsOf(source, null)).snippets);
  return async (tx, now) => {
    await reader.lock(tx);
    try {
      return await insertSnippet(tx, workspaceId, { id: newId(), ...input }, { snippets: snippetsIn(source), now });
    } catch (error) {
      if (violatedUnique(error) !== "snippets_name") throw error;
      throw new Problem("conflict", `The name ${input.name} is taken by another snippet of this workspace.`, {
        errors: [{ pointer: "/name", message: "is taken" }],
        cause: error,
      });
    }
  };
}

/**
 * Changes a snippet; the same body makes no version.
 * @throws Problem not_found, template_error also for a snippet in itself, and where a template would no longer compile
 */
export async function changeSnippet(
  q: Queries,
  workspaceId: string,
  { id, patch, usersOf, by }: { id: string; patch: SnippetPatch; usersOf: Users["template"]; by: Actor },
): Promise<Write<SnippetRow>> {
  const before = await snippetById(q, workspaceId, id);
  if (!before) throw notFound("snippet");
  const { body } = patch;
  if (body === before.body) return async () => before;
  const after = { ...before, body, version: before.version + 1 };
  const { name } = before;
  const source = snippetSource(name, body);
  const reader = partsReader(q, workspaceId, { snippet: { before, after } });
  const { snippets } = await reader.partsOf(source, null);
  trySnippet(source, snippets);
  const templates = await recompile(q, workspaceId, { used: { snippet: name }, parts: reader, usersOf, by });
  return async (tx, now) => {
    await reader.lock(tx);
    await updateSnippet(tx, workspaceId, { ...after, updated_at: now }, snippetsIn(source));
    await templates(tx, now);
    return { ...after, updated_at: now };
  };
}

/** Deletes a snippet. @throws Problem not_found, conflict while a template, a layout or another snippet uses it */
export function discardSnippet(workspaceId: string, id: string): Write<void> {
  return async (tx) => {
    const row = await snippetById(tx, workspaceId, id);
    if (!row || (await lockSnippets(tx, workspaceId, [row.name])).length === 0) throw notFound("snippet");
    const users = [
      ...(await templatesWith(tx, workspaceId, { snippet: row.name }, 10)),
      ...(await partsWith(tx, workspaceId, row.name)),
    ];
    if (users.length > 0)
      throw inUse(
        "snippet",
        users.map(({ name }) => name),
      );
    await deleteSnippet(tx, workspaceId, id);
  };
}
