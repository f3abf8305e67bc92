import type { Queries } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { personKey } from "../workspaces/index.ts";
import { byEmails, byKeys, byPhones, type Person, statesByKeys } from "./store.ts";

/** How a call names a person; `email` lower-cased and `phone` E.164, see normalEmail and normalPhone. */
export type Lookup = { workspaceId: string } & ({ id: string } | { email: string } | { phone: string });

/** The people named, in order; undefined for those not known. Several who share an address: the one identified last. */
export async function findPeople(q: Queries, lookups: Lookup[]): Promise<(Person | undefined)[]> {
  const keys: string[] = [];
  const emails: { workspaceId: string; email: string }[] = [];
  const phones: { workspaceId: string; phone: string }[] = [];
  for (const lookup of lookups) {
    if ("id" in lookup) keys.push(personKey(lookup.workspaceId, lookup.id));
    else if ("email" in lookup) emails.push(lookup);
    else phones.push(lookup);
  }
  const found = new Map<string, Person>();
  const [keyed, mailed, phoned] = await Promise.all([
    keys.length > 0 ? byKeys(q, keys) : [],
    emails.length > 0 ? byEmails(q, emails) : [],
    phones.length > 0 ? byPhones(q, phones) : [],
  ]);
  for (const person of keyed) found.set(person.person_key, person);
  for (const person of mailed) found.set(`${person.workspace_id} ${person.email}`, person);
  for (const person of phoned) found.set(`${person.workspace_id} ${person.phone}`, person);
  return lookups.map((lookup) => {
    if ("id" in lookup) return found.get(personKey(lookup.workspaceId, lookup.id));
    return found.get(`${lookup.workspaceId} ${"email" in lookup ? lookup.email : lookup.phone}`);
  });
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
