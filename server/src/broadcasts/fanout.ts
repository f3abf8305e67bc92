import type { Person } from "../people/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { Problem } from "../platform/http/index.ts";
import { type Workspace, workspaceById } from "../workspaces/index.ts";
import { membersFrom } from "./audience.ts";
import { chooser } from "./editions.ts";
import { dueIn } from "./local-time.ts";
import { recipientsOf } from "./merged.ts";
import { begun, ended } from "./moves.ts";
import { queueTo } from "./recipients.ts";
import { paced } from "./rules/pace.ts";
import { moved } from "./status.ts";
import { type BroadcastRow, lockById, write } from "./store.ts";
import { claimDue, cutPage, firstPage, insertPages, putOff } from "./work-store.ts";

// The work of a broadcast, one step at a time. A step is one transaction that holds the broadcast's row:
//
//   start    (scheduled, due) the message's version is fixed
//   collect  a page of the audience is kept, and the cursor moves with it; at the end the total is known
//   fan out  the page that is due first becomes deliveries, and goes with it; after the last the broadcast is sent
//
// There is no lease to renew and no job to lose: the lock is the lease, and PostgreSQL frees it with the connection of a
// process that dies. A step that was cut off has changed nothing, and another process takes it up. A delivery's id is derived from
// broadcast and person, so that even a page that came twice would queue nobody twice.

/** People in a page: some 100 ms where the content is shared. Pause and cancel wait for as long. */
const PAGE = 1_000;
/** Rendered one by one, and kept whole in each row. */
const PUSHED_PAGE = 200;
/** With many zones a page falls into many small ones. */
const LOCAL_PAGE = 5_000;
const SUSPENDED_MS = 60_000;
const FAULT_MS = 5_000;
/** How far a broadcast with a rate may catch up after a pause of the worker, so that it does not burst. */
const CATCH_UP_MS = 5_000;

/** Takes the step that is due first. False where none is, or it failed and must wait. */
export async function step(ground: Ground): Promise<boolean> {
  const now = ground.clock.now();
  let claimed: BroadcastRow | undefined;
  try {
    return await ground.workDb.transaction(async (tx) => {
      claimed = await claimDue(tx, now);
      if (!claimed) return false;
      const workspace = await workspaceById(tx, claimed.workspace_id);
      if (!workspace) return (await putOff(tx, claimed, later(now, SUSPENDED_MS))) > 0;
      await write(tx, await worked(tx, ground, workspace, claimed, now), now);
      return true;
    });
  } catch (error) {
    if (!claimed) throw error;
    return setAside(ground, claimed, error, now);
  }
}

/** Nothing was done. What can't be carried out ends with its reason; anything else is tried again, behind the others. */
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

/** The broadcast after its next step. */
async function worked(tx: Tx, ground: Ground, workspace: Workspace, row: BroadcastRow, now: Date) {
  if (workspace.status === "suspended") return { ...row, next_at: later(now, SUSPENDED_MS) };
  if (row.status === "scheduled") {
    return { ...(await begun(tx, workspace, row, now)), status: moved(row.status, "send") };
  }
  return row.collected ? fannedOut(tx, ground, workspace, row, now) : collected(tx, workspace, row, now);
}

/** Keeps the next page of the audience. Who came after the start is left out, however the page falls. */
async function collected(tx: Tx, workspace: Workspace, row: BroadcastRow, now: Date): Promise<BroadcastRow> {
  const started = row.started_at ?? now;
  const size = row.local_time ? LOCAL_PAGE : PAGE;
  const members = await membersFrom(tx, row, row.cursor, size, started);
  const inTime = members.filter((person) => person.created_at <= started);
  const byDue = Map.groupBy(inTime, (person) => dueOf(row, person, workspace).getTime());
  const pages = [...byDue].map(([due, people]) => ({
    id: newId(),
    dueAt: new Date(due),
    personKeys: people.map((person) => person.person_key),
  }));
  await insertPages(tx, row, pages);
  const total = row.total + inTime.length;
  if (members.length < size) return { ...row, total, collected: true, cursor: null, next_at: now };
  return { ...row, total, cursor: members.at(-1)?.person_key ?? null, next_at: now };
}

function dueOf(row: BroadcastRow, person: Person, workspace: Workspace): Date {
  const start = row.started_at ?? row.created_at;
  if (!row.local_time || row.send_at === null) return start;
  return new Date(
    Math.max(dueIn(person.timezone, row.send_at, row.send_zone ?? workspace.timezone).getTime(), start.getTime()),
  );
}

/** Turns the page that is due first, or as much of it as the rate allows, into deliveries. */
async function fannedOut(tx: Tx, ground: Ground, workspace: Workspace, row: BroadcastRow, now: Date) {
  const page = await firstPage(tx, row);
  if (!page) return { ...row, status: moved(row.status, "finish"), finished_at: now, next_at: null };
  if (page.dueAt > now) return { ...row, next_at: page.dueAt };
  const rate = row.rate_per_second;
  const most = row.channel === "in_app" ? PAGE : PUSHED_PAGE;
  const size = Math.min(page.personKeys.length, most, rate === null ? most : Math.max(1, Math.floor(rate)));
  const keys = page.personKeys.slice(0, size);
  const choose = chooser(row);
  const asked = (await recipientsOf(tx, row, keys)).map((one) => ({ ...one, ...choose(one.person) }));
  const recipients = asked.filter(({ heldOut }) => !heldOut);
  await queueTo(tx, ground, workspace, row, recipients, now);
  await cutPage(tx, row, page, page.personKeys.slice(size));
  const done = row.done + size;
  const progress = {
    done,
    held_out: row.held_out + asked.length - recipients.length,
    pace: paced(row.pace, now, done),
  };
  return { ...row, ...progress, next_at: rate === null ? now : nextBy(row, now, (size / rate) * 1_000) };
}

/** Counted from when this page was due and not from when it was done, so that the rate is kept and not only approached. */
function nextBy({ next_at }: BroadcastRow, now: Date, ms: number): Date {
  const from = Math.max(next_at?.getTime() ?? 0, now.getTime() - CATCH_UP_MS);
  return new Date(from + ms);
}
