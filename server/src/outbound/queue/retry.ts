/** How a hand-off to a provider ended. */
export type Outcome =
  | { kind: "sent"; providerMessageId?: string; note?: Record<string, unknown> }
  /** The provider surely did not take the message, and a repeat may work. `fault`: it fails as a whole, or its credentials are wrong. */
  | { kind: "retry"; reason: string; afterMs?: number; fault?: "provider" | "credentials" }
  /**
   * The provider may have taken the message, but its answer did not arrive: a repeat may be a second copy. `blameless`: the
   * recipient's own server was silent, which shows nothing about the provider.
   */
  | { kind: "unknown"; reason: string; blameless?: boolean }
  /**
   * It will never work: a repeat would be refused again. `invalidRecipient`: the address itself is dead. `unasked`: it was
   * refused on our side, which shows nothing about the provider.
   */
  | { kind: "refused"; reason: string; invalidRecipient?: boolean; unasked?: boolean }
  /** Push: this device's token is dead. Only the documented codes lead to it (docs/providers.md). */
  | { kind: "unregistered"; reason: string };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, ... failed attempt; after the last of them the delivery is failed. */
export const WAITS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR];

/** The time from a delivery's first attempt to its last, about 17 hours. Without any provider in this time it fails, too. */
export const HORIZON_MS = WAITS.reduce((sum, wait) => sum + wait, 0);
