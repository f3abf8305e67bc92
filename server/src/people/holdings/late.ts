import type { Ground } from "../../platform/ground.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Job } from "../../platform/work/jobs.ts";
import {
  type Canceled,
  type ConnectedGround,
  type HeldTable,
  heldTables,
  holdInTurns,
  keysIn,
  moveAll,
  personBusy,
} from "../../workspaces/index.ts";
import { announceChanged } from "../profile/changed.ts";
import { findPeopleByKeys } from "../profile/find.ts";
import { eraseAll } from "./erase.ts";
import { erasedSince, forgetErased, lockErasedMark } from "./erase-store.ts";
import { lockPeople, lockForMerge, mergesAfter, type RecordedMerge } from "./merge-store.ts";

// A transaction that writes something of a person, such as an event or a batch of a broadcast, may begin before the person is erased or merged
// and commit after it. To prevent such rows, each of these transactions would have to lock each person. So they are found within a minute:
// those of an erased person are erased, those of a merged person become rows of the person who stayed.

const DAY_MS = 86_400_000;
/** For this long only an explicit call brings an erased person back, and a broadcast can follow a merge. */
const MARKS_MS = 30 * DAY_MS;
/** Longer than a transaction may take. One that began before a person was erased or merged has ended by then. */
const LATE_MS = 15 * 60_000;
/** The most people that one statement asks for. */
const BATCH = 1_000;

/** The time since which erasures and merges may have late rows. */
export const lateSince = (now: Date): Date => new Date(now.getTime() - LATE_MS);

/** The scheduled work of this slice. */
export function jobs(ground: ConnectedGround): Job[] {
  return [
    { name: "people.erase_late.v1", cron: "* * * * *", run: () => eraseLate(ground) },
    { name: "people.forget_erased.v1", cron: "57 3 * * *", run: () => forgetMarks(ground) },
  ];
}

type Late = Pick<ConnectedGround, "workDb" | "clock" | "slices">;

/** Erases what was written of erased people after they were erased. */
export async function eraseLate({ workDb, clock, slices }: Late): Promise<void> {
  for (const { person_key, workspace_id } of await erasedSince(workDb, lateSince(clock.now()))) {
    await workDb.transaction(async (tx) => {
      if (await lockErasedMark(tx, person_key))
        await eraseAll(tx, slices, { workspaceId: workspace_id, personKey: person_key });
    });
  }
}

/** Deletes the marks of erased people that are older than 30 days. */
export async function forgetMarks({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - MARKS_MS);
  await forgetErased(workDb, before);
}

/** Returns the recent merges whose source has rows again. Where somebody has created the source anew, the rows are that person's: that merge is left out. */
export async function lateMerges({ workDb, clock, slices }: Late): Promise<RecordedMerge[]> {
  const merges = await mergesAfter(workDb, lateSince(clock.now()));
  if (merges.length === 0) return [];
  const tables = moved(await heldTables(workDb, slices.held));
  const late: RecordedMerge[] = [];
  for (let at = 0; at < merges.length; at += BATCH) {
    const some = merges.slice(at, at + BATCH);
    const sources = some.map(({ from }) => from);
    const written = await keysIn(workDb, tables, sources);
    const anew = await findPeopleByKeys(workDb, [...written]);
    late.push(...some.filter(({ from }) => written.has(from) && !anew.has(from)));
  }
  return late;
}

/**
 * Gives the rows that were written of a merged person after the merge to the person who stayed. Returns the deliveries that it
 * canceled. @throws Problem person_busy while a worker sends one of them
 */
export async function mergeLate(
  tx: Tx,
  { slices }: Pick<ConnectedGround, "slices">,
  { workspaceId, from, into: to }: RecordedMerge,
  now: Date,
): Promise<Canceled[]> {
  await lockForMerge(tx, workspaceId);
  if (!(await holdInTurns(tx, slices.held, from, to))) throw personBusy();
  const people = (await lockPeople(tx, [from, to])).map((person) => person.person_key);
  // Of a target that was erased meanwhile, the marks concern those who were merged into it, too.
  if (people.includes(from) || !people.includes(to)) return [];
  const canceled = await moveAll(tx, moved(await heldTables(tx, slices.held)), { workspaceId, from, to, now });
  await announceChanged(tx, [{ workspaceId, personKey: to, what: "merged" }]);
  return canceled;
}

/** What late transactions write. A row of `people` would be that of a person who was created anew. */
const moved = (tables: HeldTable[]): HeldTable[] => tables.filter(({ table }) => table !== "people");
