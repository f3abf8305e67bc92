import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { Ground } from "../../../platform/ground.ts";
import type { Outcome } from "../../queue/retry.ts";
import { type AnswerReading, exchange, type ProviderAnswer, textAt } from "../protocol/exchange.ts";
import type { Opening } from "../protocol/provider.ts";

/** How long before its end a token is renewed: a message under way must not arrive with a token that has ended. */
const EARLY_MS = 5 * 60_000;
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";

export interface AccessTokens {
  /** Returns the token, or the outcome where there is none; then no message was sent. */
  current(): Promise<string | Outcome>;
  /** Forgets a token that is no longer accepted; the next call gets another. */
  drop(token: string): void;
  close(): void;
}

/**
 * Keeps the access token of a service account (Google, "Using OAuth 2.0 for Server to Server Applications") until shortly before
 * it ends. All hand-offs that wait for a token share one request.
 */
export function accessTokens(ground: Ground, { settings, scrub }: Opening<"fcm">, key: KeyObject): AccessTokens {
  const { client_email, token_url = "https://oauth2.googleapis.com/token" } = settings;
  const hidden: string[] = [];
  const api = exchange(ground, scrub, hidden);
  let kept: { token: string; until: number } | undefined;
  let requesting: Promise<string | Outcome> | undefined;

  async function requestToken(): Promise<string | Outcome> {
    const now = ground.clock.now().getTime();
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuer(client_email)
      .setAudience(token_url)
      .setIssuedAt(Math.floor(now / 1_000))
      .setExpirationTime(Math.floor(now / 1_000) + 3_600)
      .sign(key);
    hidden[0] = assertion;
    let grant: { token: string; seconds: number } | undefined;
    const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const request = { method: "POST", headers, body: body.toString(), timeoutMs: 10_000 };
    const outcome = await api.call(token_url, request, (answer) => {
      grant = granted(answer);
      return grant ? { meaning: "sent" } : denied(answer);
    });
    if (!grant) return unsent(outcome);
    kept = { token: grant.token, until: now + grant.seconds * 1_000 - Math.min(EARLY_MS, grant.seconds * 100) };
    return grant.token;
  }

  return {
    current() {
      if (kept && ground.clock.now().getTime() < kept.until) return Promise.resolve(kept.token);
      requesting ??= requestToken().finally(() => {
        requesting = undefined;
      });
      return requesting;
    },
    drop(token) {
      if (kept?.token === token) kept = undefined;
    },
    close: api.close,
  };
}

function granted({ status, json }: ProviderAnswer): { token: string; seconds: number } | undefined {
  const token = textAt(json, "access_token");
  // A text that is not allowed in a header is no token (RFC 6750 2.1).
  if (status !== 200 || token === undefined || !/^[\x21-\x7e]+$/.test(token)) return undefined;
  return { token, seconds: typeof json.expires_in === "number" ? json.expires_in : 3_600 };
}

/** RFC 6749 5.2: each of its errors is about the account, its key or our clock. */
function denied({ status, json }: ProviderAnswer): AnswerReading | undefined {
  const error = textAt(json, "error");
  if (error !== undefined && status < 500 && status !== 429)
    return { meaning: "credentials", words: `${error}: ${textAt(json, "error_description") ?? ""}` };
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? { meaning: "credentials" } : undefined;
}

/** Turns the outcome of a request for a token into that of the message, which was not sent. */
function unsent(outcome: Outcome): Outcome {
  const reason = `no access token: ${"reason" in outcome ? outcome.reason : ""}`;
  if (outcome.kind === "retry") return { ...outcome, reason };
  return { kind: "retry", reason, fault: "provider" };
}
