import { record } from "../../activity/index.ts";
import { type Db, type Tx, withoutDeadlock } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { type Origin, recordChange } from "../../platform/resources/changes.ts";
import { QUEUED } from "./queue.ts";
import {
  cancelBatch,
  cancelOne,
  cancelUnseen,
  findDelivery,
  nameEverDefined,
  type RecalledRow,
  type RecallScope,
} from "./recall-store.ts";

/** Rows locked at once. An impression of one of them waits until its batch is done, about 30 ms. */
const BATCH = 1_000;
/** Batches in one call, some seconds of work; the response says whether more are left. */
const MOST_BATCHES = 100;

/**
 * Recalls a definition's deliveries that are not over, of all versions, batch by batch: queued ones, and those that were shown and
 * not dismissed, which may still be open on a device. Each batch is one transaction and one signal, after which open applications
 * sync at once, no longer get the message, and learn that the one they display is canceled. It may miss deliveries that a
 * broadcast queues meanwhile: stop the broadcast first.
 * @throws Problem not_found
 */
export async function recallMessage(
  db: Db,
  workspaceId: string,
  { id: messageId, origin, now }: { id: string; origin: Origin; now: Date },
): Promise<{ recalled: number; more: boolean }> {
  const name = await nameEverDefined(db, workspaceId, messageId);
  if (name === undefined) throw notFound("in-app message");
  // Recorded before the batches: a recall that is cut off has taken back some of the messages.
  const resource = { type: "in_app_message", id: encodeId("msg", messageId), name };
  await recordChange(db, origin, { action: "in_app_message.recalled", resource, now });
  return recallAll(db, workspaceId, { messageId }, now);
}

/** Recalls the deliveries of a scope that are not over. A broadcast must have been stopped before. */
export async function recallAll(
  db: Db,
  workspaceId: string,
  scope: RecallScope,
  now: Date,
): Promise<{ recalled: number; more: boolean }> {
  let recalled = 0;
  let after: RecalledRow | undefined;
  for (let i = 0; i < MOST_BATCHES; i++) {
    // Interactions lock these rows in another order.
    const rows = await withoutDeadlock(() =>
      db.transaction(async (tx) => {
        const batch = await cancelBatch(tx, workspaceId, scope, { after, limit: BATCH });
        await announce(
          tx,
          workspaceId,
          batch.filter((row) => row.recalled),
          { now },
        );
        return batch;
      }),
    );
    recalled += rows.filter((row) => row.recalled).length;
    if (rows.length < BATCH) return { recalled, more: false };
    after = rows.at(-1);
  }
  return { recalled, more: true };
}

/**
 * Recalls one delivery, also one that was shown. A delivery that is over keeps its status.
 * @throws Problem not_found, channel_mismatch
 */
export async function recallDelivery(
  tx: Tx,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<{ status: string; recalled: boolean }> {
  const found = await findDelivery(tx, workspaceId, id);
  if (!found) throw notFound("delivery");
  if (found.channel !== "in_app") {
    throw new Problem("channel_mismatch", `Only in-app deliveries can be recalled, and this is ${found.channel}.`);
  }
  if (!(await cancelOne(tx, found.person_key, id))) {
    return { status: (await findDelivery(tx, workspaceId, id))?.status ?? found.status, recalled: false };
  }
  await announce(tx, workspaceId, [{ person_key: found.person_key, id }], { now });
  return { status: "canceled", recalled: true };
}

/**
 * Recalls those of these deliveries that nobody has seen: a message in an inbox stays there, because an inbox is a record. Returns the ids
 * of the recalled ones.
 */
export async function recallUnseen(
  tx: Tx,
  workspaceId: string,
  { deliveries, reason, now }: { deliveries: Pick<RecalledRow, "person_key" | "id">[]; reason: string; now: Date },
): Promise<string[]> {
  const recalled = await cancelUnseen(tx, deliveries, reason);
  await announce(tx, workspaceId, recalled, { reason, now });
  return recalled.map(({ id }) => id);
}

/** Logs the recalls and sends the signal of queued deliveries: it makes applications sync again, whatever changed. */
async function announce(
  tx: Tx,
  workspaceId: string,
  rows: Pick<RecalledRow, "person_key" | "id">[],
  { reason = "recalled", now }: { reason?: string; now: Date },
): Promise<void> {
  if (rows.length === 0) return;
  await record(
    tx,
    rows.map((row) => ({
      workspaceId,
      personKey: row.person_key,
      deliveryId: row.id,
      type: "in_app.canceled",
      at: now,
      data: { reason },
    })),
  );
  tx.signal(
    QUEUED,
    rows.map((row) => `${row.person_key}:${row.id}`),
  );
}
