import type { CountRow } from "./counts-store.ts";
import type { StateRow } from "./store.ts";

/** How often people were shown messages whose limits hold over all deliveries: as read, and as the reports that were folded so far leave it. */
export class Counts {
  readonly #next = new Map<string, CountRow>();

  /** How often this person was shown the message of a delivery. */
  of(personKey: string, delivery: StateRow): number {
    return this.#row(personKey, delivery).impressions;
  }

  add(personKey: string, delivery: StateRow): void {
    const row = this.#row(personKey, delivery);
    this.#next.set(keyOf(personKey, delivery), { ...row, impressions: row.impressions + 1 });
  }

  /** The counts to write, in one order for everybody. */
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
