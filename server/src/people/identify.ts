import type { Queries, Tx } from "../platform/db/index.ts";
import { personKey } from "../workspaces/index.ts";
import { type Change, combined } from "./attributes.ts";
import { insertNew, insertUnlessErased, merge, type Upsert } from "./store.ts";

export interface Identity {
  workspaceId: string;
  personId: string;
  change: Change;
}

/**
 * Creates or merges people, many at once, and says for each whether this call made the person. The same person twice is
 * folded into one row first: a statement can't touch a row twice, and the later call must win.
 */
export async function identifyPeople(tx: Tx, identities: Identity[], now: Date): Promise<boolean[]> {
  const folded = new Map<string, Upsert>();
  const firstOf = new Map<string, number>();
  identities.forEach(({ workspaceId, personId, change }, i) => {
    const key = personKey(workspaceId, personId);
    const known = folded.get(key);
    folded.set(key, { personKey: key, workspaceId, personId, change: known ? combined(known.change, change) : change });
    if (!known) firstOf.set(key, i);
  });
  // Sorted, so that two batches with the same people lock them in the same order.
  const people = [...folded.values()].sort((a, b) => (a.personKey < b.personKey ? -1 : 1));
  const created = await insertNew(tx, people, now);
  const known = people.filter((person) => !created.has(person.personKey));
  if (known.length > 0) await merge(tx, known, now);
  return identities.map(({ workspaceId, personId }, i) => {
    const key = personKey(workspaceId, personId);
    return created.has(key) && firstOf.get(key) === i;
  });
}

/**
 * Makes sure that people exist whom a trigger addresses. As identify it is meant, and brings back who was erased. Their address
 * is verified: a trigger takes a secret key.
 */
export async function createMissing(
  tx: Queries,
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
    rows.set(key, { personKey: key, workspaceId, personId, change });
  }
  if (rows.size > 0)
    await insertNew(
      tx,
      [...rows.values()].sort((a, b) => (a.personKey < b.personKey ? -1 : 1)),
      now,
    );
}

/**
 * Makes sure that people exist whom an event or a device names. It may come late, from a phone that was offline: those who
 * were erased in the last 30 days stay so. Gives their keys.
 */
export async function createUnlessErased(
  tx: Queries,
  people: { workspaceId: string; personId: string }[],
  now: Date,
): Promise<Set<string>> {
  const rows = new Map(
    people.map(({ workspaceId, personId }) => {
      const key = personKey(workspaceId, personId);
      return [key, { personKey: key, workspaceId, personId }];
    }),
  );
  if (rows.size === 0) return new Set();
  return insertUnlessErased(
    tx,
    [...rows.values()].sort((a, b) => (a.personKey < b.personKey ? -1 : 1)),
    now,
  );
}
