import { type Queries, sql, type Sql, unquoted } from "../../platform/db/index.ts";
import type { RunKey } from "./intervene-store.ts";
import type { CampaignRef, RunRow } from "../run/run.ts";
import { lockedInShards } from "../run/store.ts";
import { type RunFilter, selectedRuns } from "../look/list-store.ts";

// Finds the runs of a filter that a call changes. A run that the call has changed is not found again, so that a call may be repeated.

/** A change of many runs. */
export type Change = { kind: "skip" | "retry" | "end" } | { kind: "move"; stepId: string; graphs: number[] };

/** Returns the condition for runs that a change concerns. */
function concerned(change: Change): Sql {
  if (change.kind === "retry")
    return sql`(r.ended_at is null and r.attempts > 0 or r.status = 'failed' and exists (
      select from campaign_passages f where f.person_key = r.person_key and f.run_id = r.id and f.state = 'failed'))`;
  if (change.kind !== "move") return sql`r.ended_at is null`;
  return sql`r.ended_at is null and r.step_id <> ${change.stepId} and r.graph = any(${change.graphs}::integer[])
    and not exists (select from campaign_passages f
      where f.person_key = r.person_key and f.run_id = r.id and f.step_id = ${change.stepId})`;
}

/** The runs of a filter, in a campaign. */
export interface Selection {
  campaign: CampaignRef;
  filter: RunFilter;
}

/** Locks up to `limit` runs that the change concerns, in the order in which all transactions lock runs. Fewer than `limit` are the last ones. */
export const lockConcerned = (
  tx: Queries,
  { campaign, filter }: Selection,
  change: Change,
  limit: number,
): Promise<RunKey[]> => {
  const { from, where } = selectedRuns(campaign, filter);
  const chosen = sql`select r.person_key, r.id from ${from} where ${where} and ${concerned(change)} limit ${limit}`;
  if (tx.distributed) return tx.query(lockedInShards(chosen, sql`true`));
  return tx.query(sql`
    with found as materialized (
      ${chosen})
    select r.person_key, r.id from campaign_runs r join found f on f.person_key = r.person_key and f.id = r.id
    order by r.person_key, r.id for no key update of r`);
};

/** Returns those of the locked runs that the change still concerns: the engine may have advanced them before they were locked. */
export const stillConcerned = (
  tx: Queries,
  { campaign, filter }: Selection,
  change: Change,
  locked: RunKey[],
): Promise<Pick<RunRow, "person_key" | "id" | "step_id" | "graph" | "status" | "outputs">[]> => {
  const { from, where } = selectedRuns(campaign, filter);
  return tx.query(sql`
    select r.person_key, r.id, r.step_id, r.graph, r.status, r.outputs from ${from}
    where ${where} and ${concerned(change)}
      and r.person_key = any(${unquoted(locked.map((run) => run.person_key))}::uuid[])
      and r.id = any(${unquoted(locked.map((run) => run.id))}::uuid[])`);
};

/** Returns how many runs the change concerns. */
export async function countConcerned(q: Queries, { campaign, filter }: Selection, change: Change): Promise<number> {
  const { from, where } = selectedRuns(campaign, filter);
  const [row] = await q.query<{ count: number }>(sql`
    select count(*)::integer as count from ${from} where ${where} and ${concerned(change)}`);
  return row?.count ?? 0;
}

/** Returns the graphs of the campaign's active runs. */
export const activeGraphs = async (q: Queries, { workspaceId, campaignId }: CampaignRef): Promise<number[]> => {
  const rows = await q.query<{ graph: number }>(sql`
    select distinct graph from campaign_runs
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and step_id is not null`);
  return rows.map(({ graph }) => graph);
};
