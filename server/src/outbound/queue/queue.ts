import { type Entry, record } from "../../activity/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Job, Message } from "../message/message.ts";
import { DELIVERIES_DUE, type QueueGround } from "./dispatcher.ts";
import { isBulk, nameOf } from "./lane.ts";
import { insertDeliveries, type NewDelivery } from "./insert-store.ts";
import { applySuppressions } from "./suppression-check.ts";

/**
 * Queues messages inside the caller's transaction: the row is the job. Where this process sends, and is not behind, it inserts
 * the rows with its own lease and takes the deliveries over in memory after the commit, which saves a claim and its round
 * trips. If the process dies, the lease ends and another process claims them. A delivery id that exists already is left alone,
 * so a repeated batch of recipients is harmless. An address on the suppression list gets nothing: such a message ends as
 * `suppressed`.
 * @param options suppressionsChecked: the caller has checked a moment ago, by `applySuppressions` or `applyKnownSuppressions`
 * @returns the messages that are new, as they were queued
 */
export async function queue(
  tx: Tx,
  ground: QueueGround,
  wanted: Message[],
  options: { suppressionsChecked?: boolean } = {},
): Promise<Message[]> {
  if (wanted.length === 0) return [];
  const batch = options.suppressionsChecked ? wanted : await applySuppressions(tx, wanted);
  const dispatcher = ground.sending.dispatcher;
  const leases = dispatcher?.accept(batch) ?? [];
  const rows: NewDelivery[] = batch.map((message, i) => ({ ...message, leaseId: leases[i] ?? null }));
  const since = performance.now();
  const lease = leases.find((one) => one !== undefined);
  if (lease !== undefined) tx.ifUnknown(() => dispatcher?.lost(lease));
  const made = await insert(tx, rows);

  const handed = made.filter((row) => row.leaseId !== null).map(jobOf);
  const left = made.filter((row) => row.status === "queued" && row.leaseId === null && row.dueAt === undefined);
  tx.afterCommit(() => {
    for (const [channel, rows] of Map.groupBy(made, (row) => row.channel))
      ground.metrics.queued.inc({ channel }, rows.length);
    if (handed.length > 0) dispatcher?.take(handed, since);
  });
  if (left.length > 0)
    tx.signal(DELIVERIES_DUE, [...new Set(left.map((row) => nameOf({ ...row, bulk: isBulk(row.source) })))]);
  return made;
}

async function insert(tx: Tx, rows: NewDelivery[]): Promise<NewDelivery[]> {
  // A trigger generates its ids a moment before, so none can exist, and the log need not wait for the answer of the insert.
  if (rows.every((row) => row.source === "transactional")) {
    await Promise.all([insertDeliveries(tx, rows, true), record(tx, rows.map(entryOf))]);
    return rows;
  }
  const fresh = await insertDeliveries(tx, rows, false);
  const made = rows.filter((row) => fresh.has(row.deliveryId));
  await record(tx, made.map(entryOf));
  return made;
}

const entryOf = (row: NewDelivery): Entry => ({
  workspaceId: row.workspaceId,
  personKey: row.personKey,
  deliveryId: row.deliveryId,
  type: `${row.channel}.${row.status}`,
  at: row.queuedAt,
  data: { ...row.note, ...(row.reason !== undefined && { reason: row.reason }) },
});

const jobOf = (row: NewDelivery): Job => ({
  workspaceId: row.workspaceId,
  personKey: row.personKey,
  deliveryId: row.deliveryId,
  channel: row.channel,
  bulk: isBulk(row.source),
  recipient: row.recipient ?? "",
  content: row.content,
  attempts: 0,
  leaseId: row.leaseId as string,
  atMostOnce: row.atMostOnce ?? false,
  retainContent: row.retainContent,
  undetermined: false,
  overdue: false,
  ...(row.expiresInMs !== undefined && { expiresBy: performance.now() + row.expiresInMs }),
});
