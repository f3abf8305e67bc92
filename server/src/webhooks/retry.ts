import { restOf, waitAfter } from "../platform/outbound-http/index.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after the first, second, ... failed attempt: 25 hours in all. The attempt after the last wait is the last one. */
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
/** An endpoint is disabled if nothing succeeded for this time, which is longer than a weekend without staff. */
const PATIENCE_MS = 5 * 24 * HOUR;

/** The answer to one attempt. */
export interface AttemptResult {
  /** The HTTP status; undefined without an answer. */
  status?: number;
  retryAfter?: string | undefined;
}

/** The consequence of one attempt. */
export type AttemptOutcome =
  | { kind: "delivered" }
  /** The status was 410: the receiver wants no more events (Standard Webhooks). */
  | { kind: "gone" }
  /** `waitMs` is undefined after the last attempt. `restMs` is how long the endpoint asked to get no calls. */
  | { kind: "retry"; waitMs: number | undefined; restMs: number };

/** @param attempts including this one. @param random in [0, 1): each wait is spread by 20 % in both directions */
export function outcomeOf(attempt: AttemptResult, attempts: number, random: number, now: Date): AttemptOutcome {
  const { status } = attempt;
  if (status !== undefined && status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  const restMs = restOf(status, attempt.retryAfter, now);
  return { kind: "retry", waitMs: waitAfter(WAITS, attempts, random, restMs), restMs };
}

/** Whether an endpoint that has failed since an instant must be disabled. */
export const mustDisable = (failingSince: Date | null, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= PATIENCE_MS;
