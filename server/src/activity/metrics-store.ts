import type { Metrics } from "@tidings/contract/activity";
import { type Queries, sql } from "../platform/db/index.ts";

/**
 * What became of the deliveries of one source (a transactional, a broadcast, a campaign), counted from the same rows that
 * GET /deliveries lists, so that the two agree to the unit. Suppressed ones count as failed, and an in-app delivery is sent
 * once it is queued and delivered once it was shown (specification, Events).
 */
export async function metricsOf(
  q: Queries,
  workspaceId: string,
  sourceId: string,
  range: { since: Date | null; until: Date | null },
): Promise<Metrics> {
  const [row] = await q.query<Metrics>(sql`
    select count(*) filter (where sent_at is not null or (channel = 'in_app' and status <> 'failed'))::integer as sent, count(case when channel = 'in_app' then shown_at else delivered_at end)::integer as delivered, count(shown_at)::integer as shown,
      count(opened_at)::integer as opened, count(clicked_at)::integer as clicked, count(dismissed_at)::integer as dismissed,
      count(bounced_at)::integer as bounced, count(unsubscribed_at)::integer as unsubscribed,
      count(*) filter (where status in ('failed', 'suppressed'))::integer as failed
    from deliveries
    where workspace_id = ${workspaceId} and source_id = ${sourceId}
      and queued_at >= coalesce(${range.since}::timestamptz, '-infinity') and queued_at < coalesce(${range.until}::timestamptz, 'infinity')`);
  return row as Metrics;
}
