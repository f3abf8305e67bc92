import type { InteractionType } from "@tidings/contract/inapp";

/*
 * The life of an in-app delivery.
 *
 *   (none) --queue--> queued --impression, click--> shown --dismiss--> dismissed
 *                       |                             |
 *                       +----------- dismiss ---------+--------------> dismissed
 *                       +----------- expiry ----------+--------------> expired
 *                       +----------- recall ----------+--------------> canceled
 *   (none) --queue--> failed: it could not be rendered, nobody ever saw it
 *
 * `status` says how far it came, `live` whether sync may still return it. They differ once: a message that was shown as often
 * as it may be keeps the status shown and is no longer live. It may still be open somewhere, so a recall takes it back too;
 * that it was shown or clicked stays counted. Dismissed, expired, canceled and failed are ends: what is reported
 * afterwards (a phone that was offline) is counted and logged, but no end is ever left.
 *
 * An impression counts while the cap is not reached; beyond it, it changes nothing and says so. A click or a dismiss
 * proves that the message was seen, so it counts as the first impression where there was none. A click ends a one-time
 * message, and any message when it was on a button whose action is dismiss: that is a dismissal. Clicks may repeat; a
 * second dismissal can't mean anything new.
 */

export type Status = "queued" | "shown" | "dismissed" | "expired" | "canceled" | "failed";

/** The part of a delivery's row that interactions decide on and change. */
export interface State {
  status: Status;
  live: boolean;
  impressions: number;
  clicked: boolean;
  dismissed: boolean;
}

export interface Interaction {
  type: InteractionType;
  /** A click on the button that closes the message. */
  closes: boolean;
}

export interface Limits {
  /** Impressions in all; 1 for one-time. */
  cap: number;
  oneTime: boolean;
}

const ENDS = new Set<Status>(["dismissed", "expired", "canceled", "failed"]);

/** What an interaction makes of a delivery, or undefined where it can't mean anything new. */
export function after(state: State, { type, closes }: Interaction, { cap, oneTime }: Limits): State | undefined {
  if (state.status === "failed") return undefined;
  if (type === "impression" && state.impressions >= cap) return undefined;
  if (type === "dismiss" && state.dismissed) return undefined;
  const next = { ...state };
  if (type === "impression" || state.impressions === 0) next.impressions++;
  if (type === "click") next.clicked = true;
  if (type === "dismiss" || closes) next.dismissed = true;
  if (!ENDS.has(state.status)) next.status = next.dismissed ? "dismissed" : "shown";
  if (next.dismissed || next.impressions >= cap || (oneTime && type === "click")) next.live = false;
  return next;
}

/** Whether two states are the same row. */
export const same = (a: State, b: State): boolean =>
  a.status === b.status &&
  a.live === b.live &&
  a.impressions === b.impressions &&
  a.clicked === b.clicked &&
  a.dismissed === b.dismissed;
