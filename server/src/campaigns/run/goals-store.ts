import { prepared, type Queries, sql } from "../../platform/db/index.ts";

/** An event that is the goal of a campaign. */
export interface GoalEvent {
  personKey: string;
  campaignId: string;
  ts: Date;
  withinMs: number;
}

/**
 * Records the goal at each run of the person that began within the goal's time before the event and has not reached it yet, also at runs
 * that have ended. Returns the keys and the campaigns of these runs.
 */
export const noteGoals = (
  tx: Queries,
  reached: GoalEvent[],
): Promise<{ person_key: string; id: string; campaign_id: string }[]> =>
  tx.query(
    prepared(
      "campaigns.noteGoals",
      sql`
      with theirs as materialized (
        select r.person_key, r.id, t.ts from
          unnest(${reached.map((one) => one.personKey)}::uuid[], ${reached.map((one) => one.campaignId)}::uuid[],
            ${reached.map((one) => one.ts)}::timestamptz[], ${reached.map((one) => one.withinMs)}::double precision[])
            as t (person_key, campaign_id, ts, within_ms)
        join campaign_runs r on r.person_key = t.person_key and r.campaign_id = t.campaign_id
          and r.entered_at between t.ts - t.within_ms * interval '1 millisecond' and t.ts
        where r.goal_at is null
        order by r.person_key, r.id for no key update of r)
      update campaign_runs r set goal_at = t.ts
      from (select person_key, id, min(ts) as ts from theirs group by person_key, id) t
      where r.person_key = t.person_key and r.id = t.id
      returning r.person_key, r.id, r.campaign_id`,
    ),
  );
