import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { Ground } from "../../../platform/ground.ts";
import type { Outcome } from "../../queue/retry.ts";
import { exchange, type Reading, type ProviderAnswer, textAt } from "../protocol/exchange.ts";
import type { Opening } from "../protocol/provider.ts";

/** Renewed so long before it ends: a message on its way must not arrive with one that has ended. */
const EARLY_MS = 5 * 60_000;
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";

export interface AccessTokens {
  /** The token, or why there is none: nothing was sent then. */
  current(): Promise<string | Outcome>;
  /** Says that this one is no longer taken; the next call gets another. */
  drop(token: string): void;
  close(): void;
}

/**
 * The access token of a service account (Google, "Using OAuth 2.0 for Server to Server Applications"): kept until
 * shortly before it ends, and asked for once, however many wait for it.
 */
export function accessTokens(ground: Ground, { settings, scrub }: Opening<"fcm">, key: KeyObject): AccessTokens {
  const { client_email, token_url = "https://oauth2.googleapis.com/token" } = settings;
  const hidden: string[] = [];
  const api = exchange(ground, scrub, hidden);
  let kept: { token: string; until: number } | undefined;
  let asking: Promise<string | Outcome> | undefined;

  async function ask(): Promise<string | Outcome> {
    const now = ground.clock.now().getTime();
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuer(client_email)
      .setAudience(token_url)
      .setIssuedAt(Math.floor(now / 1_000))
      .setExpirationTime(Math.floor(now / 1_000) + 3_600)
      .sign(key);
    hidden[0] = assertion;
    let got: { token: string; seconds: number } | undefined;
    const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const request = { method: "POST", headers, body: body.toString(), timeoutMs: 10_000 };
    const outcome = await api.ask(token_url, request, (said) => {
      got = granted(said);
      return got ? { verdict: "sent" } : denied(said);
    });
    if (!got) return unsent(outcome);
    kept = { token: got.token, until: now + got.seconds * 1_000 - Math.min(EARLY_MS, got.seconds * 100) };
    return got.token;
  }

  return {
    current() {
      if (kept && ground.clock.now().getTime() < kept.until) return Promise.resolve(kept.token);
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    drop(token) {
      if (kept?.token === token) kept = undefined;
    },
    close: api.close,
  };
}

function granted({ status, json }: ProviderAnswer): { token: string; seconds: number } | undefined {
  const token = textAt(json, "access_token");
  // What can't stand in a header is no token (RFC 6750 2.1).
  if (status !== 200 || token === undefined || !/^[\x21-\x7e]+$/.test(token)) return undefined;
  return { token, seconds: typeof json.expires_in === "number" ? json.expires_in : 3_600 };
}

/** RFC 6749 5.2: each of its errors is about the account, its key or our clock. */
function denied({ status, json }: ProviderAnswer): Reading | undefined {
  const error = textAt(json, "error");
  if (error !== undefined && status < 500 && status !== 429)
    return { verdict: "credentials", words: `${error}: ${textAt(json, "error_description") ?? ""}` };
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? { verdict: "credentials" } : undefined;
}

/** Whatever became of the call for the token, the message has not travelled. */
function unsent(outcome: Outcome): Outcome {
  const reason = `no access token: ${"reason" in outcome ? outcome.reason : ""}`;
  if (outcome.kind === "retry") return { ...outcome, reason };
  return { kind: "retry", reason, fault: "provider" };
}
