import { randomBytes } from "node:crypto";
import { boundedCache } from "../../platform/limits/cache.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { type Origin, recordChange } from "../../platform/resources/changes.ts";
import type { Seal } from "../../platform/seal.ts";
import { FRESH_MS } from "../../platform/signals/index.ts";
import { WORKSPACES_CHANGED } from "../keys/authenticate.ts";
import { insertSecret, lockWorkspace, revokeSecretRow, type SecretRow, secretsOf } from "./secrets-store.ts";

const MOST_LIVE = 2;
const MOST = 10_000;
/** Unlike `Buffer.from`, it takes only the memory of its bytes: a part of a pool would keep the whole pool, 64 KB. */
const TEXT = new TextEncoder();

/** Whether a text has the form of a signing secret's id. */
export const isKid = (text: string): boolean => /^sig_[\w-]{12}$/.test(text);

const entryOf = (done: "created" | "revoked", kid: string) => ({
  action: `signing_secret.${done}`,
  resource: { type: "signing_secret", id: kid, name: kid },
});

const contextOf = (workspaceId: string, kid: string): string => `signing_secret ${workspaceId} ${kid}`;

/**
 * Creates a signing secret: 256 random bits as text, whose bytes are the HS256 key. Two may be live at once, so that a new one
 * can be deployed to every server before the old one is revoked. @throws Problem conflict for a third
 */
export async function createSecret(
  tx: Tx,
  seal: Seal,
  origin: Origin,
  now: Date,
): Promise<{ row: SecretRow; secret: string }> {
  const workspaceId = origin.scope;
  await lockWorkspace(tx, workspaceId);
  const live = (await secretsOf(tx, workspaceId)).filter((row) => row.revoked_at === null);
  if (live.length >= MOST_LIVE) {
    throw new Problem("conflict", "Two signing secrets are live already. Revoke the older one first.");
  }
  const kid = `sig_${randomBytes(9).toString("base64url")}`;
  const secret = randomBytes(32).toString("base64url");
  const row = { kid, secret: seal.seal(secret, contextOf(workspaceId, kid)), created_at: now, revoked_at: null };
  await insertSecret(tx, workspaceId, row);
  await recordChange(tx, origin, { ...entryOf("created", kid), now });
  tx.signal(WORKSPACES_CHANGED, [workspaceId]);
  return { row, secret };
}

/** Revokes a secret, and with it the tokens that it signed, on every node within a second. @throws Problem not_found */
export async function revokeSecret(tx: Tx, origin: Origin, kid: string, now: Date): Promise<void> {
  const workspaceId = origin.scope;
  const row = (await secretsOf(tx, workspaceId)).find((one) => one.kid === kid);
  if (!row || (await revokeSecretRow(tx, workspaceId, kid, now)) === 0) throw notFound("signing secret");
  if (row.revoked_at === null) await recordChange(tx, origin, { ...entryOf("revoked", kid), now });
  tx.signal(WORKSPACES_CHANGED, [workspaceId]);
}

export interface LiveSecret {
  kid: string;
  key: Uint8Array;
}

/** The live secrets of a workspace, and when they were queried (performance.now()). */
export interface LiveSecrets {
  at: number;
  secrets: Promise<LiveSecret[]>;
}

/** Returns the function that finds the live secrets of a workspace. They are kept for FRESH_MS, and dropped at once by the signal. */
export function liveSecrets(ground: Ground): (workspaceId: string) => LiveSecrets {
  const known = boundedCache<LiveSecrets>(MOST, { ttl: FRESH_MS });
  ground.signals.subscribe(WORKSPACES_CHANGED, () => known.clear());

  async function load(workspaceId: string): Promise<LiveSecret[]> {
    const rows = await secretsOf(ground.db, workspaceId);
    return rows
      .filter((row) => row.revoked_at === null)
      .map((row) => ({
        kid: row.kid,
        key: TEXT.encode(ground.seal.open(row.secret, contextOf(workspaceId, row.kid))),
      }));
  }

  return (workspaceId) => {
    let entry = known.get(workspaceId);
    if (!entry) {
      entry = { at: performance.now(), secrets: load(workspaceId) };
      known.set(workspaceId, entry);
      entry.secrets.catch(() => known.delete(workspaceId));
    }
    return entry;
  };
}
