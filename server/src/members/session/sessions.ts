import { boundedCache } from "../../platform/limits/cache.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { FRESH_MS } from "../../platform/signals/index.ts";
import { WORKSPACES_CHANGED } from "../../workspaces/index.ts";
import { makeToken, tokenHash } from "../proof/token.ts";
import {
  deleteSessionBy,
  type FoundSession,
  insertSession,
  markUsed,
  type RoleIn,
  rolesOf,
  sessionByHash,
} from "../store/session-store.ts";
import { SESSION_MS } from "./cookie.ts";

/** A session that is not used for this long is over. */
const IDLE_MS = 12 * 3_600_000;
const MOST = 10_000;
/** The precision of used_at: a row that each request updates would cost as much as the rest of the request. */
const APART_MS = 60_000;
const MOST_AGENT = 300;

/** The signal with the ids of members whose sessions, roles or account changed. */
export const MEMBERS_CHANGED = "members.changed";

/** A session with the workspaces that it is good for. */
export interface Session extends FoundSession {
  workspaces: RoleIn[];
}

export interface Sessions {
  /** Returns the live session of a token. */
  find(token: string): Promise<Session | undefined>;
}

/** Returns when a session ends if it is not used. */
export const idleEnd = ({ used_at, expires_at }: { used_at: Date; expires_at: Date }): Date =>
  new Date(Math.min(used_at.getTime() + IDLE_MS, expires_at.getTime()));

/** Sessions that were used after this time are not idle. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - IDLE_MS);

export const noSession = (): Problem =>
  new Problem("unauthenticated", "There is no session, or it has ended. Sign in.");

/** Finds sessions by their token, cached for FRESH_MS and dropped at once by the signal. */
export function sessionsOn({ db, workDb, clock, signals }: Ground): Sessions {
  const known = boundedCache<Promise<Session | undefined>>(MOST, { ttl: FRESH_MS });
  signals.subscribe(MEMBERS_CHANGED, () => known.clear());
  signals.subscribe(WORKSPACES_CHANGED, () => known.clear());

  async function read(hash: Buffer): Promise<Session | undefined> {
    const found = await sessionByHash(db, hash);
    if (!found || idleEnd(found) <= clock.now()) return undefined;
    const now = clock.now();
    if (now.getTime() - found.used_at.getTime() >= APART_MS) {
      // If the database is unreachable or this process is stopping, the next use notes it.
      await markUsed(workDb, found.id, now, APART_MS).catch(() => {});
      found.used_at = now;
    }
    return { ...found, workspaces: await rolesOf(db, found) };
  }

  return {
    async find(token) {
      const hash = tokenHash(token);
      const name = hash.toString("latin1");
      let reading = known.get(name);
      if (!reading) {
        reading = read(hash);
        const mine = reading;
        known.set(name, mine);
        mine.catch(() => known.peek(name) === mine && known.delete(name));
      }
      const session = await reading;
      return session && idleEnd(session) > clock.now() ? session : undefined;
    },
  };
}

/** Where a request came from, as the list of sessions shows it. */
export interface From {
  address: string;
  agent: string | undefined;
  /** The token of the session that the browser had before, which ends. */
  before: string | undefined;
}

export interface Whose {
  memberId: string;
  /** The only workspace that it is good for; by default all of the member's. */
  only?: string | null;
}

/**
 * Opens a session with a fresh token, which is returned and nowhere stored. The session that the browser had before ends, so that a
 * token that somebody planted is worth nothing.
 */
export async function openSession(
  tx: Tx,
  { memberId, only = null }: Whose,
  { address, agent, before }: From,
  now: Date,
): Promise<string> {
  if (before !== undefined) await deleteSessionBy(tx, tokenHash(before));
  const token = makeToken();
  await insertSession(tx, {
    id: newId(),
    memberId,
    hash: tokenHash(token),
    workspaceId: only,
    address,
    agent: agent?.slice(0, MOST_AGENT) ?? null,
    now,
    expiresAt: new Date(now.getTime() + SESSION_MS),
  });
  tx.signal(MEMBERS_CHANGED, [memberId]);
  return token;
}
