import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { record } from "../../activity/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import type { Content } from "../message/message.ts";
import { cancelWaiting, type DeliveryKey, type DeliveryRow, deliveryById } from "./delivery-actions-store.ts";
import type { QueueGround } from "./dispatcher.ts";
import { queue } from "./queue.ts";

type PushedRow = DeliveryRow & { channel: PushedChannel };

/** @throws Problem delivery_not_found, channel_mismatch for an in-app delivery */
async function pushedById(tx: Tx, workspaceId: string, id: string | undefined): Promise<PushedRow> {
  const row = id === undefined ? undefined : await deliveryById(tx, workspaceId, id);
  if (!row) throw new Problem("delivery_not_found", "The workspace has no delivery with this id.");
  if (row.channel === "in_app")
    throw new Problem("channel_mismatch", "An in-app delivery is pulled by the application: recall it instead.");
  return row as PushedRow;
}

/**
 * Queues the same rendered content to the same recipient again, as a new delivery of the same source. Its log names the
 * delivery that it repeats. Returns the new id.
 * @throws Problem delivery_not_found, channel_mismatch, delivery_not_resendable, content_not_retained
 */
export async function resend(
  tx: Tx,
  ground: QueueGround,
  workspaceId: string,
  id: string | undefined,
): Promise<string> {
  const row = await pushedById(tx, workspaceId, id);
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

/** Returns why a delivery can't be sent again. A receipt can be, when its reader asks for it, whatever they unsubscribed from. */
function refusal({ status, source, subscribed }: PushedRow): string | undefined {
  if (status === "queued" || status === "sending")
    return "It is still on its way. Wait for its end, or cancel it first.";
  if (status === "suppressed" || status === "complained") return `It is ${status}: the recipient does not want it.`;
  if (subscribed === null) return "The person was erased.";
  if (!subscribed && (source === "broadcast" || source === "campaign")) return "The person has unsubscribed.";
  return undefined;
}

/** @throws Problem content_not_retained, because only exactly what was sent before may be sent again */
function keptContent(row: PushedRow): Content {
  const { content } = row;
  if (!content)
    throw new Problem("content_not_retained", "The content was not kept (disable_message_retention). Trigger it anew.");
  if (content.attachment_names?.length && !content.attachments)
    throw new Problem("content_not_retained", "Attachments are not kept once they are sent. Trigger it anew.");
  return content;
}

/**
 * Cancels a delivery that is queued for later, or waits for its next attempt. Returns its id.
 * @throws Problem delivery_not_found, channel_mismatch, delivery_not_cancelable once a provider may have it, or it has ended
 */
export async function cancel(tx: Tx, ground: Ground, workspaceId: string, id: string | undefined): Promise<string> {
  const row = await pushedById(tx, workspaceId, id);
  if ((await cancelWaiting(tx, [row], { reason: null, skipLocked: false })).length === 0) {
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

/**
 * Cancels those of these deliveries that are not sent yet, and logs the reason. It does not wait for a delivery that another transaction
 * has locked: that one is being sent. Returns the ids of the canceled ones.
 */
export async function cancelUnsent(
  tx: Tx,
  workspaceId: string,
  { deliveries, reason, now }: { deliveries: DeliveryKey[]; reason: string; now: Date },
): Promise<string[]> {
  const canceled = await cancelWaiting(tx, deliveries, { reason, skipLocked: true });
  await record(
    tx,
    canceled.map(({ person_key: personKey, id: deliveryId, channel }) => ({
      workspaceId,
      personKey,
      deliveryId,
      type: `${channel}.canceled`,
      at: now,
      data: { reason },
    })),
  );
  return canceled.map(({ id }) => id);
}
