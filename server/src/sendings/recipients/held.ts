import { record, sourceText } from "../../activity/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { derivedId } from "../../platform/ids.ts";
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

/**
 * Writes into the log of each person whose message waits: why, and until when. A sender that asks again and hears the same writes nothing, so
 * each hold is one entry. The entry names the delivery that the message will be, which is stored once it is queued.
 */
export async function recordHeld(
  tx: Tx,
  sending: Sending,
  held: { moved: Map<string, Held>; recipients: Recipient[] },
  now: Date,
): Promise<void> {
  if (held.moved.size === 0) return;
  const { workspaceId, channel, source, sourceId, step } = sending;
  const origin = { source, source_id: sourceText(source, sourceId), ...(step && { step_id: step.id }) };
  const entries = held.recipients.flatMap(({ deliveryId, person }) => {
    const hold = held.moved.get(deliveryId);
    if (!hold) return [];
    const until = hold.until.toISOString();
    const data = { reason: heldReason(hold), until, ...origin };
    const id = derivedId("held", deliveryId, hold.by, until);
    return [{ workspaceId, personKey: person.person_key, deliveryId, type: `${channel}.held`, at: now, data, id }];
  });
  await record(tx, entries);
}
