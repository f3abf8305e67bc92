import type { IncomingHttpHeaders } from "node:http";
import type { Ground } from "../../../platform/ground.ts";
import { OutboundError, type OutboundRequest, retryAfterMs } from "../../../platform/outbound-http/index.ts";
import { type Scrub, scrubbed } from "../../../platform/scrub.ts";
import type { Outcome } from "../../queue/retry.ts";
import { spoken } from "./tape.ts";

/** Hand-offs at once to one API: at 150 ms each about 200 a second. */
export const CONCURRENCY = 32;
/** Enough for 20 MiB of attachments over a slow line. A shorter wait leads to more hand-offs whose outcome is unknown. */
const TIMEOUT_MS = 30_000;
/** The longest wait. A longer Retry-After is treated as a mistake, because it would outlast all attempts. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/** The answer of an API. */
export interface ProviderAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body where it is a JSON object, otherwise empty. */
  json: Record<string, unknown>;
  text: string;
}

/**
 * What an answer means for the delivery.
 * `credentials`: this provider takes no message until the operator corrects key, account, sender or settings.
 * `provider`: it takes none now. In both cases it surely did not take this one. `refused`: it will never take this message.
 * `invalid_recipient`: it will never take one to this address. `unknown`: it may have taken it. Push: `unregistered`, the device's
 * token is dead; `later`, it can't reach this device now, which shows nothing about the provider.
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

/** What an API's answer means, as its provider's file reads it. */
export interface AnswerReading {
  meaning: Meaning;
  /** The reason in the provider's own words; without it, the beginning of the body. */
  words?: string;
  providerMessageId?: string;
  note?: Record<string, unknown>;
  /** The time to wait, where the API reports it otherwise than by Retry-After, which is read anyhow. */
  afterMs?: number;
}

/** Reads an answer by the API's own codes. Undefined: the HTTP status decides. */
export type AnswerReader = (answer: ProviderAnswer) => AnswerReading | undefined;

/** The calls to one API over HTTP. */
export interface Exchange {
  /** Makes one call. It never throws for a failure of the other side: that is an outcome. */
  call(url: string, request: OutboundRequest, readAnswer: AnswerReader): Promise<Outcome>;
  /** Ends the calls under way. */
  close(): void;
}

/**
 * Creates the exchange with one API.
 * @param scrub removes the credentials from an answer, before anything else is done with it
 * @param derived secrets that are sent in their place, besides the Authorization header; read at each answer, so they may change
 */
export function exchange(ground: Ground, scrub: Scrub, derived: string[] = []): Exchange {
  const ending = new AbortController();
  const shown = (words: string, { authorization = "" }: Record<string, string> = {}) =>
    scrubbed(scrub(words), [...derived, ...authorization.split(/[\s=,]+/).slice(1)]);

  return {
    async call(url, request, readAnswer) {
      const hide = (words: string) => shown(words, request.headers);
      const { method = "GET", headers: sent = {}, body: message = "" } = request;
      ground.tape?.add("us", spoken({ line: `${method} ${url}`, headers: sent, body: message }, hide));
      try {
        const { status, headers, body } = await ground.fetchOut(url, {
          timeoutMs: TIMEOUT_MS,
          ...request,
          signal: ending.signal,
        });
        const text = hide(body.toString("utf8"));
        ground.tape?.add("them", spoken({ line: `HTTP ${status}`, headers, body }, hide));
        const answer = { status, headers, json: objectOf(text), text };
        return outcomeOf(answer, readAnswer(answer) ?? byStatus(status), ground.clock.now());
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        ground.tape?.add("note", error.message);
        if (error.mayHaveArrived) return { kind: "unknown", reason: error.message };
        return { kind: "retry", reason: error.message, fault: "provider" };
      }
    },
    close: () => ending.abort(),
  };
}

/** Returns the result of `Provider.check`: why the outcome is a failure; undefined for a success. */
export const reasonOf = (outcome: Outcome): string | undefined =>
  outcome.kind === "sent" ? undefined : outcome.reason;

/** For checks: any 2xx is fine. */
export const any2xx: AnswerReader = ({ status }) => (status >= 200 && status < 300 ? { meaning: "sent" } : undefined);

/** Reads the HTTP status (RFC 9110), for answers whose body has no code. */
function byStatus(status: number): AnswerReading {
  if (status >= 300 && status < 400) return { meaning: "provider", words: "redirects are not followed" };
  // A gateway stopped waiting: the server behind it may have taken the message.
  if (status === 504) return { meaning: "unknown" };
  if (status >= 500 || status === 408 || status === 425 || status === 429) return { meaning: "provider" };
  // 402: the account has no money. 404 and 405: there is no such domain, account or route.
  if ([401, 402, 403, 404, 405].includes(status)) return { meaning: "credentials" };
  if (status >= 400) return { meaning: "refused" };
  return { meaning: "unknown", words: "the answer was not understood" };
}

function outcomeOf(answer: ProviderAnswer, reading: AnswerReading, now: Date): Outcome {
  const { meaning, providerMessageId, note } = reading;
  if (meaning === "sent")
    return { kind: "sent", ...(providerMessageId !== undefined && { providerMessageId }), ...(note && { note }) };
  const reason = `${answer.status} ${reading.words ?? answer.text.slice(0, 300)}`.trim();
  if (meaning === "unknown") return { kind: "unknown", reason };
  if (meaning === "refused") return { kind: "refused", reason };
  if (meaning === "unregistered") return { kind: "unregistered", reason };
  if (meaning === "invalid_recipient") return { kind: "refused", reason, invalidRecipient: true };
  const afterMs = retryAfterMs(answer.headers["retry-after"], now) ?? reading.afterMs;
  return {
    kind: "retry",
    reason,
    ...(meaning !== "later" && { fault: meaning }),
    ...(afterMs !== undefined && afterMs > 0 && { afterMs: Math.min(afterMs, LONGEST_WAIT_MS) }),
  };
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

/** Returns a field of an answer where it is a text that is not empty. */
export const textAt = (json: Record<string, unknown>, field: string): string | undefined =>
  typeof json[field] === "string" && json[field] !== "" ? json[field] : undefined;

/** Returns a field of an answer where it is an object, otherwise an empty one. */
export const objectAt = (json: Record<string, unknown>, field: string): Record<string, unknown> => {
  const value = json[field];
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
};

/** Returns the value of an Authorization header (RFC 7617). */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
