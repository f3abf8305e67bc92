import type { OutboundGround } from "../../outbound/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { atMost } from "../../platform/limits/at-most.ts";
import { progressed } from "../../platform/resources/progress.ts";
import {
  chooser,
  dueTimes,
  isHeldOut,
  lockLimits,
  needsFullPeople,
  queueTo,
  type Recipient,
  refusals,
  type Sending,
} from "../../sendings/index.ts";
import { isLongSuspended, type Workspace, workspaceById } from "../../workspaces/index.ts";
import { keysFrom } from "../definition/audience.ts";
import { sendingOf } from "../definition/sending.ts";
import { advance, type BroadcastRow, lockById, write } from "../definition/store.ts";
import { endBroadcast, prepareStart, recordMove } from "../lifecycle.ts";
import { chooseHolders, doublesAmong, forgetHolders } from "../recipients/addresses.ts";
import { cutBatch, remaining, storeBatches, takeBatch } from "../recipients/batch-store.ts";
import { windowOpening, withoutHeld } from "../recipients/held.ts";
import { recipientsOf } from "../recipients/merged.ts";
import { paced } from "../rules/pace.ts";
import { nextStatus } from "../rules/status.ts";
import { claimDue, putOff } from "./work-store.ts";

// Carries out a broadcast, one step at a time. A step locks the broadcast's row in a transaction of its own:
//
//   start    a scheduled broadcast that is due fixes the versions of its messages and templates
//   collect  the next part of the audience is stored as batches, and the cursor moves on; at the end the total is known
//   fan out  batches that are due become deliveries; one transaction queues the deliveries of a batch and deletes it. After the
//            last batch the broadcast is sent
//
// The row lock replaces a lease and a job: PostgreSQL frees it with the connection of a process that dies. A batch that was
// interrupted has changed nothing and is still there. The number of people who are done is not counted: it is the total less the
// people in the remaining batches, so it is right even if a step dies after its batches were committed. A delivery's id is
// derived from broadcast and person, so even a batch that ran twice would queue nobody twice.
//
// Two lines of batches run at once: PostgreSQL writes one batch while this process reads and prepares the other. With one line,
// one of two processors would be idle.

/** People in a batch. Garbage collection copies the batches under way while requests wait, and larger batches are not faster. */
const BATCH = 500;
/** People in a batch of the outbound channels, whose messages are rendered one by one and stored whole in each row. */
const PUSHED_BATCH = 200;
/** People who are collected in one step. In local time they fall into many small batches, by zone. */
const COLLECTED = 10_000;
/** Batches at once. A third would take connections from other work, and time from requests. */
const LINES = 2;
/** For how long a step takes batches. Pause, cancel and other broadcasts wait until it ends, which is up to one batch later. */
const STEP_MS = 150;
const SUSPENDED_MS = 60_000;
const FAULT_MS = 5_000;
/** The wait when another process holds all batches that are due. It has lost the broadcast's row, so it is about to end. */
const HELD_MS = 250;
/** How much time a broadcast with a rate may make up after a pause of the worker. The limit prevents a burst. */
const CATCH_UP_MS = 5_000;

/**
 * Takes the step that is due first. Returns false if none is due, or if the step failed and will be repeated later.
 * @param ms for how long it takes batches; 0: one in each line
 */
export async function step(ground: OutboundGround, ms: number = STEP_MS): Promise<boolean> {
  const now = ground.clock.now();
  let claimed: BroadcastRow | undefined;
  try {
    return await ground.workDb.transaction(async (tx) => {
      claimed = await claimDue(tx, now);
      if (!claimed) return false;
      const workspace = await workspaceById(tx, claimed.workspace_id);
      if (!workspace) return (await putOff(tx, claimed, later(now, SUSPENDED_MS))) > 0;
      if (workspace.status === "suspended") return holdSuspended(tx, workspace, claimed, now);
      const after = await takeStep(tx, { ground, workspace, row: claimed, now, ms });
      await (claimed.status === "scheduled" ? write : advance)(tx, after, now);
      if (after.status !== claimed.status) {
        const done = claimed.status === "scheduled" ? "started" : "finished";
        await recordMove(tx, claimed, { done, status: after.status, now });
      }
      progressed(tx, workspace.id, encodeId("bc", claimed.id));
      return true;
    });
  } catch (error) {
    if (!claimed) throw error;
    return handleFailure(ground, claimed, error, now);
  }
}

