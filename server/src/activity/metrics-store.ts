import type { Channel, Metrics } from "@tidings/contract/facts/activity";
import { empty, type Queries, sql } from "../platform/db/index.ts";

// Numbers by counting the rows that GET /deliveries lists. The sums of analytics are these to the unit, and a test counts both; rows are
// counted where a time of queueing is asked for, which the sums don't know.

const COUNTS = sql`
      count(*) filter (where sent_at is not null or (channel = 'in_app' and status <> 'failed'))::integer as sent, count(case when channel = 'in_app' then shown_at else delivered_at end)::integer as delivered, count(shown_at)::integer as shown,
      count(opened_at)::integer as opened, count(clicked_at)::integer as clicked, count(dismissed_at)::integer as dismissed,
      count(bounced_at)::integer as bounced, count(unsubscribed_at)::integer as unsubscribed,
      count(*) filter (where status in ('failed', 'suppressed'))::integer as failed`;

/** Of one channel, and queued within a time; either end may be open. */
export interface Which {
  channel?: Channel | undefined;
  since: Date | null;
  until: Date | null;
}

const within = (workspaceId: string, sourceId: string, { channel, since, until }: Which) => sql`
  workspace_id = ${workspaceId} and source_id = ${sourceId} ${channel === undefined ? empty : sql`and channel = ${channel}`}
      and queued_at >= coalesce(${since}::timestamptz, '-infinity') and queued_at < coalesce(${until}::timestamptz, 'infinity')`;

/**
 * What became of the deliveries of one source (a transactional, a broadcast, a campaign). Suppressed ones count as failed, and an
 * in-app delivery is sent once it is queued and delivered once it was shown (specification, Events).
 */
export async function countRows(q: Queries, workspaceId: string, sourceId: string, which: Which): Promise<Metrics> {
  const [row] = await q.query<Metrics>(
    sql`select ${COUNTS} from deliveries where ${within(workspaceId, sourceId, which)}`,
  );
  return row as Metrics;
}

/** The same, a row for each variant. */
export const countRowsByVariant = (
  q: Queries,
  workspaceId: string,
  sourceId: string,
  which: Which,
): Promise<(Metrics & { variant: string | null })[]> =>
  q.query(sql`
    select variant, ${COUNTS} from deliveries where ${within(workspaceId, sourceId, which)} group by variant`);
