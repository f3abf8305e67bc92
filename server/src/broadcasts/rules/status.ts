import type { BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import { statusAfterMove } from "../../platform/resources/status.ts";

/*
 * The life of a broadcast.
 *
 *   draft --send--> sending --finish--> sent
 *     |               |  ^ +--fail----> failed      in-app was switched off, or the message was removed
 *     |            pause resume
 *     |               v  |
 *     |             paused --cancel---> canceled    also from scheduled and sending
 *     +--schedule--> scheduled --send (now, or when it is due)--> sending
 *                        +---fail (when it is due)--> failed
 *
 * A draft and a scheduled broadcast may be changed: audience, message and version are fixed only when sending starts. A
 * scheduled one may be scheduled again. Pause and cancel wait for the batch that is under way; after their answer nothing more
 * is queued, and deliveries that are queued already stay. Sent, canceled and failed are final. A recall takes deliveries back.
 * If the broadcast still sends, the recall cancels the rest first, so that nothing is queued meanwhile; a final status stays.
 * A sending or paused broadcast can't be removed: cancel it first.
 */

export type Move =
  | "edit"
  | "send"
  | "schedule"
  | "pause"
  | "resume"
  | "finish"
  | "fail"
  | "cancel"
  | "recall"
  | "remove";

const MOVES: Record<Move, Partial<Record<BroadcastStatus, BroadcastStatus>>> = {
  edit: { draft: "draft", scheduled: "scheduled" },
  send: { draft: "sending", scheduled: "sending" },
  schedule: { draft: "scheduled", scheduled: "scheduled" },
  pause: { sending: "paused" },
  resume: { paused: "sending" },
  finish: { sending: "sent" },
  fail: { scheduled: "failed", sending: "failed" },
  cancel: { scheduled: "canceled", sending: "canceled", paused: "canceled" },
  recall: { sending: "canceled", paused: "canceled", sent: "sent", canceled: "canceled", failed: "failed" },
  remove: { draft: "draft", scheduled: "scheduled", sent: "sent", canceled: "canceled", failed: "failed" },
};

/** Returns the status after a move, or undefined if the move is not possible. */
export const statusAfter = (status: BroadcastStatus, move: Move): BroadcastStatus | undefined => MOVES[move][status];

const PARTICIPLES: Record<Move, string> = {
  edit: "changed",
  send: "sent",
  schedule: "scheduled",
  pause: "paused",
  resume: "resumed",
  finish: "finished",
  fail: "failed",
  cancel: "canceled",
  recall: "recalled",
  remove: "removed",
};

/** Returns the status after a move. @throws Problem wrong_status that names the statuses in which the move is possible */
export const nextStatus = (status: BroadcastStatus, move: Move): BroadcastStatus =>
  statusAfterMove({ noun: "broadcast", moves: MOVES, participles: PARTICIPLES }, status, move);
