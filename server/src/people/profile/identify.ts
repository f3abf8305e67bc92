import type { Tx } from "../../platform/db/index.ts";
import { personKey } from "../../workspaces/index.ts";
import type { Change } from "./attributes.ts";
import { tellChanged } from "./changed.ts";
import { combined, firstTimes, newest, saidAt, timesOf } from "./newest.ts";
import { insertNew, insertUnlessErased, lockKnown, merge, type Upsert } from "./store.ts";

export interface Identity {
  workspaceId: string;
  personId: string;
  change: Change;
  /** When it was so, where that is before now: newer attributes stay. One that is ahead is now, whatever clock it came from. */
  at?: Date | undefined;
}

/**
 * Creates or merges people, many at once, and says for each whether this call made the person. The same person twice is
 * folded into one row first: a statement can't touch a row twice, and the later call must win.
 */
export async function identifyPeople(tx: Tx, identities: Identity[], now: Date): Promise<boolean[]> {
  const said = new Map<string, Omit<Upsert, "change"> & { changes: Change[] }>();
  const firstOf = new Map<string, number>();
  identities.forEach(({ workspaceId, personId, change, at }, i) => {
    const key = personKey(workspaceId, personId);
    const one = at !== undefined && at < now ? saidAt(change, at.getTime()) : change;
    const before = said.get(key);
    if (before) before.changes.push(one);
    else {
      said.set(key, { personKey: key, workspaceId, personId, changes: [one] });
      firstOf.set(key, i);
    }
  });
  // Sorted, so that two batches with the same people lock them in the same order.
  const people = [...said.values()]
    .map(({ changes, ...person }) => ({ ...person, change: combined(changes) }))
    .sort((a, b) => (a.personKey < b.personKey ? -1 : 1));
  const created = await insertNew(tx, people.map(asNew(now)), now);
  const known = people.filter((person) => !created.has(person.personKey));
  if (known.length > 0) await mergeNewest(tx, known, now);
  await tellChanged(
    tx,
    people.map(({ workspaceId, personKey: key }) => ({
      workspaceId,
      personKey: key,
      what: created.has(key) ? "created" : "changed",
    })),
  );
  return identities.map(({ workspaceId, personId }, i) => {
    const key = personKey(workspaceId, personId);
    return created.has(key) && firstOf.get(key) === i;
  });
}

const asNew =
  (now: Date) =>
  (person: Upsert): Upsert => ({ ...person, said: firstTimes(person.change, now) });

/** What was said at another time than now is held against what is known; only then that is read, all of it in one order. */
async function mergeNewest(tx: Tx, people: Upsert[], now: Date): Promise<void> {
  const late = people.some(({ change }) => change.times);
  const known = late
    ? await lockKnown(
        tx,
        people.map((person) => person.personKey),
      )
    : undefined;
  const changed = people.map((person) => {
    const before = person.change.times && known?.get(person.personKey);
    const change = before ? newest(person.change, before) : person.change;
    return { ...person, change, said: timesOf(change, now) };
  });
  await merge(tx, changed, now);
}

/**
 * Makes sure that people exist whom a trigger addresses. As identify it is meant, and brings back who was erased. Their address
 * is verified: a trigger takes a secret key.
 */
export async function createMissing(
  tx: Tx,
  people: { workspaceId: string; personId: string; email?: string | undefined; phone?: string | undefined }[],
  now: Date,
): Promise<void> {
  const rows = new Map<string, Upsert>();
  for (const { workspaceId, personId, email, phone } of people) {
    const key = personKey(workspaceId, personId);
    const change: Change = {
      ...(email !== undefined && { email, email_verified: true }),
      ...(phone !== undefined && { phone, phone_verified: true }),
      set: {},
      removed: [],
    };
    rows.set(key, asNew(now)({ personKey: key, workspaceId, personId, change }));
  }
  if (rows.size === 0) return;
  const sorted = [...rows.values()].sort((a, b) => (a.personKey < b.personKey ? -1 : 1));
  await tellCreated(tx, sorted, await insertNew(tx, sorted, now));
}

/**
 * Makes sure that people exist whom an event or a device names. It may come late, from a phone that was offline: those who
 * were erased in the last 30 days stay so. Gives their keys, and those of the people whom this call made.
 */
export async function createUnlessErased(
  tx: Tx,
  people: { workspaceId: string; personId: string }[],
  now: Date,
): Promise<{ erased: Set<string>; made: Set<string> }> {
  const rows = new Map(
    people.map(({ workspaceId, personId }) => {
      const key = personKey(workspaceId, personId);
      return [key, { personKey: key, workspaceId, personId }];
    }),
  );
  if (rows.size === 0) return { erased: new Set(), made: new Set() };
  const said = await insertUnlessErased(
    tx,
    [...rows.values()].sort((a, b) => (a.personKey < b.personKey ? -1 : 1)),
    now,
  );
  const keys = (erased: boolean) => new Set(said.filter((row) => row.erased === erased).map((row) => row.person_key));
  const made = keys(false);
  await tellCreated(tx, [...rows.values()], made);
  return { erased: keys(true), made };
}

const tellCreated = (tx: Tx, people: { workspaceId: string; personKey: string }[], made: Set<string>) =>
  tellChanged(
    tx,
    people.flatMap(({ workspaceId, personKey: key }) =>
      made.has(key) ? [{ workspaceId, personKey: key, what: "created" as const }] : [],
    ),
  );
