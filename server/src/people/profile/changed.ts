import { announced, type Tx } from "../../platform/db/index.ts";

/** A person whom a transaction created, changed or removed. The tables have the new state. */
export interface PersonChanged {
  workspaceId: string;
  personKey: string;
  /** `merged`: another person was merged into this one. */
  what: "created" | "changed" | "merged" | "erased";
}

/** Created, changed and removed people, announced in the transaction that did it. */
export const PEOPLE_CHANGED = announced<PersonChanged>("people.changed");

export const announceChanged = (tx: Tx, people: PersonChanged[]): Promise<void> | undefined =>
  people.length === 0
    ? undefined
    : tx.announce(PEOPLE_CHANGED, [...new Set(people.map((one) => one.workspaceId))], () => people);
