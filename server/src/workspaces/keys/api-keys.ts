import type { ApiKeyInput, ApiKeyRoll } from "@tidings/contract/workspaces";
import type { Tx } from "../../platform/db/index.ts";
import { badField, notFound, Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import type { Authored } from "../../platform/resources/authored.ts";
import { changing, created, type Origin, removing } from "../../platform/resources/changes.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { WORKSPACES_CHANGED } from "./authenticate.ts";
import { digest, lookupOf, makeKey } from "./keys.ts";
import { deleteKey, endKey, insertKey, type KeyRow, lockKey, revoke } from "./keys-store.ts";

/** A day is long enough for a deploy that gives the new key to every server. */
const OVERLAP_MS = durationMs({ amount: 1, unit: "days" });

/** A key as the API shows it. */
export const shapeKey = (row: KeyRow) => ({
  id: encodeId("key", row.id),
  kind: row.kind,
  name: row.name,
  scopes: row.scopes,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});

/** As the log of changes and If-Match know them. */
export const KEYS: Authored<KeyRow> = { noun: "API key", locked: lockKey, shape: shapeKey, derived: ["last_used_at"] };

type NewKey = ApiKeyInput & { key?: string };

/** Creates a key. Its text is returned only once; only its hash is stored. @throws Problem invalid_request */
export async function createKey(
  tx: Tx,
  origin: Origin,
  input: NewKey,
  now: Date,
): Promise<{ row: KeyRow; key: string }> {
  if (input.kind === "public" && input.scopes)
    throw badField("/scopes", "narrow a secret key; a public one may call the routes for applications and no other");
  if (input.expires_at && new Date(input.expires_at) <= now) throw badField("/expires_at", "must be in the future");
  const made = await addKey(tx, origin.scope, input);
  await created(tx, KEYS, origin, { row: made.row, now });
  return made;
}

/** Creates a key without checking the input or recording it: for the first keys of a workspace. */
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
export async function revokeKey(tx: Tx, origin: Origin, id: string, now: Date): Promise<void> {
  await changing(tx, KEYS, { origin, done: "revoked", id, now }, () => revoke(tx, origin.scope, id, now));
  tx.signal(WORKSPACES_CHANGED, [origin.scope]);
}

/** Removes a key that only one command of the terminal used. Keys that others used are revoked, and stay in the list. */
export async function removeKey(tx: Tx, origin: Origin, id: string, now: Date): Promise<void> {
  await removing(tx, KEYS, { origin, id, now }, () => deleteKey(tx, origin.scope, id));
  tx.signal(WORKSPACES_CHANGED, [origin.scope]);
}

/**
 * Creates a key with the same scopes as an old one, and ends the old one after the overlap. The new key gets the lifetime that the old
 * one was given, unless the input sets another. @throws Problem not_found; conflict for a key that has ended
 */
export async function rollKey(
  tx: Tx,
  origin: Origin,
  { id, overlap, expires_at }: ApiKeyRoll & { id: string },
  now: Date,
): Promise<{ row: KeyRow; key: string; replaced: KeyRow }> {
  const { scope } = origin;
  const old = await lockKey(tx, scope, id);
  if (!old) throw notFound("API key");
  if (old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= now))
    throw new Problem("conflict", "This key has ended already. Make a new one: POST /api/v1/api-keys.");
  const life = old.expires_at && new Date(now.getTime() + (old.expires_at.getTime() - old.created_at.getTime()));
  const expires = expires_at === undefined ? (life?.toISOString() ?? null) : expires_at;
  const { kind, name, scopes } = old;
  const made = await createKey(tx, origin, { kind, name, scopes, expires_at: expires }, now);
  const overlapMs = overlap === undefined ? OVERLAP_MS : overlap === null ? 0 : durationMs(overlap);
  const replaced = await changing(tx, KEYS, { origin, done: "rolled", id, now }, () =>
    endKey(tx, scope, id, new Date(now.getTime() + overlapMs)),
  );
  tx.signal(WORKSPACES_CHANGED, [scope]);
  return { ...made, replaced };
}
