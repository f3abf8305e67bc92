import type { Queries, Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { liveSecrets, newSealedSecret, overlapEnd } from "../../platform/standard-webhooks.ts";
import { addSecret, replaceSecret, type SecretRow, secretOf } from "./secret-store.ts";

// One secret of a workspace signs the calls of all its campaigns. It is made when it is first needed.

/** The purpose with which it is sealed, so that a copy in another workspace can't be opened. */
const sealedFor = (workspaceId: string): string => `campaign calls ${workspaceId}`;

async function stored(q: Queries, ground: Ground, workspaceId: string): Promise<SecretRow> {
  const row = await secretOf(q, workspaceId);
  if (row) return row;
  return addSecret(q, workspaceId, newSealedSecret(ground, sealedFor(workspaceId)).sealed, ground.clock.now());
}

/** Returns the secrets that sign a workspace's calls now, the newest first. */
export async function signingSecrets(q: Queries, ground: Ground, workspaceId: string): Promise<string[]> {
  const row = await stored(q, ground, workspaceId);
  return liveSecrets(ground, row, { purpose: sealedFor(workspaceId), now: ground.clock.now() });
}

/** Returns the secret as an operator reads it. */
export async function shownSecret(q: Queries, ground: Ground, workspaceId: string) {
  const row = await stored(q, ground, workspaceId);
  const now = ground.clock.now();
  const [secret = ""] = liveSecrets(ground, row, { purpose: sealedFor(workspaceId), now });
  const overlaps = row.previous_until !== null && row.previous_until > now;
  return {
    secret,
    created_at: row.created_at.toISOString(),
    previous_valid_until: overlaps ? (row.previous_until?.toISOString() ?? null) : null,
  };
}

/** Makes a new secret, which signs at once. The previous one signs too, for `overlapHours`. */
export async function rotateSecret(tx: Tx, ground: Ground, workspaceId: string, overlapHours: number | undefined) {
  const now = ground.clock.now();
  const until = overlapEnd(now, overlapHours);
  await stored(tx, ground, workspaceId);
  const { secret, sealed } = newSealedSecret(ground, sealedFor(workspaceId));
  await replaceSecret(tx, workspaceId, { sealed, until, now });
  return { secret, previous_valid_until: until.toISOString() };
}
