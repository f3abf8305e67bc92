import type { Tx } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { openings, zoneOf } from "../../platform/time/window.ts";
import { applyLimits, type AskHeld, recordHeld, type Recipient, type Sending, windowOf } from "../../sendings/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import type { BroadcastRow } from "../definition/store.ts";
import { storeBatches } from "./batch-store.ts";

// Recipients whom the workspace's limits hold back. They wait for the sending window in batches that are due when it opens for them, or
// get a delivery that tells why there is no message (docs/decisions/0031).

/**
 * Returns a function that tells when the window is open for people in a zone who are due at a time, both in milliseconds since 1970. People are
 * collected by it: a batch of several zones would be divided into as many batches when its turn comes.
 */
export async function windowOpening(
  tx: Tx,
  workspace: Workspace,
  sending: Sending,
): Promise<(due: number, zone: string | null) => number> {
  const window = sending.whenHeld === "wait" ? await windowOf(tx, workspace, sending) : undefined;
  if (!window) return (due) => due;
  const byDue = new Map<number, (zone: string) => Date>();
  return (due, zone) => {
    const opens = byDue.get(due) ?? openings(window, new Date(due));
    byDue.set(due, opens);
    return opens(zoneOf(zone, workspace.timezone)).getTime();
  };
}

/**
 * Stores those who wait as later batches, and returns the others, with a reason for each who gets nothing because of the limits. The log of
 * those who wait says so.
 */
export async function withoutHeld(
  tx: Tx,
  { row, sending, now, heldBack }: { row: BroadcastRow; sending: Sending; now: Date; heldBack: AskHeld },
  recipients: Recipient[],
): Promise<{ left: Recipient[]; moved: number }> {
  const { left, moved } = await applyLimits(heldBack, sending, recipients, now);
  const waiting = recipients.flatMap(({ deliveryId, person }) => {
    const held = moved.get(deliveryId);
    return held ? [{ key: person.person_key, due: held.until.getTime() }] : [];
  });
  const batches = [...Map.groupBy(waiting, ({ due }) => due)].map(([due, people]) => ({
    id: newId(),
    dueAt: new Date(due),
    personKeys: people.map(({ key }) => key),
    held: true,
  }));
  if (batches.length > 0) await storeBatches(tx, row, batches);
  await recordHeld(tx, sending, { moved, recipients }, now);
  return { left, moved: waiting.length };
}
