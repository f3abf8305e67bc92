import { isDeepStrictEqual } from "node:util";
import type { InAppMessageInput, InAppMessagePatch } from "@tidings/contract/inapp/definition";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { notFound } from "../../platform/http/index.ts";
import { decodeId, newId } from "../../platform/ids.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { changed, readDefinition } from "./definition.ts";
import {
  addVersion,
  deleteMessage,
  insertMessage,
  lockMessage,
  type MessageRow,
  messageById,
} from "./definition-store.ts";

/** Makes a definition, version 1. @throws Problem invalid_request, template_error */
export async function define(tx: Tx, workspaceId: string, input: InAppMessageInput, now: Date): Promise<MessageRow> {
  return insertMessage(tx, workspaceId, newId(), readDefinition(input, await quietDefaults(tx, workspaceId)), now);
}

const quietDefaults = async (q: Queries, workspaceId: string) =>
  (await workspaceById(q, workspaceId))?.quiet_defaults ?? null;

/** A message's name, for whoever knows its id on the wire only; undefined for ids of other things. */
export async function nameOf(q: Queries, workspaceId: string, text: string): Promise<string | undefined> {
  const id = decodeId("msg", text);
  return id && (await messageById(q, workspaceId, id))?.definition.name;
}

/** Edits: makes the next version, unless nothing changes. What is queued keeps the version it was queued with. @throws Problem not_found, invalid_request, template_error */
export async function redefine(
  tx: Tx,
  workspaceId: string,
  id: string,
  patch: InAppMessagePatch,
  now: Date,
): Promise<MessageRow> {
  await lockMessage(tx, workspaceId, id);
  const before = await messageById(tx, workspaceId, id);
  if (!before) throw notFound("in-app message");
  const definition = changed(before.definition, patch, await quietDefaults(tx, workspaceId));
  if (isDeepStrictEqual(definition, before.definition)) return before;
  return addVersion(tx, workspaceId, before, definition, now);
}

/** Takes a definition out of use. What is queued goes on being served. @throws Problem not_found */
export async function undefine(tx: Tx, workspaceId: string, id: string, now: Date): Promise<void> {
  if (!(await deleteMessage(tx, workspaceId, id, now))) throw notFound("in-app message");
}
