import { empty, sql } from "../../platform/db/index.ts";
import type { LogEntry, LogOf } from "../../workspaces/index.ts";

const KINDS = ["campaign.entered", "campaign.goal", "campaign.ended"];

/**
 * Returns a page of what happened to the runs of a person, the latest first: they entered, reached the goal, ended. It is read from the rows of
 * the runs, so that the engine writes nothing for it.
 */
export const logOfRuns: LogOf = async (q, personKey, { channel, wants, since, until, before, limit }) => {
  const kinds = KINDS.filter(wants);
  if (channel !== undefined || kinds.length === 0) return [];
  return q.query<LogEntry>(sql`
    select e.* from (
      select md5(k.type || r.id::text)::uuid as id, k.type, k.at, 'campaign' as source, r.campaign_id as source_id,
        jsonb_strip_nulls(jsonb_build_object('run_id', r.id,
          'status', case k.type when 'campaign.ended' then r.status end, 'reason', case k.type when 'campaign.ended' then r.reason end)) as data
      from campaign_runs r
        cross join lateral (values ('campaign.entered', r.entered_at), ('campaign.goal', r.goal_at), ('campaign.ended', r.ended_at)) as k (type, at)
      where r.person_key = ${personKey} and k.at is not null) e
    where e.type = any(${kinds}::text[])
      ${since === undefined ? empty : sql`and e.at >= ${since}`}
      ${until === undefined ? empty : sql`and e.at < ${until}`}
      ${before ? sql`and (e.at, e.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by e.at desc, e.id desc limit ${limit}`);
};
