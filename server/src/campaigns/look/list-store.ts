import type { RunStatus } from "@tidings/contract/campaigns/campaigns";
import type { StepState } from "@tidings/contract/campaigns/runs";
import { empty, type Queries, sql, type Sql } from "../../platform/db/index.ts";
import type { CampaignRef, PassageRow, RunRow } from "../run/run.ts";

/** A run with the fields that the API shows. */
export type ShownRun = Omit<RunRow, "outputs" | "stepped_at" | "due_fixed" | "escalation" | "escalated_at"> & {
  /** Null if the person was erased. */
  person_id: string | null;
  /** When it continues, by the service's clock; null if it waits for nothing or its campaign is paused. */
  due_on: Date | null;
};

const SHOWN = sql`r.person_key, r.id, r.workspace_id, r.campaign_id, r.graph, r.status, r.reason, r.step_id, r.data, r.cancellation_key,
  r.entered_at, r.waits_for, r.due_at, r.attempts, r.goal_at, r.ended_at, p.person_id,
  case when c.status = 'active' then r.due_at + case when r.due_fixed then '0' else c.behind end end as due_on`;
const FROM = sql`campaign_runs r
  join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id
  left join people p on p.person_key = r.person_key`;

/** The runs that a figure of the metrics counts. */
export interface RunFilter {
  personKey?: string | undefined;
  status?: RunStatus | undefined;
  stepId?: string | undefined;
  /** What became of the run at the step. */
  state?: StepState | undefined;
  /** It reached the goal; with a step, after it had reached the step. */
  converted?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The passage at the step of the filter. A run can be at a step before it has a passage there. */
const passageAt = (stepId: string, { workspaceId, campaignId }: CampaignRef): Sql => sql`
  left join campaign_passages s on s.person_key = r.person_key and s.run_id = r.id and s.step_id = ${stepId}
    and s.workspace_id = ${workspaceId} and s.campaign_id = ${campaignId}`;
const REACHED = sql`coalesce(s.entered_at, r.stepped_at + c.behind)`;

/** The state that a filter means: without one, `step` selects the runs that are there now. */
const stateOf = ({ state, converted }: RunFilter): StepState => state ?? (converted ? "entered" : "waiting");

/** Returns the condition of a step's figure. */
function atStep(filter: RunFilter, stepId: string): Sql {
  const state = stateOf(filter);
  const converted = filter.converted ? sql`and r.goal_at >= ${REACHED}` : empty;
  if (state === "waiting") return sql`and r.step_id = ${stepId} ${converted}`;
  if (state === "entered") return sql`and (s.run_id is not null or r.step_id = ${stepId}) ${converted}`;
  return sql`and s.state = ${state} ${converted}`;
}

/** Returns the time that `from` and `to` compare, and the time that orders the list, which an index has. */
function timesOf(filter: RunFilter): { compared: Sql; ordered: Sql } {
  const { stepId, status, converted } = filter;
  const one = (time: Sql) => ({ compared: time, ordered: time });
  if (converted) return one(sql`r.goal_at`);
  if (stepId !== undefined && !["entered", "waiting"].includes(stateOf(filter))) return one(sql`s.left_at`);
  if (stepId !== undefined) return { compared: REACHED, ordered: sql`r.entered_at` };
  return one(status === undefined || status === "active" ? sql`r.entered_at` : sql`r.ended_at`);
}

/** Selects the runs of a figure, for lists and for calls that change all of them. */
export const selectedRuns = (campaign: CampaignRef, filter: RunFilter): { from: Sql; where: Sql } => {
  const { personKey, stepId, status, converted, from, to } = filter;
  const { compared } = timesOf(filter);
  return {
    from: sql`campaign_runs r
      join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id
      ${stepId === undefined ? empty : passageAt(stepId, campaign)}`,
    where: sql`r.workspace_id = ${campaign.workspaceId} and r.campaign_id = ${campaign.campaignId}
      ${personKey === undefined ? empty : sql`and r.person_key = ${personKey}`}
      ${status === undefined ? empty : sql`and r.status = ${status}`}
      ${status === undefined || status === "active" ? empty : sql`and r.ended_at is not null`}
      ${converted ? sql`and r.goal_at is not null` : empty}
      ${stepId === undefined ? empty : atStep(filter, stepId)}
      ${from === undefined ? empty : sql`and ${compared} >= ${from}`}
      ${to === undefined ? empty : sql`and ${compared} < ${to}`}`,
  };
};

/** Returns a page of the runs of a figure, the latest first by the time that the figure counts; `entered` of a step by the entry of the run. */
export const listRuns = (
  q: Queries,
  campaign: CampaignRef,
  filter: RunFilter,
  { before, limit }: { before: string[] | undefined; limit: number },
): Promise<(ShownRun & { listed_at: Date })[]> => {
  const { from, where } = selectedRuns(campaign, filter);
  const { ordered } = timesOf(filter);
  return q.query(sql`
    select ${SHOWN}, ${ordered} as listed_at from ${from} left join people p on p.person_key = r.person_key
    where ${where} ${before ? sql`and (${ordered}, r.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by ${ordered} desc, r.id desc limit ${limit}`);
};

/** Returns a page of a person's runs in all campaigns, the latest entry first. An index on the person finds them; few people have a hundred. */
export const listRunsOf = (
  q: Queries,
  { workspaceId, personKey }: { workspaceId: string; personKey: string },
  { status, before, limit }: { status: RunStatus | undefined; before: string[] | undefined; limit: number },
): Promise<(ShownRun & { campaign_name: string })[]> =>
  q.query(sql`
    select ${SHOWN}, c.name as campaign_name from ${FROM}
    where r.workspace_id = ${workspaceId} and r.person_key = ${personKey}
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

/** Returns the numbers of runs that a run has gathered and not taken along: it waits at the step, or ended there. */
export const gatheredBy = (
  q: Queries,
  run: Pick<RunRow, "person_key" | "id">,
): Promise<{ step_id: string; count: number }[]> =>
  q.query(sql`select step_id, count from campaign_batches where person_key = ${run.person_key} and run_id = ${run.id}`);
