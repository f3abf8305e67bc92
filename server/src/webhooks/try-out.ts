import type { Ground } from "../platform/ground.ts";
import { notFound } from "../platform/http/index.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { attempt } from "./attempt.ts";
import { outcomeOf } from "./retry.ts";
import { webhookById } from "./store.ts";

/**
 * Sends an event `webhook.test` to an endpoint, which may be disabled, and returns its answer. The call is signed, not logged and
 * not repeated. @throws Problem not_found
 */
export async function sendTestEvent(ground: Ground, workspaceId: string, id: string) {
  const hook = await webhookById(ground.db, workspaceId, id);
  if (!hook) throw notFound("webhook");
  const now = ground.clock.now();
  const event = { id: newId(), type: "webhook.test", timestamp: now.toISOString() };
  const nobody = { person_id: null, delivery_id: null, channel: null };
  const nothing = { source: null, source_id: null, step_id: null, variant: null, message_id: null, recipient: null };
  const eventId = encodeId("act", event.id);
  const data = { ...nobody, ...nothing, details: { webhook_id: encodeId("whk", id) } };
  const made = await attempt(ground, hook, { id: event.id, payload: JSON.stringify({ ...event, id: eventId, data }) });
  const { status, answer, error, duration_ms } = made.entry;
  const ok = outcomeOf(made, 1, 0, now).kind === "delivered";
  return { ok, event_id: eventId, status, answer, error, duration_ms };
}
