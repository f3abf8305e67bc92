import { type Queries, sql } from "../../platform/db/index.ts";
import type { CampaignKey } from "./store.ts";

// All active runs of a campaign, for its moves. All code that locks several runs locks them in the order of their key.

/** Returns how many runs are at each step. */
export const countByStep = (q: Queries, campaign: CampaignKey): Promise<{ step_id: string; runs: number }[]> =>
  q.query(sql`
    select step_id, count(*)::integer as runs from campaign_runs
    where workspace_id = ${campaign.workspace_id} and campaign_id = ${campaign.id} and step_id is not null
    group by step_id order by step_id`);

/** Locks all active runs until the transaction ends. It waits for transactions of events and of the engine. */
export const lockInside = (tx: Queries, campaign: CampaignKey): Promise<number> =>
  tx.execute(sql`
    select from campaign_runs
    where workspace_id = ${campaign.workspace_id} and campaign_id = ${campaign.id} and step_id is not null
    order by person_key, id for no key update`);

/**
 * Moves the active runs at these steps to a graph. Runs at a changed step are due at once, so that the engine decides again what they
 * wait for; so are runs of an older graph than the previous one.
 * @param changed the ids of the steps that differ between `graph` and the previous graph
 * @param clock now by the campaign's own clock
 */
export function moveInside(
  tx: Queries,
  campaign: CampaignKey,
  { graph, steps, changed, clock }: { graph: number; steps: string[]; changed: string[]; clock: Date },
): Promise<number> {
  const looks = sql`(graph <> ${graph - 1} or step_id = any(${changed}))`;
  return tx.execute(sql`
    update campaign_runs set graph = ${graph},
      due_at = case when ${looks} then ${clock}::timestamptz else due_at end,
      due_fixed = due_fixed and not ${looks},
      waits_for = case when ${looks} then null else waits_for end
    where workspace_id = ${campaign.workspace_id} and campaign_id = ${campaign.id} and step_id = any(${steps})`);
}

/** Corrects the due times of runs that wait for a date: the campaign's own clock stood still meanwhile, and the date did not move. */
export const shiftFixed = (tx: Queries, campaign: CampaignKey, ms: number): Promise<number> =>
  tx.execute(sql`
    update campaign_runs r set due_at = r.due_at - ${ms} * interval '1 millisecond'
    from (select person_key, id from campaign_runs
      where workspace_id = ${campaign.workspace_id} and campaign_id = ${campaign.id} and step_id is not null and due_fixed
      order by person_key, id for no key update) s
    where r.person_key = s.person_key and r.id = s.id`);
