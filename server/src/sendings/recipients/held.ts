import type { AskHeld } from "../limits/limits.ts";
import { type Held, heldReason, isMoved } from "../rules/limits.ts";
import type { Sending } from "../sending.ts";
import type { Recipient } from "./queue.ts";

/** Recipients after the workspace's limits. */
export interface AfterLimits {
  /** Those who get a delivery now; that of a person whom the limits leave out tells why. */
  left: Recipient[];
  /** By delivery: those to whom the message is sent later. */
  moved: Map<string, Held>;
}

/** Asks the limits about all recipients who are not refused for another reason. */
export async function applyLimits(
  heldBack: AskHeld,
  sending: Sending,
  recipients: Recipient[],
  now: Date,
): Promise<AfterLimits> {
  const willing = recipients.filter(({ refused }) => refused === undefined);
  const people = willing.map(({ person }) => person);
  const asked = await heldBack(sending, people, now);
  const holds = new Map(willing.map((one, i) => [one, asked[i]]));
  const moved = new Map<string, Held>();
  const left = recipients.flatMap((one) => {
    const hold = holds.get(one);
    if (!hold) return [one];
    if (!isMoved(sending, hold)) return [{ ...one, refused: heldReason(hold) }];
    moved.set(one.deliveryId, hold);
    return [];
  });
  return { left, moved };
}
