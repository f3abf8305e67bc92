import type { Actor } from "@tidings/contract/audit";
import type { Role } from "@tidings/contract/members";
import type { KeyKind, KeyScope } from "@tidings/contract/workspaces";
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { boundedCache } from "../../platform/limits/cache.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Origin } from "../../platform/resources/changes.ts";
import { FRESH_MS } from "../../platform/signals/index.ts";
import type { WorkspaceRow } from "../tenant/store.ts";
import { keyUses } from "./key-uses.ts";
import { digest, kindOf, lookupOf, sameHash } from "./keys.ts";
import { credentials } from "./keys-store.ts";
import { strangers, unauthenticated } from "./strangers.ts";

/** The caller of a request. The workspace comes only from the credential: an API key, or a member's session. */
export interface Caller {
  workspace: WorkspaceRow;
  /** The id of the key, or of the session. */
  keyId: string;
  kind: KeyKind | "session";
  /** The scopes of a narrowed secret key or of a member's role; null: everything that its kind may do. */
  scopes: KeyScope[] | null;
  expiresAt: Date | null;
  /** Under whose name its changes are recorded. */
  actor: Actor;
  /** The member's role in the workspace, where `kind` is `session`. */
  role?: Role;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Which keys may call this route. */
    access?: "secret" | "public";
    /** The scope that a narrowed secret key needs here. By default a GET needs `read`, and other methods refuse narrowed keys. */
    needs?: KeyScope;
    /** A GET also takes a public key from `?api_key=`, because a browser's EventSource can't set headers. */
    keyInAddress?: boolean;
  }
}

/** Returns the id of the caller's workspace. */
export const workspaceOf = (request: FastifyRequest): string => request.caller.workspace.id;

/** Returns where a change that this request makes comes from. */
export const originOf = (request: FastifyRequest): Origin => ({
  scope: workspaceOf(request),
  actor: request.caller.actor,
  requestId: request.id,
  ifMatch: request.headers["if-match"],
});

/** Returns the origin of a change that a command of the terminal makes. */
export const byCommand = (workspaceId: string, command: string): Origin => ({
  scope: workspaceId,
  actor: { type: "command", id: null, name: command },
  requestId: null,
});

/** The signal with the ids of workspaces whose keys or settings changed. */
export const WORKSPACES_CHANGED = "workspaces.changed";

/** A key that is used later than this is read anew while its entry still serves: no request of a busy key waits for a read. */
const STALE_MS = FRESH_MS / 2;
const MOST = 10_000;

const expired = (at: Date) =>
  new Problem(
    "unauthenticated",
    `This API key expired at ${at.toISOString()}. Use the one that replaced it, or make one.`,
    {
      headers: { "www-authenticate": "Bearer" },
    },
  );

/** @throws Problem workspace_suspended */
export function assertActive({ status }: WorkspaceRow): void {
  if (status === "suspended")
    throw new Problem("workspace_suspended", "This workspace is suspended. Ask the operator of the service.");
}

/** A key as received, its SHA-256, and the hash as the name under which its caller is cached. */
interface Credential {
  key: string;
  hash: Buffer;
  name: string;
}

function credentialOf(key: string): Credential {
  const hash = digest(key);
  return { key, hash, name: hash.toString("latin1") };
}

/**
 * Returns the function that finds the caller of a key, or undefined for a key that does not exist. Callers are cached for FRESH_MS under
 * the digest of their key, and dropped at once by the signal. Wrong keys are cached too, so that a client with a wrong key does not cost a
 * query for each request. A cached caller is returned without a promise: promises and digests took a tenth of the busiest route's time.
 */
function keyring(ground: Ground): (credential: Credential) => Promise<Caller | undefined> | Caller | undefined {
  const used = keyUses(ground);
  const known = boundedCache<Caller>(MOST, { ttl: FRESH_MS });
  // Wrong keys have a cache of their own, so that a flood of them does not push out the right ones.
  const wrong = boundedCache<true>(MOST, { ttl: FRESH_MS });
  const loading = new Map<string, Promise<Caller | undefined>>();
  ground.signals.subscribe(WORKSPACES_CHANGED, () => {
    known.clear();
    wrong.clear();
    loading.clear();
  });

  async function read({ key, hash }: Credential): Promise<Caller | undefined> {
    if (!kindOf(key)) return undefined;
    for (const row of await credentials(ground.db, lookupOf(hash))) {
      // The caller is kept without the stored hash: those 32 bytes would keep the whole 64 KB of memory that they are a part of.
      const { hash: stored, key_id: keyId, key_name: name, kind, scopes, expires_at, last_used_at, ...workspace } = row;
      if (!sameHash(stored, hash)) continue;
      used(keyId, last_used_at);
      const actor = { type: "api_key", id: encodeId("key", keyId), name } as const;
      return { workspace, keyId, kind, scopes, expiresAt: expires_at, actor };
    }
    return undefined;
  }

  function load(credential: Credential): Promise<Caller | undefined> {
    const { name } = credential;
    const under = loading.get(name);
    if (under) return under;
    const start = performance.now();
    const reading = read(credential)
      .then((caller) => {
        if (loading.get(name) !== reading) return caller;
        if (caller) known.set(name, caller, { start });
        else {
          // The key may have been valid until it was revoked.
          known.delete(name);
          wrong.set(name, true, { start });
        }
        return caller;
      })
      .finally(() => {
        if (loading.get(name) === reading) loading.delete(name);
      });
    loading.set(name, reading);
    return reading;
  }

  /** @throws Problem unauthenticated, workspace_suspended */
  function allowed(caller: Caller | undefined): Caller | undefined {
    if (!caller) return undefined;
    if (caller.expiresAt !== null && caller.expiresAt <= ground.clock.now()) throw expired(caller.expiresAt);
    assertActive(caller.workspace);
    return caller;
  }

  return (credential) => {
    const caller = known.get(credential.name);
    if (caller) {
      if (known.getRemainingTTL(credential.name) < FRESH_MS - STALE_MS) load(credential).catch(() => {});
      return allowed(caller);
    }
    return wrong.has(credential.name) ? undefined : load(credential).then(allowed);
  };
}

