import type { Goal } from "@tidings/contract/campaigns/campaigns";
import type { Static } from "typebox";
import { holdInShards } from "./store.ts";
import { tellGoals, type ToldRun } from "./told.ts";
import { lockOf, prepared, type Queries, sql, type Tx } from "../../platform/db/index.ts";

/** An event that is the goal of a campaign. */
export interface GoalEvent {
  personKey: string;
  campaignId: string;
  ts: Date;
  withinMs: number;
}

/**
 * Records the goal at each run of the person that began within the goal's time before the event and has not reached it before, also at runs
 * that have ended, and tells who wants to know. An event that arrives late may be earlier than the one that is recorded: the earliest counts,
 * and is not told again. Returns these runs.
 */
export async function noteGoals(tx: Tx, reached: GoalEvent[]): Promise<ToldRun[]> {
  const keys = reached.map((one) => one.personKey);
  await holdInShards(
    tx,
    sql`r.person_key = any(${keys}::uuid[]) and r.campaign_id = any(${reached.map((one) => one.campaignId)}::uuid[])`,
  );
  const lock = lockOf(tx, sql`order by r.person_key, r.id for no key update of r`);
  const runs = await tx.query<ToldRun & { goal_at: Date; first: boolean }>(
    prepared(
      "campaigns.noteGoals",
      sql`
      with theirs as materialized (
        select r.person_key, r.id, t.ts, r.goal_at is null as first from
          unnest(${keys}::uuid[], ${reached.map((one) => one.campaignId)}::uuid[],
            ${reached.map((one) => one.ts)}::timestamptz[], ${reached.map((one) => one.withinMs)}::double precision[])
            as t (person_key, campaign_id, ts, within_ms)
        join campaign_runs r on r.person_key = t.person_key and r.campaign_id = t.campaign_id
          and r.entered_at between t.ts - t.within_ms * interval '1 millisecond' and t.ts
        where r.goal_at is null or r.goal_at > t.ts
        ${lock})
      update campaign_runs r set goal_at = t.ts
      from (select person_key, id, first, min(ts) as ts from theirs group by 1, 2, 3) t
      where r.person_key = t.person_key and r.id = t.id
      returning r.person_key, r.id, r.workspace_id, r.campaign_id, r.goal_at, t.first`,
    ),
  );
  await tellGoals(
    tx,
    runs.filter(({ first }) => first),
  );
  return runs;
}

/** A run of a campaign with a goal. */
export interface GoalRun {
  campaign_id: string;
  entered_at: Date;
  goal: Static<typeof Goal>;
}

/** Returns the runs of a person in active and paused campaigns that have a goal. */
export const goalRunsOf = (q: Queries, personKey: string): Promise<GoalRun[]> =>
  q.query(sql`
    select r.campaign_id, r.entered_at, v.definition -> 'goal' as goal from campaign_runs r
    join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id and c.status in ('active', 'paused')
    join campaign_versions v on v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.version = c.version
    where r.person_key = ${personKey} and jsonb_typeof(v.definition -> 'goal') = 'object'`);

/** The most events that are read for the goals of two people who were merged. */
const MOST_EVENTS = 10_000;

/** Returns a person's events with these names since an instant, the oldest first. */
export const eventsSince = (
  q: Queries,
  personKey: string,
  { names, since }: { names: string[]; since: Date },
): Promise<{ name: string; properties: Record<string, unknown>; ts: Date }[]> =>
  q.query(sql`
    select name, properties, ts from events
    where person_key = ${personKey} and name = any(${names}) and ts >= ${since} order by ts limit ${MOST_EVENTS}`);
