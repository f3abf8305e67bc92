import type { Tx } from "../../platform/db/index.ts";
import { derivedId } from "../../platform/ids.ts";
import type { Published } from "../definition/published.ts";
import { type Gate, gateOf } from "../rules/reentry.ts";
import { insertRuns, type NewRun } from "../run/enter-store.ts";
import { RUNS_DUE } from "../run/run.ts";
import { tellEntered } from "../run/told.ts";

/** A person who enters a campaign, if its `reentry` rule allows it. */
export interface Candidate {
  published: Published;
  personKey: string;
  /** The cause of the entry, such as an event's id. A repeated cause begins no second run. */
  cause: string;
  /** `{{trigger.*}}` */
  data: Record<string, unknown>;
  cancellationKey?: string | undefined;
}

/** Returns the id of the run that a cause begins. */
export const runIdOf = ({ published, personKey, cause }: Omit<Candidate, "data">): string =>
  derivedId("campaign run", published.campaignId, personKey, cause);

/** The most rows of one statement. */
const MOST_ROWS = 1_000;

/**
 * Starts all runs of campaigns. Begins a run for each candidate who may enter, in the transaction of what let them in, and wakes the
 * engine after the commit. Returns the ids of the runs that began; a paused campaign begins none.
 * @param last whether the caller sends no statement after this. Then the commit may go out behind those of the runs.
 */
export async function enter(
  tx: Tx,
  candidates: Candidate[],
  now: Date,
  { last = false }: { last?: boolean } = {},
): Promise<Set<string>> {
  const runs = runsOf(candidates, now);
  const began = new Set<string>();
  for (let from = 0; from < runs.length; from += MOST_ROWS) {
    const some = runs.slice(from, from + MOST_ROWS);
    const writing = insertRuns(tx, some, now);
    const told = tellEntered(tx, some.map(toldOf), now, writing);
    // In shards they are written by several statements, one after the other.
    if (last && !tx.distributed && from + MOST_ROWS >= runs.length) tx.commitBehind();
    const [ids] = await Promise.all([writing, told]);
    for (const id of ids) began.add(id);
  }
  if (began.size > 0)
    tx.signal(RUNS_DUE, [...new Set(runs.filter(({ id }) => began.has(id)).map(({ campaignId }) => campaignId))]);
  return began;
}

const toldOf = ({ personKey, id, workspaceId, campaignId, cancellationKey }: NewRun) => ({
  person_key: personKey,
  id,
  workspace_id: workspaceId,
  campaign_id: campaignId,
  cancellation_key: cancellationKey,
});

/** Returns one run for each cause, or for each person where only one run can begin. They are sorted in the order in which all transactions lock the rows. */
function runsOf(candidates: Candidate[], now: Date): NewRun[] {
  const gates = new Map<Published, Gate>();
  const runs = new Map<string, NewRun>();
  for (const candidate of candidates) {
    const { published, personKey, data, cancellationKey = null } = candidate;
    const { workspaceId, campaignId, graph, definition, journey } = published;
    const gate = gates.get(published) ?? gateOf(definition.reentry, now);
    gates.set(published, gate);
    const key = `${campaignId} ${personKey} ${gate.always ? candidate.cause : ""}`;
    if (journey.first === null || runs.has(key)) continue;
    const [id, stepId] = [runIdOf(candidate), journey.first];
    runs.set(key, { personKey, id, workspaceId, campaignId, graph, stepId, data, cancellationKey, ...gate });
  }
  return [...runs.values()].sort((a, b) => compare(a.campaignId, b.campaignId) || compare(a.personKey, b.personKey));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
