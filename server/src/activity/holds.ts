import type { Tx } from "../platform/db/index.ts";
import { type Canceled, type Held, held, type Merge, type PersonTable } from "../workspaces/index.ts";
import {
  type Copy,
  cancelCopies,
  copiesOf,
  deliveriesOf,
  emptyActivity,
  emptyDeliveries,
  holdDue,
  liveOf,
} from "./held-store.ts";

/** Signal that live deliveries of people were canceled or moved, as "person_key:delivery_id". Open applications look again. */
export const LOOK_AGAIN = "activity.look_again";

const deliveries = held("deliveries");

/** The log, and deliveries of every channel: what becomes of them all is the same (docs/decisions/0026-writers-of-deliveries.md). */
export const holds: Held[] = [
  held("activity", {
    ids: { id: "act", delivery_id: "dlv" },
    erase: (tx, { personKey }) => emptyActivity(tx, personKey),
  }),
  {
    ...deliveries,
    ids: { id: "dlv", message_id: "msg", topic_id: "top" },
    // A worker takes the delivery before it writes the log, and feedback before it writes the person.
    lockedFirst: true,
    page: (q, { personKey }, page, shape) => deliveriesOf(q, personKey, page, shape as PersonTable),
    hold: holdDue,
    async erase(tx, { personKey }) {
      const live = await liveOf(tx, personKey, true);
      await emptyDeliveries(tx, personKey);
      lookAgain(
        tx,
        live.map((id) => `${personKey}:${id}`),
      );
    },
    merge: mergeDeliveries,
  },
];

/** Of a broadcast that both got one copy stays; all that is live moves, and the applications of both look again. */
async function mergeDeliveries(tx: Tx, merge: Merge, shape: PersonTable | undefined): Promise<Canceled[]> {
  const { from, to } = merge;
  const twice = doubles(await copiesOf(tx, from), await copiesOf(tx, to));
  const canceled = [...(await cancelCopies(tx, from, twice.source)), ...(await cancelCopies(tx, to, twice.target))];
  const moved = [...(await liveOf(tx, from)), ...canceled.map((one) => one.id)];
  await deliveries.merge(tx, merge, shape);
  lookAgain(
    tx,
    moved.flatMap((id) => [`${from}:${id}`, `${to}:${id}`]),
  );
  return canceled;
}

function lookAgain(tx: Tx, items: string[]): void {
  if (items.length > 0) tx.signal(LOOK_AGAIN, items);
}

/** Deliveries to end, of each of the two. */
interface Doubles {
  source: string[];
  target: string[];
}

/**
 * Of a broadcast that two people got who are one now, the copy that came further stays: what was sent or shown is not sent or
 * shown again. Where both wait it is the target's; where both are out there is nothing to take back.
 */
function doubles(source: Copy[], target: Copy[]): Doubles {
  const theirs = Map.groupBy(target, (copy) => copy.broadcast);
  const found: Doubles = { source: [], target: [] };
  for (const mine of source) {
    for (const other of theirs.get(mine.broadcast) ?? []) {
      if (other.status === "queued" && mine.status !== "queued") found.target.push(other.id);
      else found.source.push(mine.id);
    }
  }
  return found;
}
