import type { InteractionType } from "@tidings/contract/inapp/messages";

/*
 * The life of an in-app delivery.
 *
 *   (none) --queue--> queued --impression, click--> shown --dismiss--> dismissed
 *                       |                             |
 *                       +----------- dismiss ---------+--------------> dismissed
 *                       +----------- expiry ----------+--------------> expired
 *                       +----------- recall ----------+--------------> canceled
 *   (none) --queue--> failed: it could not be rendered, so nobody ever saw it
 *
 * `status` says how far the delivery came, `live` whether sync may still return it. They differ in one case: a delivery that was
 * shown as often as its cap allows keeps the status shown and is no longer live. It may still be open on a device, so a recall
 * takes it back too; its impressions and clicks stay counted. Dismissed, expired, canceled and failed are final: a later report
 * (of a phone that was offline) is counted and logged, but the status stays.
 *
 * An impression counts while the cap is not reached; beyond the cap it changes nothing, and the response says so. A click ends a
 * one-time message. A click on a button whose action is dismiss ends any message: it is a dismissal. Clicks may repeat; a second
 * dismissal changes nothing.
 *
 * A click or a dismiss proves that the message was seen, so it implies an impression unless an earlier one is known. Reports
 * arrive in any order, and the impression itself may arrive after its click: then it is the implied one, is logged and counts
 * nothing. So the count is the number of reported impressions, plus one where the earliest click or dismiss was before all of
 * them. Only these two earliest times are stored, and the same reports in any order result in the same number.
 */

export type Status = "queued" | "shown" | "dismissed" | "expired" | "canceled" | "failed";

/** The part of a delivery's row that interactions read and change. */
export interface State {
  status: Status;
  live: boolean;
  impressions: number;
  clicked: boolean;
  dismissed: boolean;
  /** The earliest reported impression, in the client's milliseconds; Infinity where there was none. */
  seenAt: number;
  /** The earliest click or dismissal, in the client's milliseconds; Infinity where there was none. */
  actedAt: number;
}

export interface Interaction {
  type: InteractionType;
  /** A click on the button that closes the message. */
  closes: boolean;
  /** When it happened, by the client's clock; absent where the client gives no time, or one that can't be right. */
  at?: number | undefined;
  now: number;
}

export interface Limits {
  /** The most impressions of the delivery; 1 for one-time. */
  cap: number;
  oneTime: boolean;
}

const FINAL = new Set<Status>(["dismissed", "expired", "canceled", "failed"]);

/** Whether the count has an impression that no client has reported yet. */
const implied = ({ seenAt, actedAt }: State): boolean => actedAt < seenAt;

/**
 * The time that orders an interaction among the others. An impression without a time comes first: after a click, it is the one
 * that the click implied. A click without a time comes after the known impression.
 */
function timeOf({ type, at, now }: Interaction, { seenAt }: State): number {
  if (at !== undefined) return at;
  if (type === "impression") return Number.NEGATIVE_INFINITY;
  return seenAt === Number.POSITIVE_INFINITY ? now : Math.max(now, seenAt);
}

/**
 * The state of a delivery after an interaction, and whether the interaction is recorded as new; undefined where it changes
 * nothing.
 */
export function nextState(
  state: State,
  interaction: Interaction,
  { cap, oneTime }: Limits,
): { state: State; recorded: boolean } | undefined {
  const { type, closes } = interaction;
  if (state.status === "failed") return undefined;
  if (type === "impression" && state.impressions >= cap) return undefined;
  const next = { ...state };
  const time = timeOf(interaction, state);
  if (type === "impression") next.seenAt = Math.min(state.seenAt, time);
  else next.actedAt = Math.min(state.actedAt, time);
  const counts = Number(type === "impression") + Number(implied(next)) - Number(implied(state));
  if (state.impressions < cap) next.impressions += counts;
  if (type === "click") next.clicked = true;
  if (type === "dismiss" || closes) next.dismissed = true;
  if (!FINAL.has(state.status)) next.status = next.dismissed ? "dismissed" : "shown";
  if (next.dismissed || next.impressions >= cap || (oneTime && type === "click")) next.live = false;
  const repeated = type === "impression" ? counts === 0 : type === "dismiss" && state.dismissed;
  return repeated && sameState(state, next) ? undefined : { state: next, recorded: !repeated };
}

/** Whether two states are equal, so that nothing is to be written. */
export const sameState = (a: State, b: State): boolean =>
  a.status === b.status &&
  a.live === b.live &&
  a.impressions === b.impressions &&
  a.clicked === b.clicked &&
  a.dismissed === b.dismissed &&
  a.seenAt === b.seenAt &&
  a.actedAt === b.actedAt;
