import type { Tx } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { personKey } from "../../workspaces/index.ts";
import { dropDevicesBeyond, MOST_DEVICES } from "../devices/devices-store.ts";
import type { Profile } from "../profile/store.ts";
import { LOOK_AGAIN } from "./erase.ts";
import {
  type Canceled,
  cancelCopies,
  copiesOf,
  holdDue,
  holdMerges,
  keepMerge,
  liveOf,
  lockPeople,
  mergeCaps,
  mergeCounts,
  mergesOf,
  takeOn,
  turnToMerge,
} from "./merge-store.ts";
import { doubles } from "./merged-copies.ts";
import { mergedStates } from "./merged-states.ts";
import { deleteRows, moveRows, personTables } from "./tables-store.ts";

/** Tables whose rows of two people are made into one row, each in its own way. */
const FOLDED = new Set(["people", "in_app_caps", "in_app_counts"]);

export interface Merged {
  person: Profile;
  /** What waited of a broadcast that both got. They are the target's now. */
  canceled: Canceled[];
}

/**
 * Makes two people one: devices, events, deliveries, the log and all else that has a person's key become the target's, whose
 * attributes win, and the source is gone. Live in-app messages move; of a broadcast that both got one copy stays. A call
 * that is meant: nothing merges by itself.
 * @throws Problem same_person, person_not_found, person_busy while a worker sends something to the source
 */
export async function mergePeople(
  tx: Tx,
  workspaceId: string,
  sourceId: string,
  targetId: string,
  now: Date,
): Promise<Merged> {
  if (sourceId === targetId)
    throw new Problem("same_person", "`into` names the same person. Name the other one, who is to stay.");
  const [from, to] = [personKey(workspaceId, sourceId), personKey(workspaceId, targetId)];
  await turnToMerge(tx, workspaceId);
  // Deliveries before people, in the order of all who lock both.
  if (!(await holdDue(tx, from)))
    throw new Problem(
      "person_busy",
      "Messages are being sent to this person just now. Repeat the call after a minute.",
      {
        headers: { "retry-after": "60" },
      },
    );
  const people = new Map((await lockPeople(tx, [from, to])).map((person) => [person.person_key, person]));
  const [source, target] = [people.get(from), people.get(to)];
  if (!source) throw unknown("The person to merge is not known in this workspace.");
  if (!target) throw unknown("The person in `into` is not known in this workspace. Identify them first.");

  const twice = doubles(await copiesOf(tx, from), await copiesOf(tx, to));
  const canceled = [...(await cancelCopies(tx, from, twice.source)), ...(await cancelCopies(tx, to, twice.target))];
  const live = await liveOf(tx, from);
  const tables = await personTables(tx);
  for (const table of tables) if (!FOLDED.has(table.name)) await moveRows(tx, table, from, to);
  await dropDevicesBeyond(tx, to, MOST_DEVICES);
  await keepMerge(tx, workspaceId, from, to, now);
  await mergeCaps(tx, from, to);
  await mergeCounts(tx, from, to);
  for (const table of tables) if (table.name === "people") await deleteRows(tx, table, from);
  const [person] = await takeOn(tx, target, source, mergedStates(target, source), now);
  const moved = [...live, ...canceled.map((one) => one.id)];
  if (moved.length > 0)
    tx.signal(
      LOOK_AGAIN,
      moved.flatMap((id) => [`${from}:${id}`, `${to}:${id}`]),
    );
  return { person: person as Profile, canceled };
}

const unknown = (detail: string) => new Problem("person_not_found", detail);

/** How far the clocks of two processes may be apart, and some. */
const SKEW_MS = 60_000;

/** A merge: the key of who is gone, and of who has all of theirs. */
export interface Merge {
  from: string;
  into: string;
}

/**
 * The merges since an instant that concern these keys, the latest first: into these people, of these people, and all others
 * into those who took them on. No other comes before the transaction ends, so that what is decided by them stays true: a
 * merge waits for it.
 */
export async function mergesSince(tx: Tx, workspaceId: string, keys: string[], since: Date): Promise<Merge[]> {
  // Sent together: the second begins when the first has what it waits for, and sees all that was committed until then.
  const [, merges] = await Promise.all([
    holdMerges(tx, workspaceId),
    mergesOf(tx, workspaceId, keys, new Date(since.getTime() - SKEW_MS)),
  ]);
  return merges;
}
