import type { Channel } from "@tidings/contract/facts/activity";
import { type Queries, type Sql, sql } from "../../platform/db/index.ts";
import type { CampaignRef } from "../run/run.ts";

export interface Attribution {
  /** Null: no message was sent before the goal. */
  step_id: string | null;
  channel: Channel;
  touch: "clicked" | "seen" | "sent";
  count: number;
}

/**
 * Counts the runs that reached the goal by the message that gets the credit: of those that were sent before the goal, the one that the person
 * touched last (clicked or saw) before it, and if they touched none, the one that was sent last. It reads the passages and deliveries
 * of runs that reached the goal, by their keys.
 */
export const attributions = (q: Queries, campaign: CampaignRef): Promise<Attribution[]> =>
  q.query(sql`
    select a.step_id, a.channel, a.touch, count(*)::integer as count
    from campaign_runs r
    ${
      q.distributed
        ? sql`left join (${credited(campaign)}) a on a.person_key = r.person_key and a.id = r.id and a.nth = 1`
        : sql`left join lateral (
      select ${CREDIT} from ${MESSAGES}
      where p.person_key = r.person_key and p.run_id = r.id and ${MAY_HAVE_CREDIT}
      order by ${FIRST_CREDIT} limit 1) a on true`
    }
    where ${reachedIn(campaign)}
    group by 1, 2, 3`);

const reachedIn = ({ workspaceId, campaignId }: CampaignRef): Sql =>
  sql`r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId} and r.goal_at is not null`;

/** The last touch before the goal; null where there was none. */
const TOUCHED_AT = sql`greatest(case when d.shown_at <= r.goal_at then d.shown_at end, case when d.opened_at <= r.goal_at then d.opened_at end,
        case when d.clicked_at <= r.goal_at then d.clicked_at end)`;
/** The messages of passages `p`. */
const MESSAGES = sql`campaign_passages p
      cross join unnest(coalesce(p.deliveries, array[p.delivery_id])) as m (delivery_id)
      join deliveries d on d.person_key = p.person_key and d.id = m.delivery_id`;
const MAY_HAVE_CREDIT = sql`p.delivery_id is not null
        and (case when d.channel = 'in_app' then d.queued_at else d.sent_at end <= r.goal_at or ${TOUCHED_AT} is not null)
        and (d.channel <> 'in_app' or d.status <> 'failed')`;
const CREDIT = sql`p.step_id, d.channel,
        case when d.clicked_at <= r.goal_at then 'clicked' when ${TOUCHED_AT} is null then 'sent' else 'seen' end as touch`;
const FIRST_CREDIT = sql`${TOUCHED_AT} desc nulls last, d.queued_at desc, p.entered_at desc, d.id`;

/** The messages of all runs that reached the goal; `nth` is 1 for the one with the credit. Each shard numbers those of its people. */
const credited = (campaign: CampaignRef): Sql => sql`
      select r.person_key, r.id, ${CREDIT}, row_number() over (partition by r.person_key, r.id order by ${FIRST_CREDIT}) as nth
      from campaign_runs r join ${MESSAGES} on p.person_key = r.person_key and p.run_id = r.id
      where ${reachedIn(campaign)} and ${MAY_HAVE_CREDIT}`;

/** People at a step whom the split treated alike. */
export interface SplitGroup {
  step_id: string;
  held_out: boolean;
  variant: string | null;
  /** People for whom the goal's time is over, and how many of them reached it. */
  people: number;
  reached: number;
  /** People for whom it is not over. */
  open: number;
}

/**
 * Counts the people at steps that hold people out or have variants, by their part of the split. A person is counted once, whatever their number
 * of runs. All whom chance assigned count, also those whose message failed: the people who are held out have no address
 * as often. Who reached the goal before the step, or came to the step after the goal's time, and who was in two parts because the split
 * changed, counts nowhere.
 */
export const splitGroups = (
  q: Queries,
  { workspaceId, campaignId }: CampaignRef,
  { steps, withinMs, now }: { steps: string[]; withinMs: number; now: Date },
): Promise<SplitGroup[]> =>
  q.query(sql`
    with theirs as (
      select p.step_id, p.person_key, coalesce((p.detail ->> 'held_out')::boolean, false) as held_out, p.detail ->> 'variant' as variant,
        r.goal_at is not null as reached, r.entered_at + ${withinMs} * interval '1 millisecond' <= ${now} as is_over
      from campaign_passages p join campaign_runs r on r.person_key = p.person_key and r.id = p.run_id
      where p.workspace_id = ${workspaceId} and p.campaign_id = ${campaignId} and p.step_id = any(${steps})
        and r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId}
        and (p.delivery_id is not null or p.state = 'failed' or p.detail ->> 'held_out' is not null)
        and p.entered_at <= r.entered_at + ${withinMs} * interval '1 millisecond'
        and (r.goal_at is null or r.goal_at >= p.entered_at)),
    people as (
      select step_id, person_key, bool_or(held_out) as held_out, max(variant) as variant, bool_or(is_over) as is_over,
        bool_or(reached and is_over) as reached
      from theirs group by step_id, person_key
      having bool_or(held_out) = bool_and(held_out) and max(variant) is not distinct from min(variant))
    select step_id, held_out, variant, count(*) filter (where is_over)::integer as people,
      count(*) filter (where reached)::integer as reached, count(*) filter (where not is_over)::integer as open
    from people group by step_id, held_out, variant`);

/** Counts the runs that began after an instant and have not reached the goal. */
export async function countOpen(q: Queries, { workspaceId, campaignId }: CampaignRef, since: Date): Promise<number> {
  const [row] = await q.query<{ count: number }>(sql`
    select count(*)::integer as count from campaign_runs
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and entered_at > ${since} and goal_at is null`);
  return row?.count ?? 0;
}
