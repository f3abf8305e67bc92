/** What a provider said to one hand-off. */
export type Outcome =
  | { kind: "sent"; providerMessageId?: string; note?: Record<string, unknown> }
  /** May work later, or through another provider: it surely did not take the message. `fault`: of the provider as a whole. */
  | { kind: "retry"; reason: string; afterMs?: number; fault?: "provider" | "credentials" }
  /**
   * It may have taken the message and we did not hear it say so: a repeat may be a second copy. `blameless`: that was one
   * recipient's own server, which says nothing of the provider.
   */
  | { kind: "unknown"; reason: string; blameless?: boolean }
  /**
   * Will never work: repeating it would only be refused again. `invalidRecipient`: the address itself is dead. `unasked`:
   * it was refused on our side, which says nothing of the provider.
   */
  | { kind: "refused"; reason: string; invalidRecipient?: boolean; unasked?: boolean }
  /** Push: this device's token is dead; the documented codes only (docs/providers.md). */
  | { kind: "unregistered"; reason: string };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, ... failed attempt; after the last of them the delivery is failed. */
export const WAITS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR];

/** How long it takes from a delivery's first attempt to its last, some 17 hours. No provider in all this time: it fails, too. */
export const HORIZON_MS = WAITS.reduce((sum, wait) => sum + wait, 0);

/**
 * How long to wait before the next attempt, or undefined when it was the last. `random` in [0, 1) spreads the repeats by
 * 20 % to each side, so that what failed together does not come back together. A provider's own Retry-After is obeyed.
 */
export function waitAfter(attempts: number, random: number, afterMs = 0): number | undefined {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? undefined : Math.max(Math.round(wait * (0.8 + 0.4 * random)), afterMs);
}
