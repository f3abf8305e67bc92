const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, ... failed attempt, 25 hours together; after the last of them the delivery is failed. */
export const WAITS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  10 * HOUR + 24 * MINUTE,
];
/** An endpoint where nothing succeeded for so long is disabled. Longer than any weekend with nobody there. */
const PATIENCE_MS = 5 * 24 * HOUR;
/** The longest rest that an endpoint may ask for; a mistaken year must not silence it. */
const MOST_REST_MS = HOUR;

/** What came of one attempt. */
export interface Attempt {
  /** Undefined: there was no answer. */
  status?: number;
  retryAfter?: string | undefined;
}

export type Verdict =
  | { kind: "delivered" }
  /** 410: the receiver wants nothing more, ever (Standard Webhooks). */
  | { kind: "gone" }
  /** `waitMs` undefined: that was the last attempt. `restMs`: the endpoint asked to be left alone so long. */
  | { kind: "again"; waitMs: number | undefined; restMs: number };

/** @param attempts including this one. @param random in [0, 1): repeats are spread by 20 % to each side */
export function verdictOf(attempt: Attempt, attempts: number, random: number, now: Date): Verdict {
  const { status } = attempt;
  if (status !== undefined && status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  const restMs = status === 429 || status === 503 ? retryAfterMs(attempt.retryAfter, now) : 0;
  const wait = WAITS[attempts - 1];
  const waitMs = wait === undefined ? undefined : Math.max(Math.round(wait * (0.8 + 0.4 * random)), restMs);
  return { kind: "again", waitMs, restMs };
}

/** Seconds or an HTTP date (RFC 9110 section 10.2.3), at most an hour; 0 for anything else. */
function retryAfterMs(text: string | undefined, now: Date): number {
  if (text === undefined) return 0;
  const ms = /^\d{1,10}$/.test(text.trim()) ? Number(text) * SECOND : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MOST_REST_MS);
}

/** Whether an endpoint that fails since then is to be disabled. */
export const isHopeless = (failingSince: Date | null, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= PATIENCE_MS;
