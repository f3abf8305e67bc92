import type { InAppDefinition } from "@tidings/contract/inapp/definition";
import type { InAppCap } from "@tidings/contract/workspaces";
import { durationMs } from "../../platform/time/duration.ts";

const DAY_MS = 86_400_000;
/** The highest max_per_day that is allowed, so no more times are worth keeping. */
const MOST_KEPT = 1_000;
const CRITICAL = 100;

/**
 * Whether the workspace's cap applies to this message. Critical messages always show, and people open the inbox on purpose:
 * neither a critical message nor an inbox card is held back or counted.
 */
export const isCapped = ({ priority, render_type }: InAppDefinition): boolean =>
  priority < CRITICAL && render_type !== "inbox_card";

/**
 * When the next impression is allowed, in milliseconds; 0 where it is allowed now. `times` are this person's counted impressions, oldest first.
 * A day is any 24 hours: a calendar day would need a zone, and would let through twice as many around its midnight.
 */
export function heldUntil(cap: InAppCap, times: number[], now: number): number {
  const last = times.at(-1);
  if (last === undefined) return 0;
  let until = cap.min_interval ? last + durationMs(cap.min_interval) : 0;
  // The impression that must become a day old to make room: with 3 a day, the third from the end.
  const oldest = cap.max_per_day ? times.at(-cap.max_per_day) : undefined;
  if (oldest !== undefined) until = Math.max(until, oldest + DAY_MS);
  return until > now ? until : 0;
}

/** The record with one more impression. Impressions that no cap can need any more are dropped; the last one is always kept. */
export function counted(times: number[], now: number): number[] {
  const recent = times.filter((at) => at > now - DAY_MS);
  return [...recent, Math.max(now, times.at(-1) ?? now)].slice(-MOST_KEPT);
}
