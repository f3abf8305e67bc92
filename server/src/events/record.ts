import { announced, type Tx } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { derivedId, encodeId, newId } from "../platform/ids.ts";
import { insertFresh, insertNew, type NewEvent } from "./store.ts";

export interface EventInput {
  workspaceId: string;
  personKey: string;
  name: string;
  properties: Record<string, unknown>;
  ts: Date | undefined;
  /** The client's own id of the event. A repeat counts once while the event is kept, which is at least 7 days. */
  eventId: string | undefined;
}

/** Announces new events in the transaction that writes them. */
export const EVENTS_RECORDED = announced<NewEvent>("events.recorded");

/** The id of an event, and whether it is new. */
export interface Recorded {
  eventId: string;
  recorded: boolean;
}

export const MOST_PROPERTY_BYTES = 32 * 1024;
/** A clock further ahead than this is wrong. Its events would be in the future of every audience. */
const MOST_AHEAD_MS = 5 * 60_000;

/** @throws Problem payload_too_large for properties over 32 KiB */
export function checkProperties(properties: Record<string, unknown>): void {
  if (Buffer.byteLength(JSON.stringify(properties)) > MOST_PROPERTY_BYTES) {
    throw new Problem("payload_too_large", "The event's properties are over the limit of 32 KiB.");
  }
}

/**
 * Records many events. An event_id that is given twice in one call counts once, too.
 * @param last whether the caller sends no statement after this. Then the commit may go out behind those of the events.
 */
export async function recordEvents(
  tx: Tx,
  inputs: EventInput[],
  now: Date,
  { last = false }: { last?: boolean } = {},
): Promise<Recorded[]> {
  const events = inputs.map((input): NewEvent => {
    const ts = input.ts !== undefined && input.ts.getTime() <= now.getTime() + MOST_AHEAD_MS ? input.ts : now;
    const { personKey, workspaceId, name, properties, eventId } = input;
    const id = eventId === undefined ? newId() : derivedId(personKey, eventId);
    return { personKey, id, workspaceId, name, properties, ts };
  });
  // Two events of one call with one id are one event.
  const first = new Map<string, NewEvent>();
  for (const event of events) if (!first.has(event.id)) first.set(event.id, event);
  const unique = [...first.values()];
  // Sorted, so that two batches with the same events lock them in the same order and never deadlock.
  const sorted = unique.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // Ids of ours are new, so that listeners need not wait for PostgreSQL's word: what they ask goes out behind the insert.
  const areNew = inputs.every(({ eventId }) => eventId === undefined);
  const writing = areNew ? insertFresh(tx, sorted, now) : insertNew(tx, sorted, now);
  const workspaceIds = [...new Set(events.map((event) => event.workspaceId))];
  const heard = tx.announce(EVENTS_RECORDED, workspaceIds, () => unique, areNew ? undefined : () => writing);
  if (last) tx.commitBehind();
  const [isNew] = await Promise.all([writing, heard]);
  return events.map((event, i) => ({
    eventId: inputs[i]?.eventId ?? encodeId("evt", event.id),
    recorded: first.get(event.id) === event && isNew(event),
  }));
}

/** The key under which traces carry what reported an event to what the event begins. */
export const occurrenceOf = (personKey: string, name: string): string => `${personKey} ${name}`;
