import type { Channel, DeliveryStatus, Metrics } from "@tidings/contract/facts/activity";
import { empty, type Queries, sql } from "../../platform/db/index.ts";

// Computes metrics by counting the rows that GET /deliveries lists. The sums of analytics have exactly the same numbers, and a test
// compares both. Rows are counted if a query names a time of queueing or asks for steps of campaigns, which the sums don't have.

const COUNTS = sql`
      count(*) filter (where sent_at is not null or (channel = 'in_app' and status <> 'failed'))::integer as sent,
      count(case when channel = 'in_app' then shown_at else delivered_at end)::integer as delivered,
      count(shown_at)::integer as shown, count(opened_at)::integer as opened,
      count(clicked_at)::integer as clicked, count(dismissed_at)::integer as dismissed,
      count(bounced_at)::integer as bounced, count(unsubscribed_at)::integer as unsubscribed,
      count(*) filter (where status in ('failed', 'suppressed'))::integer as failed`;

/** Counts deliveries of one channel, queued from `since` until before `until`. Null means no limit. */
export interface MetricsFilter {
  channel?: Channel | undefined;
  since: Date | null;
  until: Date | null;
}

const within = (workspaceId: string, sourceId: string, { channel, since, until }: MetricsFilter) => sql`
  workspace_id = ${workspaceId} and source_id = ${sourceId}
      ${channel === undefined ? empty : sql`and channel = ${channel}`}
      and queued_at >= coalesce(${since}::timestamptz, '-infinity')
      and queued_at < coalesce(${until}::timestamptz, 'infinity')`;

/**
 * Counts the results of the deliveries of one source (a transactional, a broadcast, a campaign). A suppressed delivery counts as
 * failed. An in-app delivery counts as sent when it is queued, and as delivered when it is shown (specification, Events).
 */
export async function countRows(
  q: Queries,
  workspaceId: string,
  sourceId: string,
  filter: MetricsFilter,
): Promise<Metrics> {
  const [row] = await q.query<Metrics>(
    sql`select ${COUNTS} from deliveries where ${within(workspaceId, sourceId, filter)}`,
  );
  return row as Metrics;
}

/** Counts like `countRows`, with a row for each variant. */
export const countRowsByVariant = (
  q: Queries,
  workspaceId: string,
  sourceId: string,
  filter: MetricsFilter,
): Promise<(Metrics & { variant: string | null })[]> =>
  q.query(sql`
    select variant, ${COUNTS} from deliveries where ${within(workspaceId, sourceId, filter)} group by variant`);

/** Counts the messages of a campaign like `countRows`, with a row for each step and channel. */
export const countRowsByStep = (
  q: Queries,
  workspaceId: string,
  sourceId: string,
  channel: Channel | undefined,
): Promise<(Metrics & { step_id: string; channel: Channel })[]> =>
  q.query(sql`
    select step_id, channel, ${COUNTS} from deliveries
    where ${within(workspaceId, sourceId, { channel, since: null, until: null })} and step_id is not null group by 1, 2`);

/**
 * Counts the deliveries of one source that did not arrive, by what they are and why, the most frequent first. Only the newest `most` are examined: a
 * broadcast whose provider was down has a million.
 */
export async function countFailures(
  q: Queries,
  workspaceId: string,
  sourceId: string,
  { most, groups }: { most: number; groups: number },
): Promise<{ rows: { status: DeliveryStatus; reason: string | null; count: number }[]; examined: number }> {
  const rows = await q.query<{ status: DeliveryStatus; reason: string | null; count: number; examined: number }>(sql`
    select status, reason, count(*)::integer as count, sum(count(*)) over ()::integer as examined
    from (
      select status, reason from deliveries
      where ${within(workspaceId, sourceId, { since: null, until: null })} and status in ('failed', 'suppressed', 'bounced')
      order by queued_at desc limit ${most}
    ) as newest
    group by status, reason order by count desc, status, reason limit ${groups}`);
  return {
    rows: rows.map(({ status, reason, count }) => ({ status, reason, count })),
    examined: rows[0]?.examined ?? 0,
  };
}
