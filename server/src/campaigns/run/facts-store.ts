import type { Channel } from "@tidings/contract/facts/activity";
import { prepared, type Queries, sql, unquoted } from "../../platform/db/index.ts";

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
): Promise<RecordedEvent[]> => {
  const asked = sql`
      unnest(${unquoted(runs.map((run) => run.personKey))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[],
        ${unquoted(runs.map((run) => run.since))}::timestamptz[]) as t (person_key, run_id, since)`;
  return q.query(
    q.distributed
      ? sql`
    select run_id, properties from (
      select t.run_id, e.properties, e.ts, e.id, row_number() over (partition by e.person_key, t.run_id order by e.ts, e.id) as nth
      from events e join ${asked} on t.person_key = e.person_key and e.ts >= t.since
      where e.person_key = any(${unquoted(runs.map((run) => run.personKey))}::uuid[]) and e.name = ${name}) numbered
    where nth <= ${MOST_EVENTS} order by ts, id`
      : sql`
    select t.run_id, e.properties from ${asked}
    cross join lateral (
      select id, properties, ts from events
      where person_key = t.person_key and name = ${name} and ts >= t.since order by ts, id limit ${MOST_EVENTS}) e
    order by e.ts, e.id`,
  );
};

/** The outcome of a run's step, from its passage and its delivery. */
export interface StepRow {
  run_id: string;
  step_id: string;
  failed: boolean;
  sent: boolean;
  seen: boolean;
  clicked: boolean;
}

/** The first instant at which a person saw a delivery. An open by a machine does not set `opened_at`. */
const SEEN_AT = sql`least(d.shown_at, d.opened_at, d.clicked_at)`;

/**
 * Returns the outcomes of these steps of these runs, one for each run and step: a step that has several messages was seen if one of them
 * was, and failed if all of them did.
 */
export const stepsOf = (
  q: Queries,
  asked: { personKey: string; runId: string; stepId: string; deliveryId: string }[],
): Promise<StepRow[]> =>
  q.query(sql`
    select t.run_id, t.step_id,
      coalesce(bool_or(p.state = 'failed'), false) or coalesce(bool_and(d.status in ('failed', 'suppressed')), false) as failed,
      coalesce(bool_or(case when d.channel = 'in_app' then d.status <> 'failed' else d.sent_at is not null end), false) as sent,
      bool_or(${SEEN_AT} is not null) as seen, bool_or(d.clicked_at is not null) as clicked
    from unnest(${unquoted(asked.map((one) => one.personKey))}::uuid[], ${unquoted(asked.map((one) => one.runId))}::uuid[],
        ${unquoted(asked.map((one) => one.stepId))}::text[], ${unquoted(asked.map((one) => one.deliveryId))}::uuid[])
        as t (person_key, run_id, step_id, delivery_id)
      left join campaign_passages p on p.person_key = t.person_key and p.run_id = t.run_id and p.step_id = t.step_id
      left join deliveries d on d.person_key = t.person_key and d.id = t.delivery_id
    group by t.run_id, t.step_id`);

/** A message of a step, with its delivery if there is one. */
export interface SentRow {
  delivery_id: string;
  channel: Channel | null;
  status: string | null;
  reason: string | null;
  queued_at: Date | null;
  seen_at: Date | null;
  inbox: boolean | null;
  /** Why it failed, from the passage: a message that failed for everybody has no delivery. */
  noted: string | null;
}

/** Returns what became of these messages of steps, in any order. */
export const sentOf = (
  q: Queries,
  asked: { personKey: string; runId: string; stepId: string; position: number; deliveryId: string }[],
): Promise<SentRow[]> =>
  q.query(
    prepared(
      "campaigns.sentOf",
      sql`
      select t.delivery_id, d.channel, d.status, d.reason, d.queued_at, ${SEEN_AT} as seen_at, d.inbox,
        p.detail #>> array['messages', t.position::text, 'reason'] as noted
      from unnest(${unquoted(asked.map((one) => one.personKey))}::uuid[], ${unquoted(asked.map((one) => one.runId))}::uuid[],
          ${unquoted(asked.map((one) => one.stepId))}::text[], ${unquoted(asked.map((one) => one.position))}::integer[],
          ${unquoted(asked.map((one) => one.deliveryId))}::uuid[]) as t (person_key, run_id, step_id, position, delivery_id)
        left join deliveries d on d.person_key = t.person_key and d.id = t.delivery_id
        left join campaign_passages p on p.person_key = t.person_key and p.run_id = t.run_id and p.step_id = t.step_id`,
    ),
  );

/** How many runs each of these people began since an instant, in all campaigns. */
export const begunSince = (q: Queries, keys: string[], since: Date): Promise<{ person_key: string; count: number }[]> =>
  q.query(sql`
    select t.person_key, count(*)::integer as count from unnest(${unquoted(keys)}::uuid[]) as t (person_key)
    join campaign_runs r on r.person_key = t.person_key and r.entered_at > ${since}
    group by t.person_key`);
