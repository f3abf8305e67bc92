import type { Tx } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { type Canceled, type ConnectedGround, personKey, heldTables } from "../../workspaces/index.ts";
import { tellChanged } from "../profile/changed.ts";
import type { Profile } from "../profile/store.ts";
import { holdMerges, keepMerge, lockPeople, mergesOf, takeOn, turnToMerge } from "./merge-store.ts";
import { mergedStates } from "./merged-states.ts";

export interface Merged {
  person: Profile;
  /** What waited of a broadcast that both got. They are the target's now. */
  canceled: Canceled[];
}

/**
 * Makes two people one: devices, events, deliveries, the log and all else that has a person's key become the target's, whose
 * attributes win, and the source is gone. Each slice moves its own rows. A call that is meant: nothing merges by itself.
 * @throws Problem same_person, person_not_found, person_busy while a worker sends something to the source
 */
export async function mergePeople(
  tx: Tx,
  { slices }: Pick<ConnectedGround, "slices">,
  { workspaceId, sourceId, targetId, now }: { workspaceId: string; sourceId: string; targetId: string; now: Date },
): Promise<Merged> {
  if (sourceId === targetId)
    throw new Problem("same_person", "`into` names the same person. Name the other one, who is to stay.");
  const [from, to] = [personKey(workspaceId, sourceId), personKey(workspaceId, targetId)];
  await turnToMerge(tx, workspaceId);
  // Deliveries before people, in the order of all who lock both.
  for (const one of slices.held) if (one.hold && !(await one.hold(tx, from))) throw busy();
  const people = new Map((await lockPeople(tx, [from, to])).map((person) => [person.person_key, person]));
  const [source, target] = [people.get(from), people.get(to)];
  if (!source) throw unknown("The person to merge is not known in this workspace.");
  if (!target) throw unknown("The person in `into` is not known in this workspace. Identify them first.");

  const canceled: Canceled[] = [];
  for (const one of await heldTables(tx, slices.held))
    canceled.push(...(await one.merge(tx, { workspaceId, from, to, now }, one.shape)));
  await keepMerge(tx, workspaceId, from, to, now);
  const [person] = await takeOn(tx, target, source, mergedStates(target, source), now);
  await tellChanged(tx, [
    { workspaceId, personKey: from, what: "erased" },
    { workspaceId, personKey: to, what: "merged" },
  ]);
  return { person: person as Profile, canceled };
}

const busy = () =>
  new Problem("person_busy", "Messages are being sent to this person just now. Repeat the call after a minute.", {
    headers: { "retry-after": "60" },
  });

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
