import type { Queries, Tx } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { personKey } from "../../workspaces/index.ts";
import { countHolders } from "./sharing-store.ts";
import { byEmails, byPhones, type Holder } from "./holders-store.ts";
import { byKeys, lockByKeys, type Person, statesByKeys } from "./store.ts";

interface ById {
  workspaceId: string;
  id: string;
}

/** How a call names a person: `email` in lower case and `phone` as E.164, see normalEmail and normalPhone. */
export type Lookup = ById | { workspaceId: string; email: string } | { workspaceId: string; phone: string };

/** Several people have the address, and it is not verified for exactly one of them: nobody can say who is meant. */
export interface Shared {
  /** How many people have it, counted up to a thousand. */
  sharedBy: number;
}

const MOST_COUNTED = 1_000;

/** Returns the people with these ids, in the order of the ids; undefined for an unknown person. */
export async function findPeople(q: Queries, ids: ById[]): Promise<(Person | undefined)[]> {
  const found = await findPeopleByKeys(
    q,
    ids.map(({ workspaceId, id }) => personKey(workspaceId, id)),
  );
  return ids.map(({ workspaceId, id }) => found.get(personKey(workspaceId, id)));
}

/**
 * Returns the people whom the lookups name, in their order; undefined for an unknown person. If several people share an address, it is
 * the one for whom it is verified; if that is none or several of them, it is their number.
 */
export async function findNamed(q: Queries, lookups: Lookup[]): Promise<(Person | Shared | undefined)[]> {
  const keys: string[] = [];
  // Each address is looked up once: otherwise two calls at the same moment would find the person twice, as if two people had the address.
  const emails = new Map<string, { workspaceId: string; email: string }>();
  const phones = new Map<string, { workspaceId: string; phone: string }>();
  for (const lookup of lookups) {
    if ("id" in lookup) keys.push(personKey(lookup.workspaceId, lookup.id));
    else if ("email" in lookup) emails.set(`${lookup.workspaceId} ${lookup.email}`, lookup);
    else phones.set(`${lookup.workspaceId} ${lookup.phone}`, lookup);
  }
  const found = new Map<string, Person | Shared>();
  const [keyed, mailed, phoned] = await Promise.all([
    keys.length > 0 ? byKeys(q, keys) : [],
    emails.size > 0 ? byEmails(q, [...emails.values()]) : [],
    phones.size > 0 ? byPhones(q, [...phones.values()]) : [],
  ]);
  for (const person of keyed) found.set(person.person_key, person);
  await chosen(q, "email", mailed, found);
  await chosen(q, "phone", phoned, found);
  return lookups.map((lookup) => {
    if ("id" in lookup) return found.get(personKey(lookup.workspaceId, lookup.id));
    return found.get(`${lookup.workspaceId} ${"email" in lookup ? lookup.email : lookup.phone}`);
  });
}

/** Adds to `found` the person whom each address means. */
async function chosen(
  q: Queries,
  name: "email" | "phone",
  holders: Holder[],
  found: Map<string, Person | Shared>,
): Promise<void> {
  for (const [key, [first, second]] of Map.groupBy(holders, (one) => `${one.workspace_id} ${one[name]}`)) {
    if (!first) continue;
    const { workspace_id: workspaceId, [name]: address } = first;
    if (!second || (first.verified && !second.verified)) found.set(key, first);
    else {
      const shared = { workspaceId, name, address: address ?? "" };
      found.set(key, { sharedBy: await countHolders(q, shared, MOST_COUNTED) });
    }
  }
}

export const isShared = (found: Person | Shared | undefined): found is Shared =>
  found !== undefined && "sharedBy" in found;

/** The error for a call that names one person by an address that several people have. */
export function ambiguous({ sharedBy }: Shared): Problem {
  const count = sharedBy < MOST_COUNTED ? String(sharedBy) : `${MOST_COUNTED} or more`;
  return new Problem(
    "ambiguous_recipient",
    `${count} people have this address, and it is not verified for exactly one of them. Name the person by id, identify the right one with a secret key, or merge them.`,
    { extra: { people: sharedBy } },
  );
}

/** Returns the people with these keys, by key, without the unknown ones. */
export async function findPeopleByKeys(q: Queries, keys: string[]): Promise<Map<string, Person>> {
  return new Map((await byKeys(q, keys)).map((person) => [person.person_key, person]));
}

/** Locks those of these people whom no other transaction holds, until the transaction ends, and returns them. It waits for nobody. */
export async function lockPeopleByKeys(tx: Tx, keys: string[]): Promise<Map<string, Person>> {
  return new Map((await lockByKeys(tx, keys)).map((person) => [person.person_key, person]));
}

const UNREAD = {
  person_id: "",
  email: null,
  phone: null,
  timezone: null,
  locale: null,
  attributes: {},
  updated_at: new Date(0),
};

/** Like findPeopleByKeys, but reads only the states of subscription. This is for messages with the same content for everyone. */
export async function findStatesByKeys(q: Queries, keys: string[]): Promise<Map<string, Person>> {
  return new Map((await statesByKeys(q, keys)).map((row) => [row.person_key, { ...UNREAD, ...row }]));
}

/** Returns the person with this key if the person is of this workspace. */
export async function findPersonByKey(q: Queries, workspaceId: string, key: string): Promise<Person | undefined> {
  const [person] = await byKeys(q, [key]);
  return person?.workspace_id === workspaceId ? person : undefined;
}

/** Returns the personView for a preview; empty if it names no person. @throws Problem person_not_found */
export async function viewOf(
  q: Queries,
  workspaceId: string,
  personId: string | undefined,
): Promise<Record<string, unknown>> {
  if (personId === undefined) return {};
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person) throw new Problem("person_not_found", "This workspace knows no person with this person_id.");
  return personView(person);
}

/** Returns what `{{person.*}}` reads: all attributes, with the known ones. Absent ones are left out, so that `default` works. */
export function personView(person: Person): Record<string, unknown> {
  const view: Record<string, unknown> = {
    ...person.attributes,
    id: person.person_id,
    person_id: person.person_id,
    subscribed: person.subscribed,
  };
  for (const name of ["email", "phone", "timezone", "locale"] as const) {
    if (person[name] !== null) view[name] = person[name];
  }
  return view;
}
