import { InteractionItem } from "@tidings/contract/inapp/messages";
import { Compile } from "typebox/schema";
import { decodeId } from "../../platform/ids.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import type { Report } from "./report.ts";

const shape = Compile(InteractionItem);

export interface OfflineItem {
  /** As the client sent it, so that the client can match the result to its item. */
  event_id: string | null;
  report?: Report;
  code?: "invalid_request" | "delivery_not_found";
}

/**
 * Reads one item of the interactions batch. A bad item gets an error code and the others still count: otherwise a client would
 * send them for ever.
 */
export function readItem(item: unknown): OfflineItem {
  const given = (item as { event_id?: unknown } | null)?.event_id;
  const event_id = typeof given === "string" ? given.slice(0, 255) : null;
  if (!shape.Check(item)) return { event_id, code: "invalid_request" };
  const { delivery_id, ts, event_id: eventId, type, ...notes } = item as InteractionItem;
  const at = ts ? parseInstant(ts) : undefined;
  if (ts && !at) return { event_id, code: "invalid_request" };
  const deliveryId = decodeId("dlv", delivery_id);
  if (!deliveryId) return { event_id, code: "delivery_not_found" };
  return { event_id, report: { ...notes, deliveryId, type, eventId, ...(at && { ts: at }) } };
}
