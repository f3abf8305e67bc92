import type { InAppDefinition } from "@tidings/contract/inapp/definition";
import { durationMs } from "../../platform/time/duration.ts";

type Persistence = InAppDefinition["persistence"];

/** Whether there are limits, and they count all deliveries of the message that a person has. */
export const sharesLimits = ({ per, max_impressions, min_interval }: Persistence): boolean =>
  per !== "delivery" && (max_impressions !== null || min_interval !== null);

/** How often one delivery may be shown: a one-time message once, whatever `max_impressions` says. */
export function capOf(persistence: Persistence): number {
  if (persistence.mode === "one_time") return 1;
  return mostOf(persistence);
}

/** How often a person may be shown the message; Infinity where there is no limit. */
export const mostOf = ({ max_impressions }: Persistence): number => max_impressions ?? Number.POSITIVE_INFINITY;

/** Whether one more impression is allowed. */
export const underCap = (cap: number, impressions: number): boolean => impressions < cap;

/** When the pause after the last accepted impression ends, on the server's clock in milliseconds; 0 where there is no pause. */
export function pausedUntil(intervalMs: number, lastImpressionAt: number | null): number {
  return intervalMs === 0 || lastImpressionAt === null ? 0 : lastImpressionAt + intervalMs;
}

/** When sync stops returning a delivery that is queued at `queuedAt`; null is never. */
export function expiryOf(expiry: InAppDefinition["expiry"], queuedAt: Date): Date | null {
  return expiry === null ? null : new Date(queuedAt.getTime() + durationMs(expiry));
}

/** Whether a delivery is expired: it is, from `expiresAt` on. */
export const isExpired = (expiresAt: number | null, now: number): boolean => expiresAt !== null && now >= expiresAt;
