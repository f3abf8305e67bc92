import * as crypto from "node:crypto";
import { errors, jwtVerify } from "jose";
import { boundedCache } from "../../platform/limits/cache.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { FRESH_MS } from "../../platform/signals/index.ts";
import { WORKSPACES_CHANGED } from "../keys/authenticate.ts";
import { signerOf } from "./secrets-store.ts";
import { liveSecrets } from "./signing.ts";

/** A token that lives longer than a day is like a password: anyone who finds it in a log could use it for as long. */
const MOST_LIFE_S = 24 * 3_600;
/**
 * Clocks of servers rarely differ by more than this. The leeway is for the life and the start of a token. Its end has none: a client
 * that gets `person_token_expired` fetches a new token and repeats the call.
 */
const LEEWAY_S = 60;
const MOST = 20_000;

const invalid = (what: string): Problem =>
  new Problem(
    "person_token_invalid",
    `The person token ${what}. Sign an HS256 JWT with a live signing secret: sub = person_id, exp at most 24 h ahead.`,
  );
const expired = (): Problem =>
  new Problem("person_token_expired", "The person token has expired. Fetch a new one and repeat the call.");

/** What a token proves: who the person is, and perhaps which addresses are theirs. */
export interface Proof {
  personId: string;
  email: string | undefined;
  phone: string | undefined;
  /** The signing secret of the token, named as in liveSigners. */
  signer: string;
  /** Seconds since 1970. */
  expires: number;
}

/**
 * Returns the function that verifies a token: an HS256 JWT (RFC 7519) that is signed with one of the workspace's two live secrets,
 * chosen by `kid` if the token has one. A proof is kept for FRESH_MS, until it expires, or until the secrets of a workspace change.
 * @throws Problem person_token_invalid, person_token_expired
 */
export function tokenVerifier(ground: Ground): (workspaceId: string, token: string) => Promise<Proof> {
  const secretsOf = liveSecrets(ground);
  // The signal may be lost, and a revoked secret must still end within a second, so the age of a proof is the age of the secrets behind it.
  const proofs = boundedCache<Proof>(MOST, { ttl: FRESH_MS });
  // A proof made with the old secrets may be written just after the signal: the round number keeps it out.
  let round = 0;
  ground.signals.subscribe(WORKSPACES_CHANGED, () => {
    proofs.clear();
    round++;
  });

  return async (workspaceId, token) => {
    const now = ground.clock.now();
    const name = crypto.hash("sha256", `${workspaceId} ${token}`, "base64url");
    let proof = proofs.get(name);
    if (!proof) {
      const before = round;
      const { at, secrets } = secretsOf(workspaceId);
      proof = await verify(workspaceId, await secrets, token, now);
      if (before === round) proofs.set(name, proof, { start: at });
    }
    if (proof.expires <= now.getTime() / 1_000) throw expired();
    return proof;
  };
}

async function verify(
  workspaceId: string,
  secrets: { kid: string; key: Uint8Array }[],
  token: string,
  now: Date,
): Promise<Proof> {
  let reason = "is not signed by a live signing secret of this workspace";
  for (const { kid, key } of secrets) {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        requiredClaims: ["sub", "exp"],
        currentDate: now,
        clockTolerance: LEEWAY_S,
      });
      if (protectedHeader.kid !== undefined && protectedHeader.kid !== kid) continue;
      if (typeof payload.sub !== "string" || typeof payload.exp !== "number") throw invalid("has no sub or exp");
      if (payload.exp > now.getTime() / 1_000 + MOST_LIFE_S + LEEWAY_S) throw invalid("runs for more than 24 hours");
      const { sub: personId, exp: expires, email, phone } = payload;
      return { personId, signer: signerOf(workspaceId, kid), expires, email: textOf(email), phone: textOf(phone) };
    } catch (error) {
      if (error instanceof Problem) throw error;
      // The signature is checked first: an expired token was surely signed with this secret.
      if (error instanceof errors.JWTExpired) throw expired();
      if (error instanceof errors.JWTClaimValidationFailed) reason = `has a wrong or missing ${error.claim}`;
      else if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  throw invalid(reason);
}

const textOf = (claim: unknown): string | undefined => (typeof claim === "string" ? claim : undefined);
