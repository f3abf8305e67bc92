import { LRUCache } from "lru-cache";
import type { Ground } from "../../platform/ground.ts";
import { gather } from "../../platform/work/gather.ts";
import type { LiveRow } from "../delivery/live-store.ts";
import type { Look } from "../rules/gates.ts";
import { gatesOf, heldBy } from "./standing.ts";
import { noteTestSyncs, type TestSync } from "./trace-store.ts";

/** A device that polls from the same place with the same outcome is noted once in so long. */
const AGAIN_MS = 10_000;
/** Deliveries whose last note is remembered, about 200 bytes each. */
const MOST_REMEMBERED = 10_000;
const LONGEST_TEXT = 200;

/**
 * What syncs make of test deliveries, for whoever watches a test send. It is written to the row, so that any process can tell it,
 * and behind the answer's back: no sync waits for it, and one without a test delivery pays for a boolean a row. What can't be
 * written is left out: it is no reason to fail a sync.
 */
export class TestSyncs {
  readonly #noted = new LRUCache<string, { as: string; at: number }>({ max: MOST_REMEMBERED });
  readonly #write: (sync: TestSync) => Promise<boolean>;
  readonly #log: Ground["log"];

  constructor({ workDb, log }: Pick<Ground, "workDb" | "log">) {
    this.#log = log;
    this.#write = gather<TestSync, boolean>(
      async (syncs) => {
        const written = await noteTestSyncs(workDb, [...new Map(syncs.map((one) => [one.id, one])).values()]);
        return syncs.map(({ id }) => written.has(id));
      },
      { inFlight: 1 },
    );
  }

  /** A sync that looked at this test delivery, and whether it returns it. */
  note(personKey: string, row: LiveRow, look: Look, returned: boolean): void {
    const as = JSON.stringify([returned, look.screen, look.timezone, look.offsetMinutes]);
    const last = this.#noted.get(row.id);
    if (last?.as === as && look.now - last.at < AGAIN_MS) return;
    this.#noted.set(row.id, { as, at: look.now });
    void this.#keep({
      personKey,
      id: row.id,
      at: new Date(look.now),
      returned,
      screen: storable(look.screen),
      timezone: storable(look.timezone),
      tz_offset_minutes: look.offsetMinutes ?? null,
      held_by: returned ? [] : heldBy(gatesOf({ ...row, status: "queued" }, look)),
    });
  }

  async #keep(sync: TestSync): Promise<void> {
    try {
      if (await this.#write(sync)) return;
    } catch (error) {
      this.#log.debug({ err: (error as Error).message }, "what a sync made of a test delivery could not be noted");
    }
    this.#noted.delete(sync.id);
  }
}

/** As PostgreSQL can store it. */
const storable = (text: string | undefined): string | null =>
  text?.slice(0, LONGEST_TEXT).toWellFormed().replaceAll("\0", "") ?? null;
