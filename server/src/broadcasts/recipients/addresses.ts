import { findPeopleByKeys, mergesSince, type Person } from "../../people/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { derivedId } from "../../platform/ids.ts";
import { claimants, sharedAddress } from "../../sendings/index.ts";
import { sendingOf } from "../definition/sending.ts";
import type { BroadcastRow } from "../definition/store.ts";
import { type Candidate, chosenAt, forgetAddresses, keepFirst, pass } from "./addresses-store.ts";
import { idFor } from "./merged.ts";
import { existing } from "./page-store.ts";

// People who share an address get one copy of what is sent there (docs/decisions/0012). Who gets it is decided while the audience
// is collected, which is over before the first page is sent: of those who would get it the one who is verified, then who was
// identified last. Each page asks for those of its addresses that are shared, one statement; nearly always there are none.

const hashed = ({ workspace_id, channel }: BroadcastRow, address: string): string =>
  derivedId("broadcast address", workspace_id, channel, address);

/** Keeps who of a part of the audience would get it at an address that they share. */
export async function chooseAmong(tx: Tx, row: BroadcastRow, keys: string[]): Promise<void> {
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

/** Forgets who was chosen, once a broadcast is over. */
export async function forgetChoices(tx: Tx, row: BroadcastRow): Promise<void> {
  if (sharedAddress(sendingOf(row)) !== undefined) await forgetAddresses(tx, row);
}

/** Of the people of a page, who would get it, the keys of those who don't because another gets it at the same address. */
export async function doublesAmong(tx: Tx, row: BroadcastRow, people: Person[]): Promise<Set<string>> {
  const name = sharedAddress(sendingOf(row));
  if (name === undefined) return new Set();
  const asked = people.flatMap((person) => {
    const address = person[name];
    return address === null ? [] : [{ person, address: hashed(row, address) }];
  });
  if (asked.length === 0) return new Set();
  const rows = await chosenAt(
    tx,
    row,
    asked.map(({ address }) => address),
  );
  const chosen = new Map(rows.map((one) => [one.address, one.chosen]));
  const contested = asked.filter(
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
    const had = holds || (await existing(tx, [{ personKey: now(first), id: idFor(row, first) }])).length > 0;
    if (had) doubles.add(person.person_key);
    else {
      // Who was to get it is gone, or has another address now.
      await pass(tx, row, address, person.person_key);
      chosen.set(address, person.person_key);
      holders.set(person.person_key, person);
    }
  }
  return doubles;
}
