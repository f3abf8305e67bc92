import { type Queries, sql } from "../../platform/db/index.ts";
import type { CampaignRef, Output, PassageRow, RunRow } from "./run.ts";

/** Locks and returns a run. It waits for the engine. */
export async function lockRun(
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  id: string,
): Promise<RunRow | undefined> {
  const [row] = await tx.query<RunRow>(sql`
    select person_key, id, workspace_id, campaign_id, graph, status, reason, step_id, data, outputs, cancellation_key, entered_at,
      stepped_at, waits_for, due_at, due_fixed, escalation, escalated_at, attempts, goal_at, ended_at
    from campaign_runs where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and id = ${id}
    for no key update`);
  return row;
}

/** Ends the passage of a run's present step as an operator decided. */
export const leaveStep = (
  tx: Queries,
  run: RunRow,
  { state, reason }: Pick<PassageRow, "state" | "reason">,
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state, reason)
    select r.person_key, r.id, r.step_id, r.workspace_id, r.campaign_id, r.stepped_at + c.behind, ${now}, ${state}, ${reason}
    from campaign_runs r join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id
    where r.person_key = ${run.person_key} and r.id = ${run.id} and r.step_id is not null
    on conflict (person_key, run_id, step_id) do update
      set left_at = excluded.left_at, state = excluded.state, reason = excluded.reason`);

/**
 * Moves a run to a step, due at once by the campaign's own clock, and makes it active. Null completes the run. A run that tries its step
 * again keeps what it was sent there.
 */
export const putAt = (tx: Queries, run: RunRow, stepId: string | null, now: Date): Promise<number> =>
  tx.execute(sql`
    update campaign_runs r set step_id = ${stepId}, status = ${stepId === null ? "completed" : "active"}, reason = null,
      stepped_at = n.clock, due_at = case when ${stepId}::text is not null then n.clock end,
      waits_for = null, due_fixed = false, attempts = 0,
      escalation = case when r.step_id = ${stepId} then r.escalation end,
      escalated_at = case when r.step_id = ${stepId} then r.escalated_at end, ended_at = ${stepId === null ? now : null}
    from (select c.workspace_id, c.id,
      (case when c.status = 'paused' then c.paused_at else ${now}::timestamptz end) - c.behind as clock from campaigns c) n
    where r.person_key = ${run.person_key} and r.id = ${run.id} and n.workspace_id = r.workspace_id and n.id = r.campaign_id`);

/** Writes the output of one step of a run. */
export const writeOutput = (
  tx: Queries,
  run: RunRow,
  { stepId, output }: { stepId: string; output: Output },
): Promise<number> =>
  tx.execute(sql`
    update campaign_runs set outputs = outputs || jsonb_build_object(${stepId}::text, ${JSON.stringify(output)}::jsonb)
    where person_key = ${run.person_key} and id = ${run.id}`);

/** Reopens the passage of a failed step. */
export const reopenPassage = (tx: Queries, run: RunRow, stepId: string): Promise<number> =>
  tx.execute(sql`
    update campaign_passages set state = 'waiting', left_at = null, reason = null
    where person_key = ${run.person_key} and run_id = ${run.id} and step_id = ${stepId}`);
