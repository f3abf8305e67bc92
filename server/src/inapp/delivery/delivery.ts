import type { InteractionType } from "@tidings/contract/inapp/messages";

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
 * An impression counts while the cap is not reached; beyond it, it changes nothing and says so. A click ends a one-time
 * message, and any message when it was on a button whose action is dismiss: that is a dismissal. Clicks may repeat; a
 * second dismissal can't mean anything new.
 *
 * A click or a dismiss proves that the message was seen, so it implies an impression where none is known that was not later.
 * Reports come in any order, and the impression itself may come behind its click: it is the implied one then, is logged and
 * counts nothing. So what is counted is the impressions reported, and one more where the earliest click or dismiss was before
 * all of them: the two earliest times are all that is kept for it, and no order of the same reports gives another number.
 */

export type Status = "queued" | "shown" | "dismissed" | "expired" | "canceled" | "failed";

/** The part of a delivery's row that interactions decide on and change. */
export interface State {
  status: Status;
  live: boolean;
  impressions: number;
  clicked: boolean;
  dismissed: boolean;
  /** The earliest impression that was reported, in the client's milliseconds; Infinity where none was. */
  seenAt: number;
  /** The earliest click or dismissal, the same. */
  actedAt: number;
}

export interface Interaction {
  type: InteractionType;
  /** A click on the button that closes the message. */
  closes: boolean;
  /** When it happened, as the client says; absent where it does not say, or can't be right. */
  at?: number | undefined;
  now: number;
}

export interface Limits {
  /** Impressions in all; 1 for one-time. */
  cap: number;
  oneTime: boolean;
}

const ENDS = new Set<Status>(["dismissed", "expired", "canceled", "failed"]);

/** Whether an impression is counted that nobody reported yet. */
const implied = ({ seenAt, actedAt }: State): boolean => actedAt < seenAt;

/**
 * When it happened, for its place among the others. An impression without a time is before all: it is the one that a click
 * implied, if it comes behind it. A click without one is behind the impression that is known.
 */
function placeOf({ type, at, now }: Interaction, { seenAt }: State): number {
  if (at !== undefined) return at;
  if (type === "impression") return Number.NEGATIVE_INFINITY;
  return seenAt === Number.POSITIVE_INFINITY ? now : Math.max(now, seenAt);
}

/** What an interaction makes of a delivery, and whether it told anything new; undefined where it changes nothing. */
export function after(
  state: State,
  interaction: Interaction,
  { cap, oneTime }: Limits,
): { state: State; recorded: boolean } | undefined {
  const { type, closes } = interaction;
  if (state.status === "failed") return undefined;
  if (type === "impression" && state.impressions >= cap) return undefined;
  const next = { ...state };
  const place = placeOf(interaction, state);
  if (type === "impression") next.seenAt = Math.min(state.seenAt, place);
  else next.actedAt = Math.min(state.actedAt, place);
  const counts = Number(type === "impression") + Number(implied(next)) - Number(implied(state));
  if (state.impressions < cap) next.impressions += counts;
  if (type === "click") next.clicked = true;
  if (type === "dismiss" || closes) next.dismissed = true;
  if (!ENDS.has(state.status)) next.status = next.dismissed ? "dismissed" : "shown";
  if (next.dismissed || next.impressions >= cap || (oneTime && type === "click")) next.live = false;
  const again = type === "impression" ? counts === 0 : type === "dismiss" && state.dismissed;
  return again && same(state, next) ? undefined : { state: next, recorded: !again };
}

/** Whether two states are the same row. */
export const same = (a: State, b: State): boolean =>
  a.status === b.status &&
  a.live === b.live &&
  a.impressions === b.impressions &&
  a.clicked === b.clicked &&
  a.dismissed === b.dismissed &&
  a.seenAt === b.seenAt &&
  a.actedAt === b.actedAt;
