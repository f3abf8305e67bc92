import { findPeopleByKeys, mergesSince, type Person } from "../../people/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { derivedId } from "../../platform/ids.ts";
import { claimants, sharedAddress } from "../../sendings/index.ts";
import { sendingOf } from "../definition/sending.ts";
import type { BroadcastRow } from "../definition/store.ts";
import { type Candidate, chosenAt, forgetAddresses, keepFirst, reassign } from "./addresses-store.ts";
import { existingDeliveries } from "./batch-store.ts";
import { idFor } from "./merged.ts";

// People who share an address get one copy there (docs/decisions/0012). The person who gets it is chosen while the audience is
// collected, which ends before the first batch is queued: the one whose address is verified, then the one who was identified
// last. For each batch, one statement reads which of its addresses are shared; nearly always none is.

const hashed = ({ workspace_id, channel }: BroadcastRow, address: string): string =>
  derivedId("broadcast address", workspace_id, channel, address);

/** Chooses for one part of the audience who gets the copy at each shared address. */
export async function chooseHolders(tx: Tx, row: BroadcastRow, keys: string[]): Promise<void> {
  const candidates = (await claimants(tx, sendingOf(row), keys)).map(
    ({ person_key: chosen, address, verified, identified_at }): Candidate => ({
      address: hashed(row, address),
      chosen,
      verified,
      identified_at,
    }),
  );
  if (candidates.length > 0) await keepFirst(tx, row, candidates);
}

/** Deletes the choices, when a broadcast is over. */
export async function forgetHolders(tx: Tx, row: BroadcastRow): Promise<void> {
  if (sharedAddress(sendingOf(row)) !== undefined) await forgetAddresses(tx, row);
}

/** Returns the keys of the people of a batch who get nothing, because another person gets the copy at their address. */
export async function doublesAmong(tx: Tx, row: BroadcastRow, people: Person[]): Promise<Set<string>> {
  const name = sharedAddress(sendingOf(row));
  if (name === undefined) return new Set();
  const addressed = people.flatMap((person) => {
    const address = person[name];
    return address === null ? [] : [{ person, address: hashed(row, address) }];
  });
  if (addressed.length === 0) return new Set();
  const rows = await chosenAt(
    tx,
    row,
    addressed.map(({ address }) => address),
  );
  const chosen = new Map(rows.map((one) => [one.address, one.chosen]));
  const contested = addressed.filter(
    ({ person, address }) => (chosen.get(address) ?? person.person_key) !== person.person_key,
  );
  if (contested.length === 0) return new Set();
  const start = row.started_at ?? row.created_at;
  const keys = [...new Set(contested.map(({ address }) => chosen.get(address) as string))];
  const merges = await mergesSince(tx, row.workspace_id, keys, start);
  const into = new Map(merges.toReversed().map((merge) => [merge.from, merge.into]));
  const now = (key: string): string => into.get(key) ?? key;
  const holders = await findPeopleByKeys(tx, keys.map(now));
  const doubles = new Set<string>();
  for (const { person, address } of contested) {
    const first = chosen.get(address) as string;
    if (now(first) === person.person_key) continue;
    const holder = holders.get(now(first));
    const holds = holder?.[name] === person[name] && holder.created_at <= start;
    const had = holds || (await existingDeliveries(tx, [{ personKey: now(first), id: idFor(row, first) }])).length > 0;
    if (had) doubles.add(person.person_key);
    else {
      // The person who was chosen is gone, or has another address now.
      await reassign(tx, row, address, person.person_key);
      chosen.set(address, person.person_key);
      holders.set(person.person_key, person);
    }
  }
  return doubles;
}
