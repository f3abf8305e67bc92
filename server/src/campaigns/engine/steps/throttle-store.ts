import { type Queries, sql, unquoted } from "../../../platform/db/index.ts";

/** A throttle step. */
export interface Throttle {
  workspaceId: string;
  campaignId: string;
  stepId: string;
}

/** Deletes the records of runs that passed before an instant. */
export const forgetPassed = (tx: Queries, { campaignId, stepId }: Throttle, before: Date): Promise<number> =>
  tx.execute(sql`
    delete from campaign_throttles where campaign_id = ${campaignId} and step_id = ${stepId} and passed_at <= ${before}`);

/** Returns for each of these keys how many runs passed, and when the first one did; null if none did. */
export const passedBy = (
  tx: Queries,
  { campaignId, stepId }: Throttle,
  keys: string[],
): Promise<{ key: string; count: number; first: Date | null }[]> =>
  tx.query(sql`
    select t.key, (
        select count(*)::integer from campaign_throttles p
        where p.campaign_id = ${campaignId} and p.step_id = ${stepId} and p.key = t.key) as count, (
        select p.passed_at from campaign_throttles p
        where p.campaign_id = ${campaignId} and p.step_id = ${stepId} and p.key = t.key
        order by p.passed_at limit 1) as first
    from unnest(${unquoted(keys)}::uuid[]) as t (key)`);

/** Records runs that pass. */
export const notePassed = (
  tx: Queries,
  { workspaceId, campaignId, stepId }: Throttle,
  runs: { key: string; runId: string }[],
  at: Date,
): Promise<number> =>
  tx.execute(sql`
    insert into campaign_throttles (workspace_id, campaign_id, step_id, key, run_id, passed_at)
    select ${workspaceId}::uuid, ${campaignId}::uuid, ${stepId}::text, t.key, t.run_id, ${at}::timestamptz
    from unnest(${unquoted(runs.map((run) => run.key))}::uuid[], ${unquoted(runs.map((run) => run.runId))}::uuid[]) as t (key, run_id)
    on conflict do nothing`);
