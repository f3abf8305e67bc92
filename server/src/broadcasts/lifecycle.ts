import type { BroadcastStatus, ScheduleInput } from "@tidings/contract/messages/broadcasts";
import { assertAllowed, recallAll } from "../inapp/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { badField, Problem } from "../platform/http/index.ts";
import { inBatchTurns } from "../platform/limits/shares.ts";
import { encodeId } from "../platform/ids.ts";
import type { Authored } from "../platform/resources/authored.ts";
import { byItself, changing, type Origin, recordChange } from "../platform/resources/changes.ts";
import { progressed } from "../platform/resources/progress.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { firstDue, fixVersions, messageIdsOf } from "../sendings/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { locked } from "./definition/broadcast.ts";
import { editionColumns, editionsOf } from "./definition/sending.ts";
import { type BroadcastRow, write } from "./definition/store.ts";
import { forgetHolders } from "./recipients/addresses.ts";
import { dropBatches, remaining } from "./recipients/batch-store.ts";
import { nextStatus } from "./rules/status.ts";

/** The signal that a broadcast may have work to do. It carries no data: the table is the truth. */
export const BROADCASTS_DUE = "broadcasts.due";

const DAY = 86_400_000;
const MOST_AHEAD_DAYS = 366;

const UNSCHEDULED = { send_at: null, local_time: false, send_zone: null };

/** Starts sending. @throws Problem not_found, wrong_status, in_app_disabled, content_missing */
export async function send(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  const next = nextStatus(row.status, "send");
  tx.signal(BROADCASTS_DUE, ["broadcasts"]);
  // A broadcast that was scheduled at each person's own time now goes to all at once.
  return write(tx, { ...(await prepareStart(tx, workspace, row, now)), status: next, ...UNSCHEDULED }, now);
}

/**
 * Returns the row as sending starts: with the versions of its messages and templates, and the moment after which nobody joins
 * the audience. It writes nothing. @throws Problem in_app_disabled, content_missing, template_not_found
 */
export async function prepareStart(tx: Tx, workspace: Workspace, row: BroadcastRow, now: Date): Promise<BroadcastRow> {
  if (row.channel === "in_app") assertAllowed(workspace);
  const editions = await fixVersions(tx, { workspaceId: workspace.id, source: "broadcast" }, editionsOf(row));
  return { ...row, ...editionColumns(editions), started_at: now, next_at: now };
}

/** Schedules sending. @throws Problem as send, and invalid_request for a time that has passed or is more than 366 days ahead */
export async function schedule(
  tx: Tx,
  workspace: Workspace,
  { id, input, now }: { id: string; input: ScheduleInput; now: Date },
): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  const next = nextStatus(row.status, "schedule");
  // A problem that sending would have is reported now.
  await prepareStart(tx, workspace, row, now);
  const { send_at, local_time = false } = input;
  const at = parseInstant(send_at);
  if (at === undefined || at <= now) throw badField("/send_at", "must be in the future");
  if (at.getTime() > now.getTime() + MOST_AHEAD_DAYS * DAY)
    throw badField("/send_at", `must be at most ${MOST_AHEAD_DAYS} days ahead`);
  const due = local_time ? firstDue(at, workspace.timezone) : at;
  tx.signal(BROADCASTS_DUE, ["broadcasts"]);
  // The zone is stored too: a later change of the workspace's zone moves no scheduled broadcast.
  const send_zone = local_time ? workspace.timezone : null;
  return write(tx, { ...row, status: next, send_at: at, local_time, send_zone, next_at: due }, now);
}

/** Pauses it after the batch that is under way. @throws Problem not_found, wrong_status */
export async function pause(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  const done = doneOf(row, (await remaining(tx, row)).people);
  return write(tx, { ...row, done, status: nextStatus(row.status, "pause"), next_at: null, pace: null }, now);
}

/** Continues a paused broadcast. @throws Problem not_found, wrong_status */
export async function resume(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  tx.signal(BROADCASTS_DUE, ["broadcasts"]);
  return write(tx, { ...row, status: nextStatus(row.status, "resume"), next_at: now }, now);
}

/** Cancels it; its deliveries stay. @throws Problem not_found, wrong_status */
export async function cancel(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  return endBroadcast(tx, row, { status: nextStatus(row.status, "cancel"), now });
}

/** Ends a broadcast, and deletes the batches of people who have not had their turn. */
export async function endBroadcast(
  tx: Tx,
  row: BroadcastRow,
  { status, reason = null, now }: { status: BroadcastStatus; reason?: string | null; now: Date },
): Promise<BroadcastRow> {
  const done = doneOf(row, await dropBatches(tx, row));
  await forgetHolders(tx, row);
  progressed(tx, row.workspace_id, encodeId("bc", row.id));
  return write(tx, { ...row, done, status, reason, next_at: null, finished_at: now }, now);
}

/** Returns how many people had their turn. The row's own number is late if a step died after its batches were committed. */
const doneOf = (row: BroadcastRow, left: number): number => (row.collected ? row.total - left : row.done);

/**
 * Takes back the in-app messages that are not dismissed. A broadcast that still sends is canceled first. Open applications remove
 * the messages at once.
 * @throws Problem not_found, wrong_status
 */
export async function recall(
  ground: Ground,
  workspace: Workspace,
  { id, kind, origin }: { id: string; kind: Authored<BroadcastRow>; origin: Origin },
) {
  const now = ground.clock.now();
  const db = inBatchTurns(ground, workspace.id);
  const row = await db.transaction((tx) =>
    changing(tx, kind, { origin, done: "recalled", id, now }, () => markRecalled(tx, workspace, id, now)),
  );
  let recalled = 0;
  for (const messageId of messageIdsOf(editionsOf(row))) {
    const part = await recallAll(db, workspace.id, { messageId, sourceId: row.id }, now);
    recalled += part.recalled;
    if (part.more) return { status: row.status, recalled, more: true };
  }
  return { status: row.status, recalled, more: false };
}

async function markRecalled(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const found = await locked(tx, workspace.id, id);
  if (found.channel !== "in_app")
    throw new Problem("channel_mismatch", `Only in-app broadcasts can be recalled, and this is ${found.channel}.`);
  const next = nextStatus(found.status, "recall");
  const marked = { ...found, recalled_at: found.recalled_at ?? now };
  return next === found.status ? write(tx, marked, now) : endBroadcast(tx, marked, { status: next, now });
}

/** Records a move that the service has made by itself, such as the start of a scheduled broadcast. */
export const recordMove = (
  tx: Tx,
  { workspace_id, id, name, status: from }: BroadcastRow,
  {
    done,
    status: to,
    now,
  }: { done: "started" | "finished" | "canceled" | "failed"; status: BroadcastStatus; now: Date },
): Promise<void> =>
  recordChange(tx, byItself(workspace_id), {
    action: `broadcast.${done}`,
    resource: { type: "broadcast", id: encodeId("bc", id), name },
    changes: [{ field: "/status", from, to }],
    now,
  });
