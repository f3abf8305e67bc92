import { announced, type Tx } from "../../platform/db/index.ts";

/** Somebody whom a transaction made or changed. What is known of them now is in the tables. */
export interface PersonChanged {
  workspaceId: string;
  personKey: string;
  /** `merged`: who took another person on. */
  what: "created" | "changed" | "merged" | "erased";
}

/** People who were made or changed, announced in the transaction that did it. */
export const PEOPLE_CHANGED = announced<PersonChanged>("people.changed");

/** Announces people. */
export const tellChanged = (tx: Tx, people: PersonChanged[]): Promise<void> | undefined =>
  people.length === 0
    ? undefined
    : tx.announce(PEOPLE_CHANGED, [...new Set(people.map((one) => one.workspaceId))], () => people);
