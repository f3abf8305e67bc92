import { boundedCache } from "../../platform/limits/cache.ts";
import type { Ground } from "../../platform/ground.ts";
import { gather } from "../../platform/work/gather.ts";
import type { Versioned } from "../definition/compiled.ts";
import type { LiveRow } from "../delivery/live-store.ts";
import type { SyncContext } from "../rules/gates.ts";
import { gatesOf, heldBy } from "./gate-results.ts";
import { noteTestSyncs, type TestSync } from "./trace-store.ts";

/** A device that polls in the same context with the same outcome is noted once in this time. */
const AGAIN_MS = 10_000;
/** Deliveries whose last note is remembered, about 200 bytes each. */
const MOST_REMEMBERED = 10_000;
const LONGEST_TEXT = 200;

/**
 * Notes what syncs did with test deliveries, for the people who watch a test send. The note is written to the delivery's row, so
 * that any process can show it. No sync waits for the write, and a sync without a test delivery only pays for a boolean per row.
 * A note that can't be written is dropped: it is no reason to fail a sync.
 */
export class TestSyncs {
  readonly #noted = boundedCache<{ as: string; at: number }>(MOST_REMEMBERED);
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

  /** Notes that a sync evaluated this test delivery, and whether it returned it. */
  note(personKey: string, { row, version }: Versioned<LiveRow>, context: SyncContext, returned: boolean): void {
    const as = JSON.stringify([returned, context.screen, context.timezone, context.offsetMinutes]);
    const last = this.#noted.get(row.id);
    if (last?.as === as && context.now - last.at < AGAIN_MS) return;
    this.#noted.set(row.id, { as, at: context.now });
    void this.#keep({
      personKey,
      id: row.id,
      at: new Date(context.now),
      returned,
      screen: storable(context.screen),
      timezone: storable(context.timezone),
      tz_offset_minutes: context.offsetMinutes ?? null,
      held_by: returned ? [] : heldBy(gatesOf({ row: { ...row, status: "queued" }, version }, context)),
    });
  }

  async #keep(sync: TestSync): Promise<void> {
    try {
      if (await this.#write(sync)) return;
    } catch (error) {
      this.#log.debug({ err: (error as Error).message }, "the sync of a test delivery could not be noted");
    }
    this.#noted.delete(sync.id);
  }
}

/** The text in a form that PostgreSQL can store. */
const storable = (text: string | undefined): string | null =>
  text?.slice(0, LONGEST_TEXT).toWellFormed().replaceAll("\0", "") ?? null;
