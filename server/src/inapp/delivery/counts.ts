import type { CountRow } from "./counts-store.ts";
import type { StateRow } from "./store.ts";

/**
 * The impressions per person and message, where limits are shared by all deliveries: as they were read, with the reports that
 * were applied so far.
 */
export class Counts {
  readonly #next = new Map<string, CountRow>();

  /** How often this person was shown the message of a delivery. */
  of(personKey: string, delivery: StateRow): number {
    return this.#row(personKey, delivery).impressions;
  }

  /** Counts one more impression. */
  add(personKey: string, delivery: StateRow): void {
    const row = this.#row(personKey, delivery);
    this.#next.set(keyOf(personKey, delivery), { ...row, impressions: row.impressions + 1 });
  }

  /** The counts to write, sorted by key so that all processes lock them in the same order. */
  changed(): CountRow[] {
    return [...this.#next].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }

  #row(personKey: string, delivery: StateRow): CountRow {
    const { message_id, counted, counted_revision } = delivery;
    return (
      this.#next.get(keyOf(personKey, delivery)) ?? {
        person_key: personKey,
        message_id,
        impressions: counted ?? 0,
        revision: counted_revision ?? 0,
      }
    );
  }
}

const keyOf = (personKey: string, { message_id }: StateRow): string => `${personKey} ${message_id}`;
