import { findPeopleByKeys, findStatesByKeys, mergesSince, type Person } from "../../people/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { derivedId } from "../../platform/ids.ts";
import type { BroadcastRow } from "../definition/store.ts";
import { existing } from "./page-store.ts";

// People may become one between the pages of a broadcast. The one who stays stands for all whom they took on: where a page
// names somebody who is gone, they get the message; and where one of them got it already, which is theirs since, they get
// no second one.

/** Of the one delivery that a person may have of a broadcast. */
export const idFor = (row: Pick<BroadcastRow, "id">, personKey: string): string =>
  derivedId("broadcast", row.id, personKey);

/**
 * Who gets the broadcast of those whom a page names. Nobody stands for who was erased, and who came back under the same id
 * after the start is somebody new. Until the transaction ends nobody is merged.
 * @param whole with all that is known of them, not their states alone
 */
export async function recipientsOf(tx: Tx, row: BroadcastRow, keys: string[], whole: boolean) {
  const start = row.started_at ?? row.created_at;
  const find = whole ? findPeopleByKeys : findStatesByKeys;
  // Sent together, behind what keeps merges away.
  const [merges, people] = await Promise.all([mergesSince(tx, row.workspace_id, keys, start), find(tx, keys)]);
  const into = new Map(merges.toReversed().map((merge) => [merge.from, merge.into]));
  const standing = [...into.values()].filter((key) => !people.has(key));
  if (standing.length > 0) for (const [key, person] of await find(tx, standing)) people.set(key, person);
  const meant = new Map<string, Person>();
  for (const key of keys) {
    const named = people.get(key);
    const person = named && named.created_at <= start ? named : people.get(into.get(key) ?? "");
    if (person) meant.set(person.person_key, person);
  }
  // By the ids that it would have if it was made for one of those whom they took on.
  const taken = merges.map((merge) => ({ personKey: merge.into, id: idFor(row, merge.from) }));
  for (const key of await existing(tx, taken)) meant.delete(key);
  return [...meant.values()].map((person) => ({ deliveryId: idFor(row, person.person_key), person }));
}
