import type { Metrics } from "@tidings/contract/activity";
import { type Queries, sql } from "../platform/db/index.ts";

const COUNTS = sql`
      count(*) filter (where sent_at is not null or (channel = 'in_app' and status <> 'failed'))::integer as sent, count(case when channel = 'in_app' then shown_at else delivered_at end)::integer as delivered, count(shown_at)::integer as shown,
      count(opened_at)::integer as opened, count(clicked_at)::integer as clicked, count(dismissed_at)::integer as dismissed,
      count(bounced_at)::integer as bounced, count(unsubscribed_at)::integer as unsubscribed,
      count(*) filter (where status in ('failed', 'suppressed'))::integer as failed`;

/** Deliveries of one source that were queued within a time; either end may be open. */
export interface Range {
  since: Date | null;
  until: Date | null;
}

const within = (workspaceId: string, sourceId: string, { since, until }: Range) => sql`
  workspace_id = ${workspaceId} and source_id = ${sourceId}
      and queued_at >= coalesce(${since}::timestamptz, '-infinity') and queued_at < coalesce(${until}::timestamptz, 'infinity')`;

/**
 * What became of the deliveries of one source (a transactional, a broadcast, a campaign), counted from the same rows that
 * GET /deliveries lists, so that the two agree to the unit. Suppressed ones count as failed, and an in-app delivery is sent
 * once it is queued and delivered once it was shown (specification, Events).
 */
export async function metricsOf(q: Queries, workspaceId: string, sourceId: string, range: Range): Promise<Metrics> {
  const [row] = await q.query<Metrics>(
    sql`select ${COUNTS} from deliveries where ${within(workspaceId, sourceId, range)}`,
  );
  return row as Metrics;
}

/** The same by variant, each name among `names` if only with zeros, in one statement with the total: the parts always make the whole. */
export async function metricsByVariant(
  q: Queries,
  workspaceId: string,
  sourceId: string,
  range: Range,
  names: string[],
): Promise<Metrics & { variants: Record<string, Metrics> }> {
  const rows = await q.query<Metrics & { variant: string | null; whole: boolean }>(sql`
    select variant, grouping(variant) = 1 as whole, ${COUNTS} from deliveries
    where ${within(workspaceId, sourceId, range)} group by grouping sets ((), (variant))`);
  const zeros = {
    sent: 0,
    delivered: 0,
    shown: 0,
    opened: 0,
    clicked: 0,
    dismissed: 0,
    bounced: 0,
    unsubscribed: 0,
    failed: 0,
  };
  const numbersOf = (found: (typeof rows)[number] | undefined): Metrics => {
    if (!found) return zeros;
    const { variant: _variant, whole: _whole, ...numbers } = found;
    return numbers;
  };
  return {
    ...numbersOf(rows.find(({ whole }) => whole)),
    variants: Object.fromEntries(names.map((name) => [name, numbersOf(rows.find((row) => row.variant === name))])),
  };
}
