import type { RunStatus } from "@tidings/contract/campaigns/campaigns";
import { empty, type Queries, sql } from "../../platform/db/index.ts";
import type { CampaignRef, PassageRow, RunRow } from "./run.ts";

/** A run with the fields that the API shows. */
export type ShownRun = Omit<RunRow, "outputs" | "stepped_at" | "due_fixed"> & {
  /** Null if the person was erased. */
  person_id: string | null;
  /** When it continues, by the service's clock; null if it waits for nothing or its campaign is paused. */
  due_on: Date | null;
};

const SHOWN = sql`r.person_key, r.id, r.workspace_id, r.campaign_id, r.graph, r.status, r.reason, r.step_id, r.data, r.cancellation_key,
  r.entered_at, r.waits_for, r.due_at, r.attempts, r.goal_at, r.ended_at, p.person_id,
  case when c.status = 'active' then r.due_at + c.behind end as due_on`;
const FROM = sql`campaign_runs r
  join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id
  left join people p on p.person_key = r.person_key`;

export interface RunFilter {
  personKey: string | undefined;
  stepId: string | undefined;
  status: RunStatus | undefined;
}

/** Returns the runs of a campaign, newest entry first. */
export const listRuns = (
  q: Queries,
  { workspaceId, campaignId }: CampaignRef,
  { personKey, stepId, status }: RunFilter,
  { before, limit }: { before: string[] | undefined; limit: number },
): Promise<ShownRun[]> =>
  q.query(sql`
    select ${SHOWN} from ${FROM}
    where r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId}
      ${personKey === undefined ? empty : sql`and r.person_key = ${personKey}`}
      ${stepId === undefined ? empty : sql`and r.step_id = ${stepId}`}
      ${status === undefined ? empty : sql`and r.status = ${status}`}
      ${before ? sql`and (r.entered_at, r.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by r.entered_at desc, r.id desc limit ${limit}`);

/** Returns one run. */
export async function runById(
  q: Queries,
  { workspaceId, campaignId }: CampaignRef,
  id: string,
): Promise<ShownRun | undefined> {
  const [row] = await q.query<ShownRun>(sql`
    select ${SHOWN} from ${FROM} where r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId} and r.id = ${id}`);
  return row;
}

/** Returns the passages of a run. */
export const passagesOf = (q: Queries, run: Pick<RunRow, "person_key" | "id">): Promise<PassageRow[]> =>
  q.query(sql`
    select person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state, way, reason, delivery_id, detail
    from campaign_passages where person_key = ${run.person_key} and run_id = ${run.id}`);

/** The number of runs at a step, by the state of their passage; `waiting` counts the runs that are there now. */
export interface StepRow {
  step_id: string;
  state: "waiting" | "passed" | "failed" | "exited";
  count: number;
}

/** Counts in one statement, so that a run that advances meanwhile is counted once. A run can be at a step before it has a passage there. */
export const stepCounts = (q: Queries, { workspaceId, campaignId }: CampaignRef): Promise<StepRow[]> =>
  q.query(sql`
    select step_id, state, count(*)::integer as count from campaign_passages
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and state <> 'waiting' group by 1, 2
    union all
    select step_id, 'waiting', count(*)::integer from campaign_runs
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and step_id is not null group by 1`);

export async function goalsReached(q: Queries, { workspaceId, campaignId }: CampaignRef): Promise<number> {
  const [row] = await q.query<{ count: number }>(sql`
    select count(*)::integer as count from campaign_runs
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and goal_at is not null`);
  return row?.count ?? 0;
}
