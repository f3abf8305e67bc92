import type { Queries, Tx } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import {
  type Canceled,
  type ConnectedGround,
  heldTables,
  holdInTurns,
  moveAll,
  personBusy,
  personKey,
} from "../../workspaces/index.ts";
import { announceChanged } from "../profile/changed.ts";
import { findPersonByKey } from "../profile/find.ts";
import type { Profile } from "../profile/store.ts";
import {
  completeTarget,
  lockForMerge,
  lockPeople,
  type Merge,
  mergedInto,
  mergesOf,
  preventMerges,
  recordMerge,
} from "./merge-store.ts";
import { mergedStates } from "./merged-states.ts";

/** The result of a merge. */
export interface Merged {
  person: Profile;
  /** Queued deliveries of a broadcast that both people have. They are the target's now. */
  canceled: Canceled[];
}

/**
 * Makes two people one: the source's devices, events, deliveries, log and all other rows with a person's key become the target's, whose
 * attributes win, and the source is deleted. Each slice moves its own rows. Only an explicit call merges people.
 * @throws Problem same_person, person_not_found, person_busy while a worker sends something to the source
 */
export async function mergePeople(
  tx: Tx,
  { slices }: Pick<ConnectedGround, "slices">,
  { workspaceId, sourceId, targetId, now }: { workspaceId: string; sourceId: string; targetId: string; now: Date },
): Promise<Merged> {
  if (sourceId === targetId)
    throw new Problem("same_person", "`into` names the same person. Name the other person, who will stay.");
  const [from, to] = [personKey(workspaceId, sourceId), personKey(workspaceId, targetId)];
  await lockForMerge(tx, workspaceId);
  if (!(await holdInTurns(tx, slices.held, from, to))) throw personBusy();
  const people = new Map((await lockPeople(tx, [from, to])).map((person) => [person.person_key, person]));
  const [source, target] = [people.get(from), people.get(to)];
  if (!source) throw unknown("This workspace does not know the person to merge.");
  if (!target) throw unknown("This workspace does not know the person in `into`. Identify the person first.");

  const canceled = await moveAll(tx, await heldTables(tx, slices.held), { workspaceId, from, to, now });
  await recordMerge(tx, workspaceId, { from, to, now });
  const [person] = await completeTarget(tx, { target, source, states: mergedStates(target, source), now });
  await announceChanged(tx, [
    { workspaceId, personKey: from, what: "erased" },
    { workspaceId, personKey: to, what: "merged" },
  ]);
  return { person: person as Profile, canceled };
}

const unknown = (detail: string) => new Problem("person_not_found", detail);

/** Returns the key of the person who stayed, for that of a person who was merged and whom nobody created anew; undefined for anybody else. */
export async function whoStayed(q: Queries, workspaceId: string, key: string): Promise<string | undefined> {
  const [stayed, anew] = await Promise.all([mergedInto(q, workspaceId, key), findPersonByKey(q, workspaceId, key)]);
  return anew ? undefined : stayed;
}

/** More than the clocks of two processes may differ. */
const SKEW_MS = 60_000;

/**
 * Returns the merges since a time that concern these keys, the latest first: into these people, of these people, and all others into the
 * same targets. Merges wait until the transaction ends, so that decisions by these stay true.
 */
export async function mergesSince(tx: Tx, workspaceId: string, keys: string[], since: Date): Promise<Merge[]> {
  // Both are sent together: the second begins when the first has its lock, and sees all merges that were committed until then.
  const [, merges] = await Promise.all([
    preventMerges(tx, workspaceId),
    mergesOf(tx, workspaceId, keys, new Date(since.getTime() - SKEW_MS)),
  ]);
  return merges;
}
