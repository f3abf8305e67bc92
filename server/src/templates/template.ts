import { isDeepStrictEqual } from "node:util";
import type { Actor } from "@tidings/contract/audit";
import type { EmailTemplateInput, EmailTemplatePatch } from "@tidings/contract/messages/templates";
import type { Queries, Tx } from "../platform/db/index.ts";
import { notFound, Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import { Stale, type Write } from "../platform/resources/crud.ts";
import type { Users } from "../workspaces/index.ts";
import { compileTemplate } from "./compile.ts";
import { applyPatch, type Definition, readDefinition } from "./definition.ts";
import { type PartsReader, partsReader } from "./parts-reader.ts";
import {
  addVersion,
  deleteTemplate,
  insertTemplate,
  lockTemplates,
  rename,
  type TemplateRow,
  templateById,
  type Version,
  versionOf,
} from "./store.ts";
import { checkUsers } from "./named.ts";

type TemplateUsers = Users["template"];

/** Makes a template, version 1. @throws Problem invalid_request, template_error */
export async function create(
  q: Queries,
  workspaceId: string,
  { input, by }: { input: EmailTemplateInput; by: Actor },
): Promise<Write<TemplateRow>> {
  const parts = partsReader(q, workspaceId);
  const version = await versionFrom(parts, readDefinition(input), { cause: "created", created_by: by });
  return async (tx, now) => {
    await parts.lock(tx);
    return insertTemplate(tx, workspaceId, { id: newId(), name: input.name, version, now });
  };
}

/** Compiles a version of these texts with the current layout and snippets. @throws Problem invalid_request, template_error */
export async function versionFrom(
  parts: PartsReader,
  definition: Definition,
  made: Pick<Version, "cause" | "created_by">,
): Promise<Version> {
  const body = { part: "body", text: definition.body };
  const used = await parts.partsOf(body, definition.layout_id);
  return { definition, ...made, ...(await compileTemplate(definition, used)) };
}

/**
 * Edits a template: makes a new version, which is sent from now on. A new name alone makes none.
 * @throws Problem not_found, and as create
 */
export async function change(
  q: Queries,
  workspaceId: string,
  { id, patch, usersOf, by }: { id: string; patch: EmailTemplatePatch; usersOf: TemplateUsers; by: Actor },
): Promise<Write<TemplateRow>> {
  const before = await requireTemplate(q, workspaceId, id);
  const name = patch.name ?? before.name;
  const definition = applyPatch(before.definition, patch);
  if (!isDeepStrictEqual(definition, before.definition)) {
    return nextVersion(q, workspaceId, before, { definition, cause: "edited", name, usersOf, by });
  }
  return async (tx, now) => {
    await lockUnchanged(tx, workspaceId, [before]);
    if (name === before.name) return before;
    await rename(tx, workspaceId, { id, name, now });
    return { ...before, name, updated_at: now };
  };
}

/** Makes a new version with the texts of an old one. @throws Problem not_found, and as create: its layout may be deleted since */
export async function restore(
  q: Queries,
  workspaceId: string,
  { id, version, usersOf, by }: { id: string; version: number; usersOf: TemplateUsers; by: Actor },
): Promise<Write<TemplateRow>> {
  const [before, old] = [await requireTemplate(q, workspaceId, id), await versionOf(q, workspaceId, id, version)];
  if (!old) throw notFound("version");
  const { name } = before;
  return nextVersion(q, workspaceId, before, { definition: old.definition, cause: "restored", name, usersOf, by });
}

async function nextVersion(
  q: Queries,
  workspaceId: string,
  before: TemplateRow,
  {
    definition,
    cause,
    name,
    usersOf,
    by,
  }: { definition: Definition; cause: Version["cause"]; name: string; usersOf: TemplateUsers; by: Actor },
): Promise<Write<TemplateRow>> {
  const parts = partsReader(q, workspaceId);
  const version = await versionFrom(parts, definition, { cause, created_by: by });
  return async (tx, now) => {
    await parts.lock(tx);
    await lockUnchanged(tx, workspaceId, [before]);
    await checkUsers(tx, workspaceId, { id: before.id, content: version.content, usersOf });
    return addVersion(tx, workspaceId, { ...before, name }, { version, now });
  };
}

/** Locks templates, in the order of their ids. @throws Stale where one was changed, renamed or deleted since it was read */
export async function lockUnchanged(tx: Tx, workspaceId: string, before: TemplateRow[]): Promise<void> {
  const read = new Map(before.map((row) => [row.id, row]));
  const locked = await lockTemplates(tx, workspaceId, [...read.keys()]);
  const same = locked.filter(
    ({ id, version, name }) => read.get(id)?.version === version && read.get(id)?.name === name,
  );
  if (same.length !== read.size) throw new Stale();
}

/** The template with this id. @throws Problem not_found */
export async function requireTemplate(q: Queries, workspaceId: string, id: string): Promise<TemplateRow> {
  const row = await templateById(q, workspaceId, id);
  if (!row) throw notFound("email template");
  return row;
}

/** Deletes a template; its versions stay for the log. @throws Problem not_found, conflict while something uses it */
export function discard(workspaceId: string, id: string, usersOf: TemplateUsers): Write<void> {
  return async (tx, now) => {
    const locked = await lockTemplates(tx, workspaceId, [id]);
    if (locked.length === 0) throw notFound("email template");
    const users = await usersOf(tx, workspaceId, id);
    if (users.length > 0)
      throw inUse(
        "email template",
        users.map(({ name }) => name),
      );
    await deleteTemplate(tx, workspaceId, id, now);
  };
}

/** The 409 for a part or template that can't be deleted because something uses it. */
export const inUse = (what: string, users: string[]): Problem =>
  new Problem("conflict", `This ${what} is used by ${users.slice(0, 10).join(", ")}. Change or delete these first.`, {
    extra: { used_by: users.slice(0, 10) },
  });
