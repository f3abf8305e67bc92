import type { OutboundGround } from "../../outbound/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { atMost } from "../../platform/limits/at-most.ts";
import {
  chooser,
  dueTimes,
  isHeldOut,
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
import { begun, ended } from "../moves.ts";
import { chooseAmong, doublesAmong, forgetChoices } from "../recipients/addresses.ts";
import { recipientsOf } from "../recipients/merged.ts";
import { cutPage, insertPages, still, takePage } from "../recipients/page-store.ts";
import { paced } from "../rules/pace.ts";
import { moved } from "../rules/status.ts";
import { claimDue, putOff } from "./work-store.ts";

// The work of a broadcast, one step at a time. A step holds the broadcast's row in a transaction of its own:
//
//   start    (scheduled, due) the message's version is fixed
//   collect  the next part of the audience is kept as pages, and the cursor moves with it; at the end the total is known
//   fan out  pages that are due become deliveries, each in a transaction with which it goes; after the last the broadcast
//            is sent
//
// There is no lease to renew and no job to lose: the lock is the lease, and PostgreSQL frees it with the connection of a
// process that dies. A page that was cut off has changed nothing and is there still. How many are done is not counted but
// follows from the pages that are left, so a step that dies behind its pages loses nothing either. A delivery's id is derived from
// broadcast and person, so that even a page that came twice would queue nobody twice.
//
// Two pages are under way at once, so that PostgreSQL writes the one while the other is read and put together here: alone
// each would have one of two processors idle.

/** People in a page. What is under way is copied whenever memory is tidied up, and requests wait for that: larger ones gain nothing else. */
const PAGE = 500;
/** Rendered one by one, and kept whole in each row. */
const PUSHED_PAGE = 200;
/** Of the audience in one step. With many zones they fall into many small pages. */
const COLLECTED = 10_000;
/** Pages at once. A third would take connections from other work, and time from requests. */
const LANES = 2;
/** A step takes pages for so long. Pause, cancel and other broadcasts wait for it, and for a page more. */
const STEP_MS = 150;
const SUSPENDED_MS = 60_000;
const FAULT_MS = 5_000;
/** All pages that are due are held by a process that has lost its row, and so is about to end. */
const HELD_MS = 250;
/** How far a broadcast with a rate may catch up after a pause of the worker, so that it does not burst. */
const CATCH_UP_MS = 5_000;

/**
 * Takes the step that is due first. False where none is, or it failed and must wait.
 * @param ms for how long it takes pages; 0: one in each lane
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
      if (workspace.status === "suspended") return held(tx, workspace, claimed, now);
      const after = await worked(tx, { ground, workspace, row: claimed, now, ms });
      await (claimed.status === "scheduled" ? write : advance)(tx, after, now);
      return true;
    });
  } catch (error) {
    if (!claimed) throw error;
    return setAside(ground, claimed, error, now);
  }
}

/** Of a suspended workspace it waits, and is canceled when that lasts. */
async function held(tx: Tx, workspace: Workspace, row: BroadcastRow, now: Date): Promise<boolean> {
  if (!isLongSuspended(workspace, now)) return (await putOff(tx, row, later(now, SUSPENDED_MS))) > 0;
  await ended(tx, row, moved(row.status, "cancel"), now, "workspace_suspended");
  return true;
}

/** Pages that were done stay done. What can't be carried out ends with its reason; anything else is tried again, behind the others. */
async function setAside({ workDb, log }: Ground, row: BroadcastRow, error: unknown, now: Date): Promise<boolean> {
  if (!(error instanceof Problem) || error.status >= 500) {
    log.warn({ broadcast_id: encodeId("bc", row.id), err: String(error) }, "a page of a broadcast must be repeated");
    await putOff(workDb, row, later(now, FAULT_MS));
    return false;
  }
  await workDb.transaction(async (tx) => {
    const found = await lockById(tx, row.workspace_id, row.id);
    if (found?.status !== row.status) return;
    await ended(tx, found, moved(found.status, "fail"), now, `${error.code}: ${error.message}`);
  });
  return true;
}

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** What a step is taken with. */
interface Step {
  ground: OutboundGround;
  workspace: Workspace;
  row: BroadcastRow;
  now: Date;
  ms: number;
}

/** What all pages of a step are sent with. */
interface Pages extends Step {
  sending: Sending;
  /** Whether more of a person is needed than their states. */
  whole: boolean;
  choose: ReturnType<typeof chooser>;
}

/** The broadcast after its next step. */
async function worked(tx: Tx, step: Step): Promise<BroadcastRow> {
  const { workspace, row, now } = step;
  if (row.status === "scheduled") {
    return { ...(await begun(tx, workspace, row, now)), status: moved(row.status, "send") };
  }
  return row.collected ? fannedOut(tx, step) : collected(tx, workspace, row, now);
}

/** Keeps the next part of the audience, without those who are held out. Who came after the start is left out, however it falls. */
async function collected(tx: Tx, workspace: Workspace, row: BroadcastRow, now: Date): Promise<BroadcastRow> {
  const members = await keysFrom(tx, row, row.cursor, COLLECTED, row.started_at ?? now);
  const sending = sendingOf(row);
  const meant = members.filter((person) => !isHeldOut(sending, person.person_key));
  const dueOf = dues(row, workspace);
  const pages = [...Map.groupBy(meant, (person) => dueOf(person.timezone))].flatMap(([due, people]) =>
    chunked(people, PAGE).map((part) => ({
      id: newId(),
      dueAt: new Date(due),
      personKeys: part.map((person) => person.person_key),
    })),
  );
  await insertPages(tx, row, pages);
  await chooseAmong(
    tx,
    row,
    meant.map((person) => person.person_key),
  );
  // Who is held out has had their turn with this.
  const heldOut = row.held_out + members.length - meant.length;
  const counts = { total: row.total + members.length, held_out: heldOut, done: heldOut };
  if (members.length < COLLECTED) return { ...row, ...counts, collected: true, cursor: null, next_at: now };
  return { ...row, ...counts, cursor: members.at(-1)?.person_key ?? null, next_at: now };
}

const chunked = <T>(list: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/** When people of a zone are due. */
function dues(row: BroadcastRow, workspace: Workspace): (zone: string | null) => number {
  const start = row.started_at ?? row.created_at;
  if (!row.local_time || row.send_at === null) return () => start.getTime();
  return dueTimes(row.send_at, row.send_zone ?? workspace.timezone, start);
}

/** Turns pages that are due into deliveries, in two lanes at once; with a rate, as much of one page as it allows. */
async function fannedOut(tx: Tx, step: Step): Promise<BroadcastRow> {
  const { row, now } = step;
  const rate = row.rate_per_second;
  const sending = sendingOf(row);
  const whole = await needsFullPeople(tx, step.workspace, sending);
  const pages = { ...step, sending, whole, choose: chooser(sending) };
  const lanes = Array.from({ length: row.channel === "in_app" && rate === null ? LANES : 1 });
  const sent = (await atMost(LANES, lanes, () => lane(pages))).reduce((sum, size) => sum + size, 0);
  const left = await still(tx, row);
  const done = row.total - left.people;
  const after = { ...row, done, pace: paced(row.pace, now, done) };
  if (left.dueAt === null) await forgetChoices(tx, row);
  if (left.dueAt === null) {
    const reason = after.total === 0 ? "audience_empty" : null;
    return { ...after, status: moved(row.status, "finish"), reason, finished_at: now, next_at: null };
  }
  if (left.dueAt > now) return { ...after, next_at: left.dueAt };
  if (sent === 0) return { ...after, next_at: later(now, HELD_MS) };
  return { ...after, next_at: rate === null ? now : nextBy(row, now, (sent / rate) * 1_000) };
}

/** Takes page after page while there is time. Gives how many people they had. */
async function lane(pages: Pages): Promise<number> {
  const until = performance.now() + pages.ms;
  let sent = 0;
  do {
    const size = await pages.ground.workDb.transaction((tx) => onePage(tx, pages));
    if (size === 0) break;
    sent += size;
  } while (pages.row.rate_per_second === null && performance.now() < until);
  return sent;
}

async function onePage(tx: Tx, pages: Pages): Promise<number> {
  const { row, now, whole, choose } = pages;
  const page = await takePage(tx, row, now);
  if (!page) return 0;
  const most = row.channel === "in_app" ? PAGE : PUSHED_PAGE;
  const size = Math.min(page.personKeys.length, most, Math.max(1, Math.floor(row.rate_per_second ?? most)));
  const recipients = await recipientsOf(tx, row, page.personKeys.slice(0, size), whole);
  const meant = recipients.map((one) => ({ ...one, edition: choose(one.person).edition }));
  // Sent ahead: where it fails, so does everything behind it in the transaction.
  const cut = cutPage(tx, row, page, page.personKeys.slice(size));
  cut.catch(() => {});
  await queueTo(tx, pages.ground, pages, await withRefusals(tx, pages, meant));
  await cut;
  return size;
}

/** The recipients with the reasons of those who get nothing. */
async function withRefusals(tx: Tx, { row, sending }: Pages, meant: Recipient[]): Promise<Recipient[]> {
  const reasons = await refusals(tx, sending, meant);
  const willing = meant.filter((_, i) => reasons[i] === undefined).map(({ person }) => person);
  const doubles = await doublesAmong(tx, row, willing);
  return meant.map((one, i) => ({
    ...one,
    refused: reasons[i] ?? (doubles.has(one.person.person_key) ? "same_address" : undefined),
  }));
}

/** Counted from when this page was due and not from when it was done, so that the rate is kept and not only approached. */
function nextBy({ next_at }: BroadcastRow, now: Date, ms: number): Date {
  const from = Math.max(next_at?.getTime() ?? 0, now.getTime() - CATCH_UP_MS);
  return new Date(from + ms);
}
