import { isDeepStrictEqual } from "node:util";
import type { InAppMessageInput, InAppMessagePatch } from "@tidings/contract/inapp/definition";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { type Users, workspaceById } from "../../workspaces/index.ts";
import { applyPatch, readDefinition } from "./definition.ts";
import { addVersion, deleteMessage, insertMessage, lockMessage, type MessageRow } from "./definition-store.ts";

/** Makes a definition, version 1. @throws Problem invalid_request, template_error */
export async function define(tx: Tx, workspaceId: string, input: InAppMessageInput, now: Date): Promise<MessageRow> {
  const definition = readDefinition(input, await quietDefaults(tx, workspaceId));
  return insertMessage(tx, workspaceId, { id: newId(), definition, now });
}

const quietDefaults = async (q: Queries, workspaceId: string) =>
  (await workspaceById(q, workspaceId))?.quiet_defaults ?? null;

/**
 * Edits a definition: makes the next version, unless nothing changes. Queued deliveries keep the version they were queued with.
 * @throws Problem not_found, invalid_request, template_error
 */
export async function redefine(
  tx: Tx,
  workspaceId: string,
  { id, patch, now }: { id: string; patch: InAppMessagePatch; now: Date },
): Promise<MessageRow> {
  const before = await lockMessage(tx, workspaceId, id);
  if (!before) throw notFound("in-app message");
  const definition = applyPatch(before.definition, patch, await quietDefaults(tx, workspaceId));
  if (isDeepStrictEqual(definition, before.definition)) return before;
  return addVersion(tx, workspaceId, before, { definition, now });
}

/** Takes a definition out of use. Sync still returns what is queued. @throws Problem not_found; conflict while something uses it */
export async function undefine(
  tx: Tx,
  workspaceId: string,
  { id, usersOf, now }: { id: string; usersOf: Users["message"]; now: Date },
): Promise<void> {
  // Removed before its users are read: from then on, what would begin to use it waits for this transaction.
  if (!(await deleteMessage(tx, workspaceId, id, now))) throw notFound("in-app message");
  const users = await usersOf(tx, workspaceId, id);
  if (users.length === 0) return;
  const names = users.slice(0, 10).map(({ type, name }) => `${type} ${name}`);
  throw new Problem(
    "conflict",
    `This in-app message is used by ${names.join(", ")}. Change, cancel or archive these first.`,
    { extra: { used_by: users } },
  );
}
