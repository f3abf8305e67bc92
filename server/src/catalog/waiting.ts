import type { Ground } from "../platform/ground.ts";
import { type SeenEvent, type SeenField, upsertEvents, upsertFields } from "./store.ts";

/** A new name or type is written after a second; the times and counts of known ones after a minute. */
const AFTER_MS = { fresh: 1_000, all: 60_000 };
/** Events in memory that are not written yet: more are not noted. */
const MOST_WAITING = 5_000;
/** Rows of one statement. */
const ROWS = 1_000;

/** What was seen of an event since it was last written; the attributes of people are the fields of the event "". */
interface Seen extends SeenEvent {
  /** Their types. */
  fields: Map<string, number>;
  fresh: boolean;
}

/** What was seen and is not written yet. */
export class Waiting {
  readonly #ground: Pick<Ground, "workDb" | "log">;
  readonly #lost: () => void;
  readonly #seen = new Map<string, Seen>();
  readonly #timers: { [what in keyof typeof AFTER_MS]?: NodeJS.Timeout | undefined } = {};

  /** `lost` runs if something could not be written. */
  constructor(ground: Pick<Ground, "workDb" | "log">, lost: () => void) {
    this.#ground = ground;
    this.#lost = lost;
  }

  /** Counts one event. Returns undefined while too many wait. */
  add(
    key: string,
    { workspaceId, name, now, fresh }: { workspaceId: string; name: string; now: Date; fresh: boolean },
  ): Seen | undefined {
    let one = this.#seen.get(key);
    if (!one) {
      if (this.#seen.size >= MOST_WAITING) return undefined;
      one = { workspaceId, name, first: now, last: now, count: 0, fields: new Map(), fresh: false };
      this.#seen.set(key, one);
      this.#schedule("all");
    }
    one.count++;
    one.last = now;
    if (fresh) this.#freshen(one);
    return one;
  }

  addField(of: Seen, name: string, { bit, fresh }: { bit: number; fresh: boolean }): void {
    of.fields.set(name, (of.fields.get(name) ?? 0) | bit);
    if (fresh) this.#freshen(of);
  }

  #freshen(one: Seen): void {
    one.fresh = true;
    this.#schedule("fresh");
  }

  #schedule(what: keyof typeof AFTER_MS): void {
    this.#timers[what] ??= setTimeout(() => void this.flush(what), AFTER_MS[what]).unref();
  }

  /** Writes the fresh ones or all. It throws nothing. */
  async flush(what: keyof typeof AFTER_MS): Promise<void> {
    clearTimeout(this.#timers[what]);
    this.#timers[what] = undefined;
    const taken: Seen[] = [];
    for (const [key, one] of this.#seen) {
      if (what === "fresh" && !one.fresh) continue;
      taken.push(one);
      this.#seen.delete(key);
    }
    const fields = taken.flatMap(({ workspaceId, name: event, last, fields: seen }) =>
      [...seen].map(([name, types]): SeenField => ({ workspaceId, event, name, types, first: last, last })),
    );
    const { workDb, log } = this.#ground;
    try {
      for (const rows of batches(taken.filter(({ name }) => name !== ""))) await upsertEvents(workDb, rows);
      for (const rows of batches(fields)) await upsertFields(workDb, rows);
    } catch (error) {
      log.warn({ err: String(error) }, "names of facts were not written to the catalog");
      this.#lost();
    }
  }
}

function* batches<T>(rows: T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += ROWS) yield rows.slice(i, i + ROWS);
}
