import { type Queries, type Sql, sql } from "../../platform/db/index.ts";
import type { CampaignRef } from "../run/run.ts";

/** Begins to plan a campaign, from now on. Returns false if its trigger is planned already. */
export async function beginSchedule(
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  { trigger, now, dueAt }: { trigger: object; now: Date; dueAt: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into campaign_schedules as old (workspace_id, campaign_id, trigger, planned_until, due_at)
    values (${workspaceId}, ${campaignId}, ${JSON.stringify(trigger)}::jsonb, ${now}, ${dueAt})
    on conflict (workspace_id, campaign_id) do update
      set trigger = excluded.trigger, planned_until = excluded.planned_until, due_at = excluded.due_at
      where old.trigger <> excluded.trigger
    returning campaign_id`);
  return rows.length === 1;
}

export const endSchedule = (tx: Queries, { workspaceId, campaignId }: CampaignRef): Promise<number> =>
  tx.execute(sql`delete from campaign_schedules where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`);

/** Skips what was due until now: a pause ends. */
export const skipUntil = (tx: Queries, { workspaceId, campaignId }: CampaignRef, now: Date): Promise<number> =>
  tx.execute(sql`
    update campaign_schedules set planned_until = greatest(planned_until, ${now}::timestamptz)
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`);

/** A campaign whose occurrences are to be planned. */
export interface Schedule {
  workspace_id: string;
  campaign_id: string;
  graph: number;
  planned_until: Date;
}

/** True if a campaign is to be planned at this time, or an occurrence is open. */
export const isDayWorkDue = (now: Date): Sql => sql`exists (select 1 from campaign_schedules s
    join campaigns c on c.workspace_id = s.workspace_id and c.id = s.campaign_id and c.status = 'active'
    where s.due_at <= ${now})
  or exists (select 1 from campaign_occurrences o
    join campaigns c on c.workspace_id = o.workspace_id and c.id = o.campaign_id and c.status = 'active'
    where o.work_at <= ${now})`;

/** Locks and returns the first due schedule of an active campaign that no other transaction holds. */
export async function takeSchedule(tx: Queries, now: Date): Promise<Schedule | undefined> {
  const [row] = await tx.query<Schedule>(sql`
    select s.workspace_id, s.campaign_id, c.graph, s.planned_until from campaign_schedules s
    join campaigns c on c.workspace_id = s.workspace_id and c.id = s.campaign_id and c.status = 'active'
    where s.due_at <= ${now} order by s.due_at limit 1 for update of s skip locked`);
  return row;
}

/** Writes until when a campaign is planned, and when it is planned next. A clock that was set back plans nothing twice. */
export const moveSchedule = (
  tx: Queries,
  { workspace_id, campaign_id }: Schedule,
  { plannedUntil, dueAt }: { plannedUntil: Date; dueAt: Date },
): Promise<number> =>
  tx.execute(sql`
    update campaign_schedules set planned_until = greatest(planned_until, ${plannedUntil}::timestamptz), due_at = ${dueAt}
    where workspace_id = ${workspace_id} and campaign_id = ${campaign_id}`);

/** Returns the zones of a workspace's people, by one look-up in the index for each. In shards, which no recursion reaches, each reads its part of the index. */
export async function zonesOf(q: Queries, workspaceId: string): Promise<string[]> {
  const rows = await q.query<{ timezone: string }>(
    q.distributed
      ? sql`select distinct timezone from people where workspace_id = ${workspaceId} and timezone is not null order by timezone`
      : sql`
    with recursive zone as (
      (select timezone from people where workspace_id = ${workspaceId} and timezone is not null order by timezone limit 1)
      union all
      select (select p.timezone from people p where p.workspace_id = ${workspaceId} and p.timezone > zone.timezone
        order by p.timezone limit 1) from zone where zone.timezone is not null)
    select timezone from zone where timezone is not null`,
  );
  return rows.map((row) => row.timezone);
}
