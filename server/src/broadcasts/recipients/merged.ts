import { findPeopleByKeys, findStatesByKeys, mergesSince, type Person } from "../../people/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { derivedId } from "../../platform/ids.ts";
import type { BroadcastRow } from "../definition/store.ts";
import { existingDeliveries } from "./batch-store.ts";

// People may be merged between the batches of a broadcast. The person who remains replaces all who were merged into them: if a
// batch names somebody who is gone, the remaining person gets the message. If one of them got it already, that delivery belongs
// to the remaining person now, and they get no second one.

/** Returns the id of the one delivery that a person may have of a broadcast. */
export const idFor = (row: Pick<BroadcastRow, "id">, personKey: string): string =>
  derivedId("broadcast", row.id, personKey);

/**
 * Returns who gets the broadcast instead of the people whom a batch names. An erased person is not replaced, and a person who was
 * created under the same id after the start is somebody new. Nobody is merged until the transaction ends.
 * @param fullPeople read the people with their attributes and addresses, not only their states
 */
export async function recipientsOf(tx: Tx, row: BroadcastRow, keys: string[], fullPeople: boolean) {
  const start = row.started_at ?? row.created_at;
  const find = fullPeople ? findPeopleByKeys : findStatesByKeys;
  // Both statements are sent at once; the first takes the lock that keeps merges away.
  const [merges, people] = await Promise.all([mergesSince(tx, row.workspace_id, keys, start), find(tx, keys)]);
  const into = new Map(merges.toReversed().map((merge) => [merge.from, merge.into]));
  const replacements = [...into.values()].filter((key) => !people.has(key));
  if (replacements.length > 0) for (const [key, person] of await find(tx, replacements)) people.set(key, person);
  const meant = new Map<string, Person>();
  for (const key of keys) {
    const named = people.get(key);
    const person = named && named.created_at <= start ? named : people.get(into.get(key) ?? "");
    if (person) meant.set(person.person_key, person);
  }
  // A delivery to a person who was merged has the id that was derived from that person's key.
  const taken = merges.map((merge) => ({ personKey: merge.into, id: idFor(row, merge.from) }));
  for (const key of await existingDeliveries(tx, taken)) meant.delete(key);
  return [...meant.values()].map((person) => ({ deliveryId: idFor(row, person.person_key), person }));
}
