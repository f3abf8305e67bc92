import type { KeyKind } from "@tidings/contract/workspaces";
import type { FastifyRequest } from "fastify";
import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { digest, kindOf, lookupOf, sameHash } from "./keys.ts";
import { credentials, type WorkspaceRow } from "./store.ts";

/** Who calls: the workspace comes only from the credential. */
export interface Caller {
  workspace: WorkspaceRow;
  keyId: string;
  kind: KeyKind;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Which keys may call this route. */
    access?: "secret" | "public";
    /** A GET also takes a public key from `?api_key=`: a browser's EventSource can't set headers, and needs it for nothing else. */
    keyInAddress?: boolean;
  }
}

/** The id of the workspace that calls. */
export const workspaceOf = (request: FastifyRequest): string => request.caller.workspace.id;

/** Signal that carries workspace ids whose keys or settings changed. */
export const WORKSPACES_CHANGED = "workspaces.changed";

/** A revoked key works on another node for at most this long, also when the signal is lost (contract section 2: 5 s). */
const FRESH_MS = 4_000;
const MOST = 10_000;

const unauthenticated = () =>
  new Problem("unauthenticated", "Send a valid API key: Authorization: Bearer KEY, or X-API-Key: KEY.", {
    headers: { "www-authenticate": "Bearer" },
  });

/**
 * Gives the function that finds a key's workspace. Known keys are kept for 4 s under their digest, and dropped at once by
 * the signal. Unknown keys are kept too, so that a client with a wrong key does not cost a query a request.
 */
function keyring(ground: Ground): (key: string, hash: Buffer) => Promise<Caller> {
  const known = new Map<string, { at: number; caller: Promise<Caller | undefined> }>();
  ground.signals.subscribe(WORKSPACES_CHANGED, () => known.clear());

  async function load(key: string, hash: Buffer): Promise<Caller | undefined> {
    if (!kindOf(key)) return undefined;
    for (const row of await credentials(ground.db, lookupOf(hash))) {
      if (sameHash(row.hash, hash)) return { workspace: row, keyId: row.key_id, kind: row.kind };
    }
    return undefined;
  }

  return async (key, hash) => {
    const name = hash.toString("latin1");
    let entry = known.get(name);
    if (!entry || performance.now() - entry.at > FRESH_MS) {
      if (known.size >= MOST) known.clear();
      entry = { at: performance.now(), caller: load(key, hash) };
      known.set(name, entry);
      entry.caller.catch(() => known.delete(name));
    }
    const caller = await entry.caller;
    if (!caller) throw unauthenticated();
    if (caller.workspace.status === "suspended") {
      throw new Problem("workspace_suspended", "This workspace is suspended. Ask the operator of the service.");
    }
    return caller;
  };
}

/** The hook before each route of the two APIs. @throws Problem unauthenticated, key_not_permitted, workspace_suspended */
export function authenticator(ground: Ground): (request: FastifyRequest) => Promise<void> {
  const find = keyring(ground);
  const digestOf = digestByConnection();
  return async (request) => {
    const { access = "secret", keyInAddress = false } = request.routeOptions.config;
    let key = keyInHeaders(request);
    const inAddress = (request.query as { api_key?: unknown } | undefined)?.api_key;
    if (key === undefined && keyInAddress && request.method === "GET" && typeof inAddress === "string") {
      if (kindOf(inAddress) === "secret") {
        throw new Problem(
          "key_not_permitted",
          "A secret key must not stand in an address, where logs keep it. Use a public key.",
        );
      }
      key = inAddress;
    }
    if (key === undefined) throw unauthenticated();
    request.caller = await find(key, digestOf(request.raw.socket, key));
    if (access === "secret" && request.caller.kind !== "secret") {
      throw new Problem(
        "key_not_permitted",
        "This route needs a secret key (tid_sec_...). A public key is for applications only.",
      );
    }
  };
}

/**
 * A client sends the same key on its connection again and again: its digest is kept with the connection, which saves the
 * busiest route a twentieth of its time. What is compared in plain is only what this client itself sent before.
 */
function digestByConnection(): (connection: object, key: string) => Buffer {
  const sent = new WeakMap<object, { key: string; hash: Buffer }>();
  return (connection, key) => {
    const last = sent.get(connection);
    if (last?.key === key) return last.hash;
    const hash = digest(key);
    sent.set(connection, { key, hash });
    return hash;
  };
}

function keyInHeaders(request: FastifyRequest): string | undefined {
  const { authorization, "x-api-key": plain } = request.headers;
  if (typeof plain === "string" && plain !== "") return plain;
  if (authorization === undefined) return undefined;
  const [scheme = "", value = ""] = authorization.split(/ +/, 2);
  if (/^bearer$/i.test(scheme)) return value;
  // Segment's clients send the key as the user name, Customer.io's as the password behind a site id.
  if (/^basic$/i.test(scheme)) {
    const [user = "", ...rest] = Buffer.from(value, "base64").toString("utf8").split(":");
    return kindOf(user) ? user : rest.join(":") || user;
  }
  return undefined;
}
