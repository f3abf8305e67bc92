import type { BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import { Problem } from "../../platform/http/index.ts";

/*
 * The life of a broadcast.
 *
 *   draft --send--> sending --finish--> sent
 *     |               |  ^ +--fail----> failed      in-app was switched off, or the message is gone
 *     |            pause resume
 *     |               v  |
 *     |             paused --cancel---> canceled    also from scheduled and sending
 *     +--schedule--> scheduled --send (now, or when it is due)--> sending
 *                        +---fail (when it is due)--> failed
 *
 * A draft and a scheduled one may still be changed: audience, message and version are fixed when sending starts and not
 * before. A scheduled one may be scheduled again. Pause and cancel wait for the page that is under way and nothing more is
 * sent after their answer; what is out is out. Sent, canceled and failed are ends. A recall takes back what is out: of one
 * that still sends it cancels the rest first, so that nothing is queued behind its back; an end keeps its name.
 * What is sending or paused can't be removed: cancel it first.
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

/** The status after a move, or undefined where it is not possible. */
export const after = (status: BroadcastStatus, move: Move): BroadcastStatus | undefined => MOVES[move][status];

const DONE: Record<Move, string> = {
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

/** The same. @throws Problem wrong_status that names the statuses in which it is possible */
export function moved(status: BroadcastStatus, move: Move): BroadcastStatus {
  const next = after(status, move);
  if (next !== undefined) return next;
  const possible = Object.keys(MOVES[move]).join(", ");
  throw new Problem("wrong_status", `A broadcast that is ${status} can't be ${DONE[move]}: it must be ${possible}.`, {
    extra: { current: status },
  });
}
