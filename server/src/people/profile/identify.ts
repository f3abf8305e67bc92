import type { Tx } from "../../platform/db/index.ts";
import { nextTurn, turnIsOver } from "../../platform/turns.ts";
import { personKey } from "../../workspaces/index.ts";
import type { Change } from "./attributes.ts";
import { announceChanged } from "./changed.ts";
import { combined, firstTimes, newest, reportedAt, timesOf } from "./newest.ts";
import { insertNew, insertUnlessErased } from "./newcomers-store.ts";
import { lockAttributes, merge, type Named, type Upsert } from "./store.ts";

export interface Identity {
  workspaceId: string;
  personId: string;
  change: Change;
  /** When this was reported, if that is before now: newer attributes stay. A time in the future counts as now, because the clock that set it is wrong. */
  at?: Date | undefined;
}

/**
 * Creates or changes people, many at once, and returns for each identity whether it created the person. Two identities of one person
 * become one row first: a statement can't change a row twice, and the later call must win.
 */
export async function identifyPeople(tx: Tx, identities: Identity[], now: Date): Promise<boolean[]> {
  const byKey = new Map<string, Omit<Upsert, "change"> & { changes: Change[] }>();
  const firstOf = new Map<string, number>();
  identities.forEach(({ workspaceId, personId, change, at }, i) => {
    const key = personKey(workspaceId, personId);
    const one = at !== undefined && at < now ? reportedAt(change, at.getTime()) : change;
    const before = byKey.get(key);
    if (before) before.changes.push(one);
    else {
      byKey.set(key, { personKey: key, workspaceId, personId, changes: [one] });
      firstOf.set(key, i);
    }
  });
  // Sorted, so that two batches with the same people lock them in the same order.
  const people = [...byKey.values()]
    .map(({ changes, ...person }) => ({ ...person, change: combined(changes) }))
    .sort((a, b) => (a.personKey < b.personKey ? -1 : 1));
  const created = new Set<string>();
  for (const piece of piecesOf(people)) {
    while (turnIsOver()) await nextTurn();
    const made = await insertNew(tx, piece.map(asNew(now)), now);
    const known = piece.filter((person) => !made.has(person.personKey));
    if (known.length > 0) await mergeNewest(tx, known, now);
    for (const key of made) created.add(key);
  }
  await announceChanged(
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

/** The attributes of one statement. A batch may have 60,000, and to write them as JSON at once keeps the thread busy for 40 ms. */
const MOST_ATTRIBUTES = 5_000;

/** Cuts a batch into pieces of so many attributes, in order. */
function piecesOf(people: Upsert[]): Upsert[][] {
  const pieces: Upsert[][] = [];
  let left = 0;
  for (const person of people) {
    const attributes = Object.keys(person.change.set).length;
    if (pieces.length > 0 && attributes <= left) pieces.at(-1)?.push(person);
    else {
      pieces.push([person]);
      left = MOST_ATTRIBUTES;
    }
    left -= attributes;
  }
  return pieces;
}

const asNew =
  (now: Date) =>
  (person: Upsert): Upsert => ({ ...person, times: firstTimes(person.change, now) });

/** Changes people who exist. Only changes that were reported earlier are compared with the stored attributes, which are then read and locked in one order. */
async function mergeNewest(tx: Tx, people: Upsert[], now: Date): Promise<void> {
  const late = people.some(({ change }) => change.times);
  const stored = late
    ? await lockAttributes(
        tx,
        people.map((person) => person.personKey),
      )
    : undefined;
  const changed = people.map((person) => {
    const before = person.change.times && stored?.get(person.personKey);
    const change = before ? newest(person.change, before) : person.change;
    return { ...person, change, times: timesOf(change, now) };
  });
  await merge(tx, changed, now);
}

/**
 * Creates the people whom a trigger addresses, if they don't exist. Like identify it is explicit, so it also brings back erased people.
 * Their address is verified, because a trigger needs a secret key.
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
  await announceCreated(tx, sorted, await insertNew(tx, sorted, now));
}

/**
 * Creates the people whom an event or a device names, if they don't exist. The event may come late, from a phone that was offline, so
 * people who were erased in the last 30 days stay erased. Returns their keys, and the keys of the people whom this call created.
 */
export async function createUnlessErased(
  tx: Tx,
  people: Named[],
  now: Date,
): Promise<{ erased: Set<string>; made: Set<string> }> {
  const rows = new Map(people.map((person) => [person.personKey, person]));
  if (rows.size === 0) return { erased: new Set(), made: new Set() };
  const inserted = await insertUnlessErased(
    tx,
    [...rows.values()].sort((a, b) => (a.personKey < b.personKey ? -1 : 1)),
    now,
  );
  const keys = (erased: boolean) =>
    new Set(inserted.filter((row) => row.erased === erased).map((row) => row.person_key));
  const made = keys(false);
  await announceCreated(tx, [...rows.values()], made);
  return { erased: keys(true), made };
}

const announceCreated = (tx: Tx, people: { workspaceId: string; personKey: string }[], made: Set<string>) =>
  announceChanged(
    tx,
    people.flatMap(({ workspaceId, personKey: key }) =>
      made.has(key) ? [{ workspaceId, personKey: key, what: "created" as const }] : [],
    ),
  );