/** Checks that the caller may call this route. @throws Problem key_not_permitted, not_permitted (of a member) */
export function permit(caller: Caller, request: FastifyRequest): void {
  const { access = "secret", needs } = request.routeOptions.config;
  if (access === "secret" && caller.kind === "public") {
    throw new Problem(
      "key_not_permitted",
      "This route needs a secret key (tid_sec_...). A public key is for applications only.",
    );
  }
  if (caller.scopes === null) return;
  const scope = needs ?? (request.method === "GET" || request.method === "HEAD" ? "read" : undefined);
  if (scope !== undefined && caller.scopes.includes(scope)) return;
  if (caller.role) {
    const who = scope === undefined || scope === "admin" ? "Owners" : "Owners and editors";
    throw new Problem("not_permitted", `${who} may do this, and your role in this workspace is ${caller.role}.`);
  }
  const wanted = scope === undefined ? "without scopes" : `with the scope ${scope}`;
  throw new Problem(
    "key_not_permitted",
    `This route needs a secret key ${wanted}. This one has ${caller.scopes.join(", ")}.`,
  );
}

/** Returns the hook that authenticates each request to the two APIs. @throws Problem unauthenticated, key_not_permitted, workspace_suspended */
export function authenticator(ground: Ground): onRequestHookHandler {
  const find = keyring(ground);
  const sentBy = credentialsByConnection();
  const refuse = strangers();
  const enter = (request: FastifyRequest, credential: Credential, caller: Caller | undefined): void => {
    if (!caller) throw refuse(request.raw.socket.remoteAddress ?? "", credential.name);
    permit(caller, request);
    request.caller = caller;
  };
  return (request, _reply, done) => {
    try {
      const credential = sentBy(request) ?? inAddress(request);
      if (credential === undefined) throw unauthenticated();
      const caller = find(credential);
      if (caller instanceof Promise) {
        caller.then((found) => enter(request, credential, found)).then(() => done(), done);
        return;
      }
      enter(request, credential, caller);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}

/** @throws Problem key_not_permitted */
function inAddress(request: FastifyRequest): Credential | undefined {
  const key = (request.query as { api_key?: unknown } | undefined)?.api_key;
  if (!request.routeOptions.config.keyInAddress || request.method !== "GET" || typeof key !== "string")
    return undefined;
  if (kindOf(key) === "secret") {
    throw new Problem(
      "key_not_permitted",
      "A secret key must not stand in an address, where logs keep it. Use a public key.",
    );
  }
  return credentialOf(key);
}

/**
 * Returns the function that reads the key in a request's headers. A client repeats the same headers on its connection, so their key
 * is kept with the connection. The plain comparison is safe: it only compares with headers that this client sent before.
 */
function credentialsByConnection(): (request: FastifyRequest) => Credential | undefined {
  const sent = new WeakMap<object, { authorization: unknown; plain: unknown; credential: Credential }>();
  return ({ raw, headers }) => {
    const { authorization, "x-api-key": plain } = headers;
    const last = sent.get(raw.socket);
    if (last && last.authorization === authorization && last.plain === plain) return last.credential;
    const key = keyInHeaders(authorization, plain);
    if (key === undefined) return undefined;
    const credential = credentialOf(key);
    sent.set(raw.socket, { authorization, plain, credential });
    return credential;
  };
}

function keyInHeaders(authorization: string | undefined, plain: string | string[] | undefined): string | undefined {
  if (typeof plain === "string" && plain !== "") return plain;
  if (authorization === undefined) return undefined;
  const [scheme = "", value = ""] = authorization.split(/ +/, 2);
  if (/^bearer$/i.test(scheme)) return value;
  // Segment's clients send the key as the user name, Customer.io's send it as the password after a site id.
  if (/^basic$/i.test(scheme)) {
    const [user = "", ...rest] = Buffer.from(value, "base64").toString("utf8").split(":");
    return kindOf(user) ? user : rest.join(":") || user;
  }
  return undefined;
}
