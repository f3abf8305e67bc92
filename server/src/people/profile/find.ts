import type { Queries } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { personKey } from "../../workspaces/index.ts";
import { countHolders } from "./sharing-store.ts";
import { byEmails, byKeys, byPhones, type Holder, type Person, statesByKeys } from "./store.ts";

interface ById {
  workspaceId: string;
  id: string;
}

/** How a call names a person; `email` lower-cased and `phone` E.164, see normalEmail and normalPhone. */
export type Lookup = ById | { workspaceId: string; email: string } | { workspaceId: string; phone: string };

/** Several people have the address, and no single one of them is verified: nobody can say who is meant. */
export interface Shared {
  /** How many have it; a thousand stands for more, too. */
  sharedBy: number;
}

const MOST_COUNTED = 1_000;

/** The people with these ids, in order; undefined for those not known. */
export async function findPeople(q: Queries, ids: ById[]): Promise<(Person | undefined)[]> {
  const found = await findPeopleByKeys(
    q,
    ids.map(({ workspaceId, id }) => personKey(workspaceId, id)),
  );
  return ids.map(({ workspaceId, id }) => found.get(personKey(workspaceId, id)));
}

/**
 * The people named, in order; undefined for those not known. Of several who share an address the one who is verified, and if
 * that is none or several of them, how many they are.
 */
export async function findNamed(q: Queries, lookups: Lookup[]): Promise<(Person | Shared | undefined)[]> {
  const keys: string[] = [];
  // Each address once: two calls of one moment to one person would find the person twice, as if two had the address.
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

/** Adds who is meant by each address. */
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
      const asked = { workspaceId, name, address: address ?? "" };
      found.set(key, { sharedBy: await countHolders(q, asked, MOST_COUNTED) });
    }
  }
}

export const isShared = (found: Person | Shared | undefined): found is Shared =>
  found !== undefined && "sharedBy" in found;

/** For who asked for one person by an address that several have. */
export function ambiguous({ sharedBy }: Shared): Problem {
  const count = sharedBy < MOST_COUNTED ? String(sharedBy) : `${MOST_COUNTED} or more`;
  return new Problem(
    "ambiguous_recipient",
    `${count} people have this address, and it is not verified for exactly one of them. Name the person by id, identify the right one with a secret key, or merge them.`,
    { extra: { people: sharedBy } },
  );
}

/** People by key; those not known are left out. */
export async function findPeopleByKeys(q: Queries, keys: string[]): Promise<Map<string, Person>> {
  return new Map((await byKeys(q, keys)).map((person) => [person.person_key, person]));
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

/** The same with their states alone, for what is the same for everyone: nothing else of them was read. */
export async function findStatesByKeys(q: Queries, keys: string[]): Promise<Map<string, Person>> {
  return new Map((await statesByKeys(q, keys)).map((row) => [row.person_key, { ...UNREAD, ...row }]));
}

/** The person with this key, if this workspace's. */
export async function findPersonByKey(q: Queries, workspaceId: string, key: string): Promise<Person | undefined> {
  const [person] = await byKeys(q, [key]);
  return person?.workspace_id === workspaceId ? person : undefined;
}

/** What a preview shows of a person; nothing where it names none. @throws Problem person_not_found */
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

/** What `{{person.*}}` sees: the attributes with the known ones among them. Absent ones are left out, so that `default` works. */
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
