// When a call that failed is repeated. The callers have the waits, and decide which answers are worth a repeat.

/** The longest rest that a receiver may ask for. A date with a wrong year must not stop its calls. */
const MOST_REST_MS = 3_600_000;

/**
 * Returns how many milliseconds to wait before the next attempt; undefined after the last one.
 * @param waits after the first, second, ... failed attempt
 * @param attempts how many there were
 * @param random in [0, 1): spreads each wait by 20 % in both directions, so that calls that failed together are not repeated together
 * @param atLeastMs how long the receiver asked to wait, which is obeyed
 */
export function waitAfter(waits: number[], attempts: number, random: number, atLeastMs = 0): number | undefined {
  const wait = waits[attempts - 1];
  return wait === undefined ? undefined : Math.max(Math.round(wait * (0.8 + 0.4 * random)), atLeastMs);
}

/** Parses `Retry-After`: seconds or an HTTP date (RFC 9110 section 10.2.3). Returns milliseconds; undefined for any other text. */
export function retryAfterMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,10}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** Returns for how long an answer asks to get no calls, an hour at most: `Retry-After` of a 429 or 503. 0 for any other answer. */
export const restOf = (status: number | null | undefined, retryAfter: string | undefined, now: Date): number =>
  status === 429 || status === 503 ? Math.min(retryAfterMs(retryAfter, now) ?? 0, MOST_REST_MS) : 0;
