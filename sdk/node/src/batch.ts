import { randomUUID } from "node:crypto";
import type { BatchItem, Track } from "./shapes.ts";

/** One request may carry 1,000 items and 1 MiB; 1 KiB is left for the JSON around the items. */
const MOST_ITEMS = 1_000;
const MOST_BYTES = 1024 * 1024 - 1_024;

/** Adds an `event_id` where the event has none. Without it an event that is sent again after a lost answer would count twice. */
export const withEventId = <T extends Track>(event: T): T & { event_id: string } => ({
  ...event,
  event_id: event.event_id ?? randomUUID(),
});

/** Splits the items into requests, in order. An item too large for any request goes alone, and the service refuses it. */
export function* parts(items: readonly BatchItem[]): Generator<BatchItem[]> {
  let part: BatchItem[] = [];
  let bytes = 0;
  for (const given of items) {
    const item = given.type === "track" ? withEventId(given) : given;
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (part.length > 0 && (part.length === MOST_ITEMS || bytes + size > MOST_BYTES)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
