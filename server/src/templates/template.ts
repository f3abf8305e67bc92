import { isDeepStrictEqual } from "node:util";
import type { EmailTemplateInput, EmailTemplatePatch } from "@tidings/contract/messages/templates";
import type { Queries, Tx } from "../platform/db/index.ts";
import { notFound, Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import { Stale, type Write } from "../platform/resources/crud.ts";
import type { Users } from "../workspaces/index.ts";
import { compileTemplate } from "./compile.ts";
import { changed, type Definition, readDefinition } from "./definition.ts";
import { openPantry, type Pantry } from "./pantry.ts";
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

/** Makes a template, version 1. @throws Problem invalid_request, template_error */
export async function create(q: Queries, workspaceId: string, input: EmailTemplateInput): Promise<Write<TemplateRow>> {
  const pantry = openPantry(q, workspaceId);
  const made = await versionFrom(pantry, readDefinition(input), "created");
  return async (tx, now) => {
    await pantry.hold(tx);
    return insertTemplate(tx, workspaceId, newId(), input.name, made, now);
  };
}

/** A version of these texts with the layout and the snippets as they are now. @throws Problem invalid_request, template_error */
export async function versionFrom(pantry: Pantry, definition: Definition, cause: Version["cause"]): Promise<Version> {
  const body = { part: "body", text: definition.body };
  const ingredients = await pantry.ingredients(body, definition.layout_id);
  return { definition, cause, ...(await compileTemplate(definition, ingredients)) };
}

/** Edits: what is sent from now on is a new version; a new name alone makes none. @throws Problem not_found, and as create */
export async function change(
  q: Queries,
  workspaceId: string,
  id: string,
  patch: EmailTemplatePatch,
): Promise<Write<TemplateRow>> {
  const before = await theTemplate(q, workspaceId, id);
  const name = patch.name ?? before.name;
  const definition = changed(before.definition, patch);
  if (!isDeepStrictEqual(definition, before.definition)) {
    return nextVersion(q, workspaceId, before, definition, "edited", name);
  }
  return async (tx, now) => {
    await holdTemplates(tx, workspaceId, [before]);
    if (name === before.name) return before;
    await rename(tx, workspaceId, id, name, now);
    return { ...before, name, updated_at: now };
  };
}

/** A new version with the texts of an old one. @throws Problem not_found, and as create: its layout may be gone since */
export async function restore(
  q: Queries,
  workspaceId: string,
  id: string,
  version: number,
): Promise<Write<TemplateRow>> {
  const [before, old] = [await theTemplate(q, workspaceId, id), await versionOf(q, workspaceId, id, version)];
  if (!old) throw notFound("version");
  return nextVersion(q, workspaceId, before, old.definition, "restored");
}

async function nextVersion(
  q: Queries,
  workspaceId: string,
  before: TemplateRow,
  definition: Definition,
  cause: Version["cause"],
  name = before.name,
): Promise<Write<TemplateRow>> {
  const pantry = openPantry(q, workspaceId);
  const made = await versionFrom(pantry, definition, cause);
  return async (tx, now) => {
    await pantry.hold(tx);
    await holdTemplates(tx, workspaceId, [before]);
    return addVersion(tx, workspaceId, { ...before, name }, made, now);
  };
}

/** Locks templates, in the order of their ids. @throws Stale where one was changed, renamed or deleted since it was read */
export async function holdTemplates(tx: Tx, workspaceId: string, before: TemplateRow[]): Promise<void> {
  const read = new Map(before.map((row) => [row.id, row]));
  const locked = await lockTemplates(tx, workspaceId, [...read.keys()]);
  const same = locked.filter(
    ({ id, version, name }) => read.get(id)?.version === version && read.get(id)?.name === name,
  );
  if (same.length !== read.size) throw new Stale();
}

/** @throws Problem not_found */
export async function theTemplate(q: Queries, workspaceId: string, id: string): Promise<TemplateRow> {
  const row = await templateById(q, workspaceId, id);
  if (!row) throw notFound("email template");
  return row;
}

/** Takes a template out of use; its versions stay for the log. @throws Problem not_found, conflict while something sends with it */
export function discard(workspaceId: string, id: string, usersOf: Users["template"]): Write<void> {
  return async (tx, now) => {
    const locked = await lockTemplates(tx, workspaceId, [id]);
    if (locked.length === 0) throw notFound("email template");
    const users = await usersOf(tx, workspaceId, id);
    if (users.length > 0) throw inUse("email template", users);
    await deleteTemplate(tx, workspaceId, id, now);
  };
}

/** 409 for what can't be deleted because something is made with it. */
export const inUse = (what: string, users: string[]): Problem =>
  new Problem("conflict", `This ${what} is used by ${users.slice(0, 10).join(", ")}. Change or delete these first.`, {
    extra: { used_by: users.slice(0, 10) },
  });
