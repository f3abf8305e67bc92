import { empty, type Queries, sql, type Sql } from "../../platform/db/index.ts";
import type { CampaignRef } from "../run/run.ts";

// The figures of a campaign, counted from the rows that `listRuns` lists.

/** The bounds of the hours or days of a series; undefined counts all time as one. */
export type Bounds = Date[] | undefined;

/** The number of the bucket of a time, from 1. */
const bucketOf = (time: Sql, bounds: Bounds): Sql =>
  bounds ? sql`width_bucket(${time}, ${bounds}::timestamptz[])` : sql`1`;
const during = (time: Sql, bounds: Bounds): Sql =>
  bounds ? sql`and ${time} >= ${bounds[0] as Date} and ${time} < ${bounds.at(-1) as Date}` : empty;
const of = ({ workspaceId, campaignId }: CampaignRef, table: Sql): Sql =>
  sql`${table}.workspace_id = ${workspaceId} and ${table}.campaign_id = ${campaignId}`;
const R = sql`r`;
const S = sql`s`;

export interface RunFigure {
  bucket: number;
  figure: "entered" | "active" | "completed" | "exited" | "failed" | "canceled" | "converted";
  count: number;
}

/** Counts runs by their entry, their end and the goal. `active` is of now, and only in the counts of all time. */
export const countRuns = (q: Queries, campaign: CampaignRef, bounds: Bounds): Promise<RunFigure[]> =>
  q.query(sql`
    select ${bucketOf(sql`r.entered_at`, bounds)} as bucket, 'entered' as figure, count(*)::integer as count
    from campaign_runs r where ${of(campaign, R)} ${during(sql`r.entered_at`, bounds)} group by 1
    union all
    select ${bucketOf(sql`r.ended_at`, bounds)}, r.status, count(*)::integer
    from campaign_runs r where ${of(campaign, R)} and r.ended_at is not null ${during(sql`r.ended_at`, bounds)} group by 1, 2
    union all
    select ${bucketOf(sql`r.goal_at`, bounds)}, 'converted', count(*)::integer
    from campaign_runs r where ${of(campaign, R)} and r.goal_at is not null ${during(sql`r.goal_at`, bounds)} group by 1
    ${
      bounds
        ? empty
        : sql`union all
          select 1, 'active', count(*)::integer from campaign_runs r where ${of(campaign, R)} and r.step_id is not null`
    }`);

export interface StepFigure {
  step_id: string;
  bucket: number;
  figure: "entered" | "waiting" | "passed" | "failed" | "exited" | "converted";
  count: number;
}

/** Runs that are at a step and have no passage there yet. */
const arriving = (campaign: CampaignRef): Sql => sql`
  campaign_runs r join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id
    where ${of(campaign, R)} and r.step_id is not null and not exists (
      select from campaign_passages s where s.person_key = r.person_key and s.run_id = r.id and s.step_id = r.step_id)`;

/**
 * Counts the runs at each step in one statement, so that a run that advances meanwhile is counted once: when they left it by their state,
 * and when those that reached the goal later reached it. In all time `waiting` counts those that are there now; by buckets `entered`
 * counts when they reached it.
 */
export const countSteps = (q: Queries, campaign: CampaignRef, bounds: Bounds): Promise<StepFigure[]> => {
  const stepped = sql`r.stepped_at + c.behind`;
  return q.query(sql`
    select s.step_id, ${bucketOf(sql`s.left_at`, bounds)} as bucket, s.state as figure, count(*)::integer as count
    from campaign_passages s where ${of(campaign, S)} and s.state <> 'waiting' ${during(sql`s.left_at`, bounds)} group by 1, 2, 3
    union all
    select s.step_id, ${bucketOf(sql`r.goal_at`, bounds)}, 'converted', count(*)::integer
    from campaign_runs r join campaign_passages s on s.person_key = r.person_key and s.run_id = r.id
    where ${of(campaign, R)} and ${of(campaign, S)} and r.goal_at >= s.entered_at ${during(sql`r.goal_at`, bounds)} group by 1, 2
    union all
    select r.step_id, ${bucketOf(sql`r.goal_at`, bounds)}, 'converted', count(*)::integer
    from ${arriving(campaign)} and r.goal_at >= ${stepped} ${during(sql`r.goal_at`, bounds)} group by 1, 2
    union all
    ${
      bounds
        ? sql`
          select s.step_id, ${bucketOf(sql`s.entered_at`, bounds)}, 'entered', count(*)::integer
          from campaign_passages s where ${of(campaign, S)} ${during(sql`s.entered_at`, bounds)} group by 1, 2
          union all
          select r.step_id, ${bucketOf(stepped, bounds)}, 'entered', count(*)::integer
          from ${arriving(campaign)} ${during(stepped, bounds)} group by 1, 2`
        : sql`
          select r.step_id, 1, 'waiting', count(*)::integer
          from campaign_runs r where ${of(campaign, R)} and r.step_id is not null group by 1`
    }`);
};