/** Delays a broadcast of a suspended workspace, and cancels it when the suspension lasts. */
async function holdSuspended(tx: Tx, workspace: Workspace, row: BroadcastRow, now: Date): Promise<boolean> {
  if (!isLongSuspended(workspace, now)) return (await putOff(tx, row, later(now, SUSPENDED_MS))) > 0;
  const status = nextStatus(row.status, "cancel");
  await endBroadcast(tx, row, { status, reason: "workspace_suspended", now });
  await recordMove(tx, row, { done: "canceled", status, now });
  return true;
}

/**
 * Ends a broadcast with its reason if it can't be carried out; after any other error the step is repeated later. Batches that were
 * committed stay done.
 */
async function handleFailure({ workDb, log }: Ground, row: BroadcastRow, error: unknown, now: Date): Promise<boolean> {
  if (!(error instanceof Problem) || error.status >= 500) {
    log.warn(
      { broadcast_id: encodeId("bc", row.id), err: String(error) },
      "a step of a broadcast failed and will be repeated",
    );
    await putOff(workDb, row, later(now, FAULT_MS));
    return false;
  }
  await workDb.transaction(async (tx) => {
    const found = await lockById(tx, row.workspace_id, row.id);
    if (found?.status !== row.status) return;
    const status = nextStatus(found.status, "fail");
    await endBroadcast(tx, found, { status, reason: `${error.code}: ${error.message}`, now });
    await recordMove(tx, found, { done: "failed", status, now });
  });
  return true;
}

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

interface StepContext {
  ground: OutboundGround;
  workspace: Workspace;
  row: BroadcastRow;
  now: Date;
  ms: number;
}

interface BatchContext extends StepContext {
  sending: Sending;
  /** Whether the people are read with their attributes and addresses; if not, only their states. */
  fullPeople: boolean;
  choose: ReturnType<typeof chooser>;
}

/** Returns the broadcast after its next step. */
async function takeStep(tx: Tx, context: StepContext): Promise<BroadcastRow> {
  const { workspace, row, now } = context;
  if (row.status === "scheduled") {
    return { ...(await prepareStart(tx, workspace, row, now)), status: nextStatus(row.status, "send") };
  }
  return row.collected ? fanOut(tx, context) : collect(tx, workspace, row, now);
}

/** Stores the next part of the audience as batches, without people who are held out or who joined after the start. */
async function collect(tx: Tx, workspace: Workspace, row: BroadcastRow, now: Date): Promise<BroadcastRow> {
  const members = await keysFrom(tx, row, {
    cursor: row.cursor,
    limit: COLLECTED,
    now: row.started_at ?? now,
  });
  const sending = sendingOf(row);
  const meant = members.filter((person) => !isHeldOut(sending, person.person_key));
  const turnOf = await turnsOf(tx, row, workspace);
  const batches = [...Map.groupBy(meant, (person) => turnOf(person.timezone).name).values()].flatMap((people) =>
    chunked(people, BATCH).map((part) => ({
      id: newId(),
      dueAt: new Date(turnOf(people[0]?.timezone ?? null).due),
      personKeys: part.map((person) => person.person_key),
    })),
  );
  await storeBatches(tx, row, batches);
  await chooseHolders(
    tx,
    row,
    meant.map((person) => person.person_key),
  );
  // People who are held out count as done.
  const heldOut = row.held_out + members.length - meant.length;
  const counts = { total: row.total + members.length, held_out: heldOut, done: heldOut };
  if (members.length < COLLECTED) return { ...row, ...counts, collected: true, cursor: null, next_at: now };
  return { ...row, ...counts, cursor: members.at(-1)?.person_key ?? null, next_at: now };
}

