import { boundedCache } from "../platform/limits/cache.ts";
import type { Ground } from "../platform/ground.ts";
import { MOST_ATTRIBUTES, MOST_PROPERTIES } from "./limits.ts";
import { isCatalogName, typeBit } from "./names.ts";
import { Waiting } from "./waiting.ts";

/** A field that was written is written again this much later. */
const FIELD_MS = 3_600_000;
/** Names of events that a process remembers: 10 MB, with a usual number of properties. */
const MOST_REMEMBERED = 10_000;
/** Fields that it remembers, of all events. Beyond it, it forgets all and writes each once more. */
const MOST_FIELDS = 200_000;

/** The attributes that an identify call sets: those of a known meaning by name, and the others. */
interface Attributes {
  email?: unknown;
  phone?: unknown;
  timezone?: unknown;
  locale?: unknown;
  subscribed?: unknown;
  set: Record<string, unknown>;
}

/** Notes names for the catalog. */
export interface Catalog {
  /** Notes an event that was recorded. */
  event(workspaceId: string, name: string, properties: Record<string, unknown>, now: Date): void;
  /** Notes the attributes that a person got. */
  identified(workspaceId: string, change: Attributes, now: Date): void;
  /** Writes what is still in memory. */
  flush(): Promise<void>;
}

/** The ground with the notes for the catalog: one in a process. */
export interface CatalogGround extends Ground {
  catalog: Catalog;
}

/** The fields of one event that were noted, with their types and the time after which they are noted again. */
type Fields = Map<string, { types: number; until: number }>;

/**
 * Creates the notes of this process. Names are noted in memory after the facts were stored, and written a moment later: no request waits
 * for them, and what a crash loses is noted again with the next fact of that name.
 */
export function catalogNotes(ground: Pick<Ground, "workDb" | "log">): Catalog {
  let size = 0;
  const known = boundedCache<Fields>(MOST_REMEMBERED, {
    dispose: (fields) => {
      size -= fields.size;
    },
  });
  // What was not written must be noted again.
  const waiting = new Waiting(ground, () => known.clear());

  function note(workspaceId: string, event: string, values: Record<string, unknown>, now: Date): void {
    const key = `${workspaceId} ${event}`;
    const before = known.get(key);
    if (!before && event !== "" && !isCatalogName(event)) return;
    const seen = waiting.add(key, { workspaceId, name: event, now, fresh: !before && event !== "" });
    if (!seen) return;
    if (!before && size >= MOST_FIELDS) known.clear();
    const fields = before ?? new Map();
    if (!before) known.set(key, fields);
    const most = event === "" ? MOST_ATTRIBUTES : MOST_PROPERTIES;
    let left = most;
    for (const name in values) {
      if (left-- === 0) break;
      const bit = typeBit(values[name]);
      const field = fields.get(name);
      if (bit === 0 || (field && (field.types & bit) !== 0 && field.until > now.getTime())) continue;
      if (!field && (fields.size >= most || !isCatalogName(name))) continue;
      if (!field) size++;
      const types = (field?.types ?? 0) | bit;
      fields.set(name, { types, until: now.getTime() + FIELD_MS });
      waiting.addField(seen, name, { bit, fresh: types !== field?.types });
    }
  }

  return {
    event: note,
    identified(workspaceId, { email, phone, timezone, locale, subscribed, set }, now) {
      note(workspaceId, "", { email, phone, timezone, locale, subscribed }, now);
      note(workspaceId, "", set, now);
    },
    flush: () => waiting.flush("all"),
  };
}
