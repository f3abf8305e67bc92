import type { Tx } from "../platform/db/index.ts";
import { type Canceled, type Held, held, type Merge, type PersonTable, TURNS } from "../workspaces/index.ts";
import {
  type Copy,
  cancelCopies,
  copiesOf,
  deliveriesOf,
  emptyActivity,
  emptyDeliveries,
  LEASED,
  liveOf,
  lockDeliveries,
} from "./held-store.ts";

/** The signal that live deliveries were canceled or moved to another person, as "person_key:delivery_id". Open applications sync then. */
export const LIVE_CHANGED = "activity.look_again";

/** Erases and merges the log, and the deliveries of every channel by the same rules (docs/decisions/0026-writers-of-deliveries.md). */
export const holds: Held[] = [
  held("activity", {
    ids: { id: "act", delivery_id: "dlv" },
    erase: (tx, { personKey }) => emptyActivity(tx, personKey),
  }),
  held("deliveries", {
    ids: { id: "dlv", message_id: "msg", topic_id: "top" },
    // Locked in the order of other writers: a worker locks the delivery before the log, and feedback locks it before the person.
    lockedFirst: TURNS.deliveries,
    page: (q, { personKey }, page, shape) => deliveriesOf(q, personKey, page, shape as PersonTable),
    // If the row of a delivery moved that a worker sends now, the worker could not store the end, and the delivery would be sent again.
    async hold(tx, personKey, stays) {
      const leased = await lockDeliveries(tx, personKey, stays);
      return stays || !leased.includes(true);
    },
    async erase(tx, { personKey }) {
      const live = await liveOf(tx, personKey);
      await emptyDeliveries(tx, personKey);
      signalLive(
        tx,
        live.map((id) => `${personKey}:${id}`),
      );
    },
    inUse: LEASED,
    beforeMerge: cancelDoubles,
  }),
];

/** Cancels one of two copies of a broadcast. The applications of both people sync after the merge. */
async function cancelDoubles(tx: Tx, { from, to }: Merge): Promise<Canceled[]> {
  const copies = doubles(await copiesOf(tx, from), await copiesOf(tx, to));
  const canceled = [...(await cancelCopies(tx, from, copies.source)), ...(await cancelCopies(tx, to, copies.target))];
  const moved = [...(await liveOf(tx, from)), ...canceled.map((one) => one.id)];
  signalLive(
    tx,
    moved.flatMap((id) => [`${from}:${id}`, `${to}:${id}`]),
  );
  return canceled;
}

function signalLive(tx: Tx, items: string[]): void {
  if (items.length > 0) tx.signal(LIVE_CHANGED, items);
}

/** The deliveries of each person to cancel. */
interface Doubles {
  source: string[];
  target: string[];
}

/**
 * Finds which copy to cancel, if both people got the same broadcast. The copy that is sent or shown stays, so that nobody gets a
 * second one. If both copies wait, the target's stays. If both are sent, there is nothing to cancel: `cancelCopies` skips them.
 */
function doubles(source: Copy[], target: Copy[]): Doubles {
  const targets = Map.groupBy(target, ({ broadcast }) => broadcast);
  const found: Doubles = { source: [], target: [] };
  for (const copy of source) {
    for (const other of targets.get(copy.broadcast) ?? []) {
      if (other.status === "queued" && copy.status !== "queued") found.target.push(other.id);
      else found.source.push(copy.id);
    }
  }
  return found;
}
