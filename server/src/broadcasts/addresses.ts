import { findPeopleByKeys, mergesSince, type Person, type Sharer, sharersOf } from "../people/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import { derivedId } from "../platform/ids.ts";
import { mayReceive } from "../subscriptions/index.ts";
import { type Candidate, chosenAt, forgetAddresses, keepFirst, pass } from "./addresses-store.ts";
import { askOf } from "./ask.ts";
import { editionsOf } from "./editions.ts";
import { idFor } from "./merged.ts";
import type { BroadcastRow } from "./store.ts";
import { existing } from "./work-store.ts";

// People who share an address get one copy of what is sent there (docs/decisions/0012). Who gets it is decided while the audience
// is collected, which is over before the first page is sent: of those who would get it the one who is verified, then who was
// identified last. Each page asks for those of its addresses that are shared, one statement; nearly always there are none.

/** The address that a broadcast goes to; undefined where it goes to none, or its content names the number itself. */
function addressOf(row: BroadcastRow): "email" | "phone" | undefined {
  if (row.channel === "email") return "email";
  if (row.channel !== "sms" || editionsOf(row).some(({ said }) => said.content?.to !== undefined)) return undefined;
  return "phone";
}

const hashed = ({ workspace_id, channel }: BroadcastRow, address: string): string =>
  derivedId("broadcast address", workspace_id, channel, address);

/** Of these people those who share their address with anybody of the workspace, by their keys. */
export async function sharing(q: Queries, row: BroadcastRow, keys: string[]): Promise<Map<string, Sharer>> {
  const name = addressOf(row);
  if (name === undefined || keys.length === 0) return new Map();
  return new Map((await sharersOf(q, name, keys)).map((one) => [one.person_key, one]));
}

/** Whether one comes before another who has the same address: as keepFirst orders them. */
export function comesFirst(one: Sharer, other: Sharer): boolean {
  if (one.verified !== other.verified) return one.verified;
  const later = one.identified_at.getTime() - other.identified_at.getTime();
  return later === 0 ? one.person_key > other.person_key : later > 0;
}

/** Takes note of who of a part of the audience would get it at an address that they share. */
export async function chooseAmong(tx: Tx, row: BroadcastRow, keys: string[]): Promise<void> {
  const shared = await sharing(tx, row, keys);
  if (shared.size === 0) return;
  const ask = await askOf(tx, row);
  const candidates = [...shared.values()].flatMap((one): Candidate[] => {
    if (mayReceive(one, ask) !== undefined) return [];
    const { person_key: chosen, verified, identified_at } = one;
    return [{ address: hashed(row, one.address), chosen, verified, identified_at }];
  });
  if (candidates.length > 0) await keepFirst(tx, row, candidates);
}

/** For a broadcast that is over. */
export async function forgetChoices(tx: Tx, row: BroadcastRow): Promise<void> {
  if (addressOf(row) !== undefined) await forgetAddresses(tx, row);
}

/** Of the people of a page, who would get it, the keys of those who don't because another gets it at the same address. */
export async function doublesAmong(tx: Tx, row: BroadcastRow, people: Person[]): Promise<Set<string>> {
  const name = addressOf(row);
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
