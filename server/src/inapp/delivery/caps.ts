import type { InAppCap } from "@tidings/contract/workspaces";
import { counted, heldUntil } from "../rules/cap.ts";
import type { CapRow } from "./caps-store.ts";

/** The cap records of the people who report in one round: as they were read, with the reports that were applied so far. */
export class Caps {
  readonly #read: Map<string, CapRow>;
  readonly #now: number;
  readonly #next = new Map<string, CapRow>();

  constructor(read: Map<string, CapRow>, now: Date) {
    this.#read = read;
    this.#now = now.getTime();
  }

  /** Whether the cap allows one more impression now. */
  allows(personKey: string, cap: InAppCap): boolean {
    return heldUntil(cap, this.#of(personKey).times, this.#now) === 0;
  }

  /** Counts one more impression. */
  count(personKey: string): void {
    const row = this.#of(personKey);
    this.#next.set(personKey, { ...row, times: counted(row.times, this.#now) });
  }

  /** The records to write, sorted by key so that all processes lock them in the same order. */
  changed(): CapRow[] {
    return [...this.#next.values()].sort((a, b) => (a.person_key < b.person_key ? -1 : 1));
  }

  #of(personKey: string): CapRow {
    return this.#next.get(personKey) ?? this.#read.get(personKey) ?? { person_key: personKey, times: [], revision: 0 };
  }
}
