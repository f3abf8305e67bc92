import type { StepOf } from "@tidings/contract/campaigns/steps";
import { durationMs } from "../../platform/time/duration.ts";

// Decides which message of a step a person gets next. A step has a message of its own and those of its `escalate`, in order. The next one
// follows when its time is over and none of the earlier ones was seen. A message that fails is followed by the next one at once.

/** A message of a step that was queued for a person, or failed. */
export interface TriedMessage {
  /** Why the person does not get it; undefined where it is on its way or arrived. */
  failed?: string | undefined;
  /** An impression, an open by a human, or a click. */
  seen: boolean;
  /** It can still be taken back: an email that waits to be sent, an in-app message that was not shown. */
  open: boolean;
}

/** The messages of a step that a person was sent so far. */
export interface SentMessages {
  tried: TriedMessage[];
  /** When the last of them was queued, by the campaign's own clock. */
  since: Date;
}

/** What happens next at a message step. Positions begin with 0, the step's own message. */
export type Escalation =
  | { kind: "send"; position: number }
  | { kind: "wait"; until: Date }
  /** The person saw one message: these others are taken back. */
  | { kind: "take back"; positions: number[] }
  /** The run continues. `failed` is the last reason, where no message reached the person. */
  | { kind: "over"; failed: string | undefined };

/** Returns the messages of a step, in their order. */
export const messagesOf = ({ channel, escalate = [] }: StepOf<"message">) => [{ channel }, ...escalate];

/** Decides the next message of a step for one person. @param clock now, by the campaign's own clock */
export function escalationOf(
  { escalate = [] }: Pick<StepOf<"message">, "escalate">,
  { tried, since }: SentMessages,
  clock: Date,
): Escalation {
  if (tried.some(({ seen }) => seen)) {
    const positions = tried.flatMap(({ seen, open }, i) => (open && !seen ? [i] : []));
    return positions.length > 0 ? { kind: "take back", positions } : { kind: "over", failed: undefined };
  }
  const position = tried.length;
  const last = tried.at(-1);
  if (!last) return { kind: "send", position };
  const next = escalate[position - 1];
  if (!next)
    return { kind: "over", failed: tried.every(({ failed }) => failed !== undefined) ? last.failed : undefined };
  const due = new Date(since.getTime() + (next.after ? durationMs(next.after) : 0));
  return last.failed === undefined && clock < due ? { kind: "wait", until: due } : { kind: "send", position };
}
