import type { IncomingHttpHeaders } from "node:http";
import type { Ground } from "../../../platform/ground.ts";
import { OutboundError, type OutboundRequest } from "../../../platform/outbound-http/index.ts";
import { type Scrub, scrubbed } from "../../../platform/scrub.ts";
import type { Outcome } from "../../queue/retry.ts";

/** Hand-offs at once to one API: at 150 ms each about 200 a second. */
export const CONCURRENCY = 32;
/** For 20 MiB of attachments over a slow line. A shorter wait makes more hand-offs whose end nobody knows. */
const TIMEOUT_MS = 30_000;
/** A Retry-After beyond this is taken for a mistake: it would outlive all attempts. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/** What an API answered. */
export interface ProviderAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body where it is a JSON object, otherwise empty. */
  json: Record<string, unknown>;
  text: string;
}

/**
 * What an answer means for the delivery.
 * `credentials`: nothing goes through this provider until the operator mends key, account, sender or settings.
 * `provider`: it can't now. Both surely did not take the message. `refused`: this message never.
 * `invalid_recipient`: nothing to this address ever. `unknown`: it may have taken it. Push: `unregistered`, the device's token
 * is dead; `later`, it can't reach this device now, which says nothing of the provider.
 */
export type Meaning =
  | "sent"
  | "credentials"
  | "provider"
  | "refused"
  | "invalid_recipient"
  | "unknown"
  | "unregistered"
  | "later";

export interface Reading {
  verdict: Meaning;
  /** In the provider's own words; the body's beginning unless given. */
  words?: string;
  providerMessageId?: string;
  note?: Record<string, unknown>;
  /** Where it says when to come back in its own way; Retry-After is read anyhow. */
  afterMs?: number;
}

/** Reads an answer by the API's own codes. Undefined: its HTTP status says enough. */
export type Judge = (said: ProviderAnswer) => Reading | undefined;

/** The calls to one API over HTTP. */
export interface Exchange {
  /** One call. Never throws for what the other side does: that is an outcome. */
  ask(url: string, request: OutboundRequest, judge: Judge): Promise<Outcome>;
  /** Ends the calls under way. */
  close(): void;
}

/**
 * @param scrub takes the credentials out of what is answered, before anything else is done with it
 * @param derived what travels in their place besides the Authorization header; read at each answer, so it may change
 */
export function exchange(ground: Ground, scrub: Scrub, derived: string[] = []): Exchange {
  const ending = new AbortController();
  const shown = (words: string, { authorization = "" }: Record<string, string> = {}) =>
    scrubbed(scrub(words), [...derived, ...authorization.split(/[\s=,]+/).slice(1)]);

  return {
    async ask(url, request, judge) {
      try {
        const { status, headers, body } = await ground.fetchOut(url, {
          timeoutMs: TIMEOUT_MS,
          ...request,
          signal: ending.signal,
        });
        const text = shown(body.toString("utf8"), request.headers);
        const said = { status, headers, json: objectOf(text), text };
        return outcomeOf(said, judge(said) ?? byStatus(status), ground.clock.now());
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        if (error.mayHaveArrived) return { kind: "unknown", reason: error.message };
        return { kind: "retry", reason: error.message, fault: "provider" };
      }
    },
    close: () => ending.abort(),
  };
}

/** A test of the connection as `Provider.check` gives it. */
export const reasonOf = (outcome: Outcome): string | undefined =>
  outcome.kind === "sent" ? undefined : outcome.reason;

/** For checks: any 2xx is fine. */
export const fine: Judge = ({ status }) => (status >= 200 && status < 300 ? { verdict: "sent" } : undefined);

/** HTTP's own words (RFC 9110), for answers whose body says no more. */
function byStatus(status: number): Reading {
  if (status >= 300 && status < 400) return { verdict: "provider", words: "redirects are not followed" };
  // A gateway gave up waiting: what stands behind it may have taken the message.
  if (status === 504) return { verdict: "unknown" };
  if (status >= 500 || status === 408 || status === 425 || status === 429) return { verdict: "provider" };
  // 402 the account has no money; 404 and 405 there is no such domain, account or route.
  if ([401, 402, 403, 404, 405].includes(status)) return { verdict: "credentials" };
  if (status >= 400) return { verdict: "refused" };
  return { verdict: "unknown", words: "the answer was not understood" };
}

function outcomeOf(said: ProviderAnswer, reading: Reading, now: Date): Outcome {
  const { verdict, providerMessageId, note } = reading;
  if (verdict === "sent")
    return { kind: "sent", ...(providerMessageId !== undefined && { providerMessageId }), ...(note && { note }) };
  const reason = `${said.status} ${reading.words ?? said.text.slice(0, 300)}`.trim();
  if (verdict === "unknown") return { kind: "unknown", reason };
  if (verdict === "refused") return { kind: "refused", reason };
  if (verdict === "unregistered") return { kind: "unregistered", reason };
  if (verdict === "invalid_recipient") return { kind: "refused", reason, invalidRecipient: true };
  const afterMs = waitOf(said.headers["retry-after"], now) ?? reading.afterMs;
  return {
    kind: "retry",
    reason,
    ...(verdict !== "later" && { fault: verdict }),
    ...(afterMs !== undefined && afterMs > 0 && { afterMs: Math.min(afterMs, LONGEST_WAIT_MS) }),
  };
}

/** Retry-After: seconds or an HTTP date (RFC 9110 10.2.3). */
function waitOf(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : at - now.getTime();
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** A field of an answer where it is a text that says something. */
export const textAt = (json: Record<string, unknown>, field: string): string | undefined =>
  typeof json[field] === "string" && json[field] !== "" ? json[field] : undefined;

/** A field of an answer where it is an object, otherwise empty. */
export const objectAt = (json: Record<string, unknown>, field: string): Record<string, unknown> => {
  const value = json[field];
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
};

/** The value of an Authorization header. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
