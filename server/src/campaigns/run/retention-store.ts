import { lockOf, type Queries, sql } from "../../platform/db/index.ts";

/** The runs of a campaign that ended with a status. */
export interface EndedRuns {
  campaign_id: string;
  status: string;
}

/**
 * Returns the campaigns of a workspace that have ended runs, by status: also removed campaigns. It jumps from one entry of the index to the next.
 * No recursion reaches over shards: there each reads its part of the index, once a day.
 */
export const endedRuns = (q: Queries, workspaceId: string): Promise<EndedRuns[]> =>
  q.query(
    q.distributed
      ? sql`select distinct campaign_id, status from campaign_runs where workspace_id = ${workspaceId} and ended_at is not null`
      : sql`
    with recursive found as (
      (select campaign_id, status from campaign_runs
        where workspace_id = ${workspaceId} and ended_at is not null order by campaign_id, status limit 1)
      union all
      select n.campaign_id, n.status from found f cross join lateral (
        select campaign_id, status from campaign_runs
        where workspace_id = ${workspaceId} and ended_at is not null and (campaign_id, status) > (f.campaign_id, f.status)
        order by campaign_id, status limit 1) n)
    select campaign_id, status from found`,
  );

/** Deletes up to `limit` runs that ended before an instant, the oldest first, with their passages and batches. Returns how many. */
export async function forgetRuns(
  tx: Queries,
  workspaceId: string,
  { campaign_id, status }: EndedRuns,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const lock = lockOf(tx, sql`for update skip locked`);
  const [row] = await tx.query<{ count: number }>(sql`
    with old as materialized (
      select person_key, id from campaign_runs
      where workspace_id = ${workspaceId} and campaign_id = ${campaign_id} and status = ${status} and ended_at < ${before}
      order by ended_at limit ${limit} ${lock}),
    passages as (
      delete from campaign_passages p using old where p.person_key = old.person_key and p.run_id = old.id),
    batches as (
      delete from campaign_batches b using old where b.person_key = old.person_key and b.run_id = old.id),
    gone as (
      delete from campaign_runs r using old where r.person_key = old.person_key and r.id = old.id returning r.id)
    select count(*)::integer as count from gone`);
  return row?.count ?? 0;
}
