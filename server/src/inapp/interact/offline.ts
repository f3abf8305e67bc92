import { InteractionItem } from "@tidings/contract/inapp/messages";
import { fitsShape } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import type { Report } from "./report.ts";

const fits = fitsShape(InteractionItem);

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
  const given = item as { event_id?: unknown; ts?: unknown } | null;
  const event_id = typeof given?.event_id === "string" ? given.event_id.slice(0, 255) : null;
  // Some clients send an empty time where they know none.
  const shaped = given?.ts === "" ? { ...given, ts: null } : item;
  if (!fits(shaped)) return { event_id, code: "invalid_request" };
  const { delivery_id, ts, event_id: eventId, type, ...notes } = shaped;
  const at = ts ? parseInstant(ts) : undefined;
  const deliveryId = decodeId("dlv", delivery_id);
  if (!deliveryId) return { event_id, code: "delivery_not_found" };
  return { event_id, report: { ...notes, deliveryId, type, eventId, ...(at && { ts: at }) } };
}
