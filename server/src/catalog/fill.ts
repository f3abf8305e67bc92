import type { Ground } from "../platform/ground.ts";
import { type Time, inBatches } from "../platform/work/batches.ts";
import { type Fill, moveFill, newestProperties, nextPeople, nextStored, unfilled } from "./fill-store.ts";
import { MOST_EVENTS } from "./limits.ts";
import { isCatalogName, typeBit } from "./names.ts";
import { type SeenField, upsertEvents, upsertFields } from "./store.ts";

const EVENTS_READ = 500;
const PEOPLE_READ = 1_000;

/**
 * Fills the catalog of each workspace once, from the events and people that are stored: those of before the catalog, and of a restored
 * backup. A batch reads one name of events or 1,000 people, and a stopped run continues behind its last batch.
 */
export async function fill({ workDb }: Pick<Ground, "workDb">, time: Time): Promise<void> {
  for (const begun of await unfilled(workDb)) {
    let at = begun;
    let names = 0;
    let events = at.after_key === null;
    await inBatches(workDb, time, async (tx) => {
      const next = events ? await takeEvent(tx, at) : await takePeople(tx, at);
      names++;
      if (next) at = next;
      const done = !next && !events;
      // A client with an id in each name has millions of them.
      if (events && (!next || names >= 2 * MOST_EVENTS)) events = false;
      await moveFill(tx, at, done);
      return !done;
    });
  }
}

type Step = (q: Parameters<typeof nextPeople>[0], at: Fill) => Promise<Fill | undefined>;

const takeEvent: Step = async (q, at) => {
  const event = await nextStored(q, at.workspace_id, at.after_event, EVENTS_READ);
  if (!event) return undefined;
  if (isCatalogName(event.name)) {
    const newest = await newestProperties(q, at.workspace_id, event.name, EVENTS_READ);
    await upsertEvents(q, [event]);
    await upsertFields(q, fieldsOf(at.workspace_id, event.name, newest));
  }
  return { ...at, after_event: event.name };
};

const takePeople: Step = async (q, at) => {
  const people = await nextPeople(q, at.workspace_id, at.after_key, PEOPLE_READ);
  await upsertFields(q, fieldsOf(at.workspace_id, "", people));
  const last = people.at(-1);
  return last && { ...at, after_key: last.key };
};

/** Returns the fields that these rows have, each once, with all of its types. */
function fieldsOf(
  workspaceId: string,
  event: string,
  rows: { at: Date; values: Record<string, unknown> }[],
): SeenField[] {
  const fields = new Map<string, SeenField>();
  for (const { at, values } of rows)
    for (const [name, value] of Object.entries(values)) {
      const types = typeBit(value);
      const before = fields.get(name);
      if (types === 0 || (!before && !isCatalogName(name))) continue;
      if (!before) fields.set(name, { workspaceId, event, name, types, first: at, last: at });
      else {
        before.types |= types;
        if (at < before.first) before.first = at;
        if (at > before.last) before.last = at;
      }
    }
  return [...fields.values()];
}
