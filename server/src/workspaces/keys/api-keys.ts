import type { ApiKeyInput, ApiKeyRoll } from "@tidings/contract/workspaces";
import type { Tx } from "../../platform/db/index.ts";
import { badField, notFound, Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { WORKSPACES_CHANGED } from "./authenticate.ts";
import { digest, lookupOf, makeKey } from "./keys.ts";
import { deleteKey, endKey, insertKey, type KeyRow, lockKey, revoke } from "./keys-store.ts";

/** A day is long enough for a deploy that gives the new key to every server. */
const OVERLAP_MS = durationMs({ amount: 1, unit: "days" });

type NewKey = ApiKeyInput & { key?: string };

/** Creates a key. Its text is returned only once; only its hash is stored. @throws Problem invalid_request */
export async function createKey(
  tx: Tx,
  workspaceId: string,
  input: NewKey,
  now: Date,
): Promise<{ row: KeyRow; key: string }> {
  if (input.kind === "public" && input.scopes)
    throw badField("/scopes", "narrow a secret key; a public one may call the routes for applications and no other");
  if (input.expires_at && new Date(input.expires_at) <= now) throw badField("/expires_at", "must be in the future");
  return addKey(tx, workspaceId, input);
}

/** Creates a key without checking the input. */
export async function addKey(tx: Tx, workspaceId: string, input: NewKey): Promise<{ row: KeyRow; key: string }> {
  const { kind, scopes = null, expires_at, name = `${kind} key`, key = makeKey(kind) } = input;
  const hash = digest(key);
  const expiresAt = expires_at ? new Date(expires_at) : null;
  const row = await insertKey(tx, {
    id: newId(),
    workspaceId,
    kind,
    name,
    scopes,
    expiresAt,
    lookup: lookupOf(hash),
    hash,
  });
  return { row, key };
}

/** Revokes a key, on every node within 5 s. To revoke it again changes nothing. @throws Problem not_found */
export async function revokeKey(tx: Tx, workspaceId: string, id: string, now: Date): Promise<KeyRow> {
  const row = await revoke(tx, workspaceId, id, now);
  if (!row) throw notFound("API key");
  tx.signal(WORKSPACES_CHANGED, [workspaceId]);
  return row;
}

/** Removes a key that only one command of the terminal used. Keys that others used are revoked, and stay in the list. */
export async function removeKey(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await deleteKey(tx, workspaceId, id);
  tx.signal(WORKSPACES_CHANGED, [workspaceId]);
}

/**
 * Creates a key with the same scopes as an old one, and ends the old one after the overlap. The new key gets the lifetime that the old
 * one was given, unless the input sets another. @throws Problem not_found; conflict for a key that has ended
 */
export async function rollKey(
  tx: Tx,
  workspaceId: string,
  { id, overlap, expires_at }: ApiKeyRoll & { id: string },
  now: Date,
): Promise<{ row: KeyRow; key: string; replaced: KeyRow }> {
  const old = await lockKey(tx, workspaceId, id);
  if (!old) throw notFound("API key");
  if (old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= now))
    throw new Problem("conflict", "This key has ended already. Make a new one: POST /api/v1/api-keys.");
  const life = old.expires_at && new Date(now.getTime() + (old.expires_at.getTime() - old.created_at.getTime()));
  const expires = expires_at === undefined ? (life?.toISOString() ?? null) : expires_at;
  const { kind, name, scopes } = old;
  const made = await createKey(tx, workspaceId, { kind, name, scopes, expires_at: expires }, now);
  const overlapMs = overlap === undefined ? OVERLAP_MS : overlap === null ? 0 : durationMs(overlap);
  const replaced = await endKey(tx, workspaceId, id, new Date(now.getTime() + overlapMs));
  tx.signal(WORKSPACES_CHANGED, [workspaceId]);
  return { ...made, replaced };
}
