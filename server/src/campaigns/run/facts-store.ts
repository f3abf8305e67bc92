import { type Queries, sql, unquoted } from "../../platform/db/index.ts";

/** An event for which a run waits, as it was recorded. */
export interface RecordedEvent {
  run_id: string;
  properties: Record<string, unknown>;
}

/** The most events of one run that are tried against the conditions of a step. */
const MOST_EVENTS = 100;

/** The events of a name that the people of these runs did since an instant of each run, the oldest of a run first. */
export const eventsSince = (
  q: Queries,
  name: string,
  runs: { personKey: string; id: string; since: Date }[],
): Promise<RecordedEvent[]> =>
  q.query(sql`
    select t.run_id, e.properties from
      unnest(${unquoted(runs.map((run) => run.personKey))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[],
        ${unquoted(runs.map((run) => run.since.toISOString()))}::timestamptz[]) as t (person_key, run_id, since)
    cross join lateral (
      select id, properties, ts from events
      where person_key = t.person_key and name = ${name} and ts >= t.since order by ts, id limit ${MOST_EVENTS}) e
    order by e.ts, e.id`);

/** The outcome of a run's step, from its passage and its delivery. */
export interface StepRow {
  run_id: string;
  step_id: string;
  failed: boolean;
  sent: boolean;
  seen: boolean;
  clicked: boolean;
}

/** Returns the outcomes of these steps of these runs. An open by a machine does not set `opened_at`. */
export const stepsOf = (
  q: Queries,
  asked: { personKey: string; runId: string; stepId: string; deliveryId: string }[],
): Promise<StepRow[]> =>
  q.query(sql`
    select t.run_id, t.step_id,
      coalesce(p.state = 'failed', false) or coalesce(d.status in ('failed', 'suppressed'), false) as failed,
      coalesce(case when d.channel = 'in_app' then d.status <> 'failed' else d.sent_at is not null end, false) as sent,
      coalesce(d.shown_at, d.opened_at, d.clicked_at) is not null as seen, d.clicked_at is not null as clicked
    from unnest(${unquoted(asked.map((one) => one.personKey))}::uuid[], ${unquoted(asked.map((one) => one.runId))}::uuid[],
        ${unquoted(asked.map((one) => one.stepId))}::text[], ${unquoted(asked.map((one) => one.deliveryId))}::uuid[])
        as t (person_key, run_id, step_id, delivery_id)
      left join campaign_passages p on p.person_key = t.person_key and p.run_id = t.run_id and p.step_id = t.step_id
      left join deliveries d on d.person_key = t.person_key and d.id = t.delivery_id`);

/** How many runs each of these people began since an instant, in all campaigns. */
export const begunSince = (q: Queries, keys: string[], since: Date): Promise<{ person_key: string; count: number }[]> =>
  q.query(sql`
    select t.person_key, count(*)::integer as count from unnest(${unquoted(keys)}::uuid[]) as t (person_key)
    join campaign_runs r on r.person_key = t.person_key and r.entered_at > ${since}
    group by t.person_key`);
