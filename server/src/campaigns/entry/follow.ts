import { findPeopleByKeys } from "../../people/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { type Entrances, graphKey } from "../definition/entrances.ts";
import { waitsNoLonger } from "../rules/turn.ts";
import { RUNS_DUE, runAtStep } from "../run/run.ts";
import { lockTheirs, makeDue } from "../run/wake-store.ts";

/** People of one workspace whose data changed. */
interface ChangedPeople {
  workspaceId: string;
  personKeys: string[];
  entrances: Pick<Entrances, "waitByPerson" | "graphs">;
}

/**
 * Makes runs of changed people due that wait for a date of the person, or for a time where the person is, if that is another time now. All of their runs
 * in such campaigns are locked for it: a batch that brings one of them to its wait may have read the person as they were before.
 */
export async function followPeople(
  tx: Tx,
  { workspaceId, personKeys, entrances }: ChangedPeople,
  now: Date,
): Promise<void> {
  const { waitByPerson, graphs } = entrances;
  if (waitByPerson.size === 0) return;
  const standing = await lockTheirs(tx, { personKeys, campaignIds: [...waitByPerson] });
  const waiting = standing.filter((run) => run.due_fixed);
  if (waiting.length === 0) return;
  const workspace = await workspaceById(tx, workspaceId);
  const people = await findPeopleByKeys(
    tx,
    waiting.map((run) => run.person_key),
  );
  const moved = waiting.filter((run) => {
    const node = graphs.get(graphKey(run.campaign_id, run.graph))?.journey.nodes.get(run.step_id ?? "");
    const person = people.get(run.person_key);
    if (!workspace || !person || !node || run.due_at === null) return false;
    return waitsNoLonger(node, runAtStep({ workspace }, { run, person, steppedAt: run.stepped_at }), run.due_at, now);
  });
  if (moved.length > 0) tx.signal(RUNS_DUE, await makeDue(tx, moved, now));
}
