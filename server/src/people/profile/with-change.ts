import type { Change } from "./attributes.ts";
import type { Person } from "./store.ts";

const COLUMNS = ["email", "phone", "timezone", "locale"] as const;

/** Returns a person as they are after a change that is stored now, in memory: `merge` in store.ts stores the same. */
export function withChange(person: Person, change: Change, now: Date): Person {
  const kept = Object.entries(person.attributes).filter(([name]) => !change.removed.includes(name));
  const changed: Person = { ...person, attributes: { ...Object.fromEntries(kept), ...change.set }, updated_at: now };
  for (const column of COLUMNS) if (change[column] !== undefined) changed[column] = change[column];
  if (change.subscribed !== undefined) changed.subscribed = change.subscribed ?? true;
  return changed;
}
