import { record } from "../../activity/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import type { Content } from "../message/message.ts";
import { cancelWaiting, type DeliveryRow, deliveryById } from "./delivery-actions-store.ts";
import type { QueueGround } from "./dispatcher.ts";
import { queue } from "./queue.ts";

type Pushed = DeliveryRow & { channel: "email" | "push" | "sms" };

/** @throws Problem delivery_not_found, channel_mismatch for an in-app one */
async function pushed(tx: Tx, workspaceId: string, id: string | undefined): Promise<Pushed> {
  const row = id === undefined ? undefined : await deliveryById(tx, workspaceId, id);
  if (!row) throw new Problem("delivery_not_found", "The workspace has no delivery with this id.");
  if (row.channel === "in_app")
    throw new Problem("channel_mismatch", "An in-app delivery is pulled by the application: recall it instead.");
  return row as Pushed;
}

/**
 * Queues the same rendered content to the same recipient again, as a new delivery of the same source. Its log says what it
 * repeats. Gives the new id.
 * @throws Problem delivery_not_found, channel_mismatch, delivery_not_resendable, content_not_retained
 */
export async function resend(
  tx: Tx,
  ground: QueueGround,
  workspaceId: string,
  id: string | undefined,
): Promise<string> {
  const row = await pushed(tx, workspaceId, id);
  const reason = refusal(row);
  if (reason !== undefined) throw new Problem("delivery_not_resendable", reason);
  const deliveryId = newId();
  await queue(tx, ground, [
    {
      workspaceId,
      personKey: row.person_key,
      deliveryId,
      channel: row.channel,
      source: row.source,
      sourceId: row.source_id,
      recipient: row.recipient,
      content: keptContent(row),
      status: "queued",
      queuedAt: ground.clock.now(),
      retainContent: row.retain_content,
      atMostOnce: row.at_most_once,
      note: { resend_of: encodeId("dlv", row.id) },
    },
  ]);
  return deliveryId;
}

/** Why it can't go out again. A receipt that its reader asks for once more may, whatever else they unsubscribed from. */
function refusal({ status, source, subscribed }: Pushed): string | undefined {
  if (status === "queued" || status === "sending")
    return "It is still on its way. Wait for its end, or cancel it first.";
  if (status === "suppressed" || status === "complained") return `It is ${status}: the recipient does not want it.`;
  if (subscribed === null) return "The person was erased.";
  if (!subscribed && (source === "broadcast" || source === "campaign")) return "The person has unsubscribed.";
  return undefined;
}

/** @throws Problem content_not_retained: what would go out must be what went out */
function keptContent(row: Pushed): Content {
  const { content } = row;
  if (!content)
    throw new Problem("content_not_retained", "The content was not kept (disable_message_retention). Trigger it anew.");
  if (content.attachment_names?.length && !content.attachments)
    throw new Problem("content_not_retained", "Attachments are not kept once they are sent. Trigger it anew.");
  return content;
}

/**
 * Takes back what is queued for later, or waits for its next attempt.
 * @throws Problem delivery_not_found, channel_mismatch, delivery_not_cancelable once a provider may have it, or it is over
 */
export async function cancel(tx: Tx, ground: Ground, workspaceId: string, id: string | undefined): Promise<string> {
  const row = await pushed(tx, workspaceId, id);
  if ((await cancelWaiting(tx, row)) === 0) {
    const detail = row.status === "queued" || row.status === "sending" ? "being sent now" : `already ${row.status}`;
    throw new Problem("delivery_not_cancelable", `Too late: it is ${detail}.`);
  }
  await record(tx, [
    {
      workspaceId,
      personKey: row.person_key,
      deliveryId: row.id,
      type: `${row.channel}.canceled`,
      at: ground.clock.now(),
    },
  ]);
  return row.id;
}
