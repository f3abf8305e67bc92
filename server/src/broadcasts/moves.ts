import type { BroadcastStatus, ScheduleInput } from "@tidings/contract/messages/broadcasts";
import { assertAllowed, recallAll } from "../inapp/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { badField, Problem } from "../platform/http/index.ts";
import { inBatchTurns } from "../platform/limits/shares.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { firstDue, fixVersions, messageIdsOf } from "../sendings/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { locked } from "./definition/broadcast.ts";
import { editionColumns, editionsOf } from "./definition/sending.ts";
import { type BroadcastRow, write } from "./definition/store.ts";
import { forgetChoices } from "./recipients/addresses.ts";
import { dropPages, still } from "./recipients/page-store.ts";
import { moved } from "./rules/status.ts";

/** Signal that a broadcast has something to do. It carries nothing else: the table is the truth. */
export const DUE = "broadcasts.due";

const DAY = 86_400_000;
const MOST_AHEAD_DAYS = 366;

const AT_ONCE = { send_at: null, local_time: false, send_zone: null };

/** Starts sending. @throws Problem not_found, wrong_status, in_app_disabled, content_missing */
export async function send(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  const next = moved(row.status, "send");
  tx.signal(DUE, ["broadcasts"]);
  // Now is now: what was scheduled at each person's own time goes to all at once.
  return write(tx, { ...(await begun(tx, workspace, row, now)), status: next, ...AT_ONCE }, now);
}

/**
 * What is fixed when sending starts: the version of each message and template, and the moment from which on nobody joins the
 * audience. @throws Problem in_app_disabled, content_missing, template_not_found
 */
export async function begun(tx: Tx, workspace: Workspace, row: BroadcastRow, now: Date): Promise<BroadcastRow> {
  if (row.channel === "in_app") assertAllowed(workspace);
  const content0 = await fixVersions(tx, { workspaceId: workspace.id, source: "broadcast" }, editionsOf(row));
  return { ...row, ...editionColumns(content0), started_at: now, next_at: now };
}

/** Sends later. @throws Problem as send, and invalid_request for a time that has passed or is more than 366 days ahead */
export async function schedule(
  tx: Tx,
  workspace: Workspace,
  id: string,
  { send_at, local_time = false }: ScheduleInput,
  now: Date,
): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  const next = moved(row.status, "schedule");
  // What would fail when its time comes is told now.
  await begun(tx, workspace, row, now);
  const at = parseInstant(send_at);
  if (at === undefined || at <= now) throw badField("/send_at", "must be in the future");
  if (at.getTime() > now.getTime() + MOST_AHEAD_DAYS * DAY)
    throw badField("/send_at", `must be at most ${MOST_AHEAD_DAYS} days ahead`);
  const due = local_time ? firstDue(at, workspace.timezone) : at;
  tx.signal(DUE, ["broadcasts"]);
  // The zone, too: whoever changes the workspace's later does not mean this one.
  const send_zone = local_time ? workspace.timezone : null;
  return write(tx, { ...row, status: next, send_at: at, local_time, send_zone, next_at: due }, now);
}

/** Holds it after the page that is under way. @throws Problem not_found, wrong_status */
export async function pause(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  const done = doneOf(row, (await still(tx, row)).people);
  return write(tx, { ...row, done, status: moved(row.status, "pause"), next_at: null, pace: null }, now);
}

/** Goes on where it was. @throws Problem not_found, wrong_status */
export async function resume(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  tx.signal(DUE, ["broadcasts"]);
  return write(tx, { ...row, status: moved(row.status, "resume"), next_at: now }, now);
}

/** Ends it; what is out stays. @throws Problem not_found, wrong_status */
export async function cancel(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<BroadcastRow> {
  const row = await locked(tx, workspace.id, id);
  return ended(tx, row, moved(row.status, "cancel"), now);
}

/** Ends it, with the people who will get nothing more forgotten. */
export async function ended(
  tx: Tx,
  row: BroadcastRow,
  status: BroadcastStatus,
  now: Date,
  reason: string | null = null,
): Promise<BroadcastRow> {
  const done = doneOf(row, await dropPages(tx, row));
  await forgetChoices(tx, row);
  return write(tx, { ...row, done, status, reason, next_at: null, finished_at: now }, now);
}

/** How many had their turn. The row lags behind where a step died after its pages were committed. */
const doneOf = (row: BroadcastRow, left: number): number => (row.collected ? row.total - left : row.done);

/**
 * Takes back what is out and not dismissed; what still sends is canceled first. Open applications drop it at once.
 * @throws Problem not_found, wrong_status
 */
export async function recall(ground: Ground, workspace: Workspace, id: string) {
  const now = ground.clock.now();
  const db = inBatchTurns(ground, workspace.id);
  const row = await db.transaction(async (tx) => {
    const found = await locked(tx, workspace.id, id);
    if (found.channel !== "in_app")
      throw new Problem("channel_mismatch", `Only in-app broadcasts can be recalled, and this is ${found.channel}.`);
    const next = moved(found.status, "recall");
    const marked = { ...found, recalled_at: found.recalled_at ?? now };
    return next === found.status ? write(tx, marked, now) : ended(tx, marked, next, now);
  });
  let recalled = 0;
  for (const messageId of messageIdsOf(editionsOf(row))) {
    const part = await recallAll(db, workspace.id, { messageId, sourceId: row.id }, now);
    recalled += part.recalled;
    if (part.more) return { status: row.status, recalled, more: true };
  }
  return { status: row.status, recalled, more: false };
}