const chunked = <T>(list: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/** When people have their turn, in milliseconds since 1970. People with the same name of it are due, and have their window open, at once. */
interface Turn {
  due: number;
  name: string;
}

/** Returns a function that tells when people of a zone have their turn. */
async function turnsOf(tx: Tx, row: BroadcastRow, workspace: Workspace): Promise<(zone: string | null) => Turn> {
  const start = row.started_at ?? row.created_at;
  const opens = await windowOpening(tx, workspace, sendingOf(row));
  const atOnce = !row.local_time || row.send_at === null;
  const dueOf = atOnce
    ? () => start.getTime()
    : dueTimes(row.send_at as Date, row.send_zone ?? workspace.timezone, start);
  return (zone) => {
    const due = dueOf(zone);
    return { due, name: `${due} ${opens(due, zone)}` };
  };
}

/** Turns batches that are due into deliveries, in two lines at once; with a rate, as much of one batch as the rate allows. */
async function fanOut(tx: Tx, context: StepContext): Promise<BroadcastRow> {
  const { row, now } = context;
  const rate = row.rate_per_second;
  const sending = sendingOf(row);
  const fullPeople = await needsFullPeople(tx, context.workspace, sending);
  const batches = { ...context, sending, fullPeople, choose: chooser(sending) };
  const lines = Array.from({ length: row.channel === "in_app" && rate === null ? LINES : 1 });
  const taken = await atMost(LINES, lines, () => takeLine(batches));
  const turns = taken.reduce((sum, { size }) => sum + size, 0);
  // People who wait for their window don't use up the rate.
  const sent = taken.reduce((sum, { size, moved }) => sum + size - moved, 0);
  const left = await remaining(tx, row);
  const done = row.total - left.people;
  const after = { ...row, done, pace: paced(row.pace, now, done) };
  if (left.dueAt === null) await forgetHolders(tx, row);
  if (left.dueAt === null) {
    const reason = after.total === 0 ? "audience_empty" : null;
    return { ...after, status: nextStatus(row.status, "finish"), reason, finished_at: now, next_at: null };
  }
  // The pace of those who had their turn tells nothing about the end.
  if (left.dueAt > now) return { ...after, pace: null, next_at: left.dueAt };
  if (turns === 0) return { ...after, next_at: later(now, HELD_MS) };
  return { ...after, next_at: rate === null ? now : nextDue(row, now, (sent / rate) * 1_000) };
}

/** How many people had their turn, and how many of them wait for their window. */
interface Taken {
  size: number;
  moved: number;
}

/** Queues batch after batch while there is time. */
async function takeLine(context: BatchContext): Promise<Taken> {
  const until = performance.now() + context.ms;
  const taken = { size: 0, moved: 0 };
  do {
    const { size, moved } = await context.ground.workDb.transaction((tx) => queueBatch(tx, context));
    if (size === 0) break;
    taken.size += size;
    taken.moved += moved;
  } while (context.row.rate_per_second === null && performance.now() < until);
  return taken;
}

/** Queues the next batch. It has no people if no batch is due and free. */
async function queueBatch(tx: Tx, context: BatchContext): Promise<Taken> {
  const { row, now, workspace, sending, fullPeople, choose } = context;
  const batch = await takeBatch(tx, row, now);
  if (!batch) return { size: 0, moved: 0 };
  const most = row.channel === "in_app" ? BATCH : PUSHED_BATCH;
  const size = Math.min(batch.personKeys.length, most, Math.max(1, Math.floor(row.rate_per_second ?? most)));
  const recipients = await recipientsOf(tx, row, batch.personKeys.slice(0, size), fullPeople);
  const meant = recipients.map((one) => ({ ...one, edition: choose(one.person).edition }));
  // This statement is sent before those of queueTo and not awaited: if it fails, all later ones of the transaction fail too.
  const cut = cutBatch(tx, row, batch, batch.personKeys.slice(size));
  cut.catch(() => {});
  const keys = meant.map(({ person }) => person.person_key);
  const heldBack = await lockLimits(tx, workspace, keys);
  const decided = await withRefusals(tx, context, meant);
  const { left: reached, moved } = await withoutHeld(tx, { row, sending, now, heldBack }, decided);
  await queueTo(tx, context.ground, context, reached);
  await cut;
  return { size, moved };
}

/** Returns the recipients, with a reason for each who gets nothing. */
async function withRefusals(tx: Tx, { row, sending }: BatchContext, meant: Recipient[]): Promise<Recipient[]> {
  const reasons = await refusals(tx, sending, meant);
  const willing = meant.filter((_, i) => reasons[i] === undefined).map(({ person }) => person);
  const doubles = await doublesAmong(tx, row, willing);
  return meant.map((one, i) => ({
    ...one,
    refused: reasons[i] ?? (doubles.has(one.person.person_key) ? "same_address" : undefined),
  }));
}

/** Returns when the next step is due, `ms` after this one was due. Counted from its end, a broadcast would be slower than its rate. */
function nextDue({ next_at }: BroadcastRow, now: Date, ms: number): Date {
  const from = Math.max(next_at?.getTime() ?? 0, now.getTime() - CATCH_UP_MS);
  return new Date(from + ms);
}
