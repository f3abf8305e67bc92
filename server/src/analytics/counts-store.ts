import { type Channel, Metrics, type Source } from "@tidings/contract/facts/activity";
import { countedAt } from "../activity/index.ts";
import { empty, join, type Queries, raw, sql } from "../platform/db/index.ts";
import { type Period, splitByDays } from "./period.ts";

/** The deliveries that are counted. */
export interface Scope {
  workspaceId: string;
  channel?: Channel | undefined;
  /** Default: all sources, including test sends. */
  source?: Source | undefined;
  /** One source or some of them. Null: all sources. */
  sourceId: string | readonly string[] | null;
}

const SUMS = sql`coalesce(sum(sent), 0)::bigint as sent,
  coalesce(sum(case when channel = 'in_app' then shown else delivered end), 0)::bigint as delivered,
  coalesce(sum(shown), 0)::bigint as shown, coalesce(sum(opened), 0)::bigint as opened,
  coalesce(sum(clicked), 0)::bigint as clicked, coalesce(sum(dismissed), 0)::bigint as dismissed,
  coalesce(sum(bounced), 0)::bigint as bounced, coalesce(sum(unsubscribed), 0)::bigint as unsubscribed,
  coalesce(sum(failed), 0)::bigint as failed`;

/** The columns that all tables of sums have. */
export const METRICS = Object.keys(Metrics.properties) as (keyof Metrics)[];
const ADDED = raw(METRICS.join(", "));
const CHANGED = raw(
  METRICS.map((metric) => `case when metric = '${metric}' then n else 0 end as ${metric}`).join(", "),
);

const ofSource = (id: string | readonly string[]) =>
  typeof id === "string" ? sql`and source_id = ${id}` : sql`and source_id = any(${id}::uuid[])`;

const within = ({ workspaceId, channel, source, sourceId }: Scope, { from, to }: Period) => sql`
  workspace_id = ${workspaceId}
  ${channel === undefined ? empty : sql`and channel = ${channel}`}
  ${source === undefined ? empty : sql`and source = ${source}`}
  ${sourceId === null ? empty : ofSource(sourceId)}
  ${from === null ? empty : sql`and slot >= ${from}`}
  ${to === null ? empty : sql`and slot < ${to}`}`;

const HAPPENED = join(METRICS.map((metric) => sql`(${raw(`'${metric}'`)}, ${countedAt(metric)})`));

/** Counts the deliveries themselves, in each shard: Citus allows no triggers there, so nothing is summed before. */
const countedRows = (scope: Scope, period: Period, keys: string) => sql`
  select ${raw(keys)}, ${CHANGED} from (
    select d.*, 1 as n, metric, date_bin('15 minutes', happened, 'epoch') as slot
    from deliveries d cross join lateral (values ${HAPPENED}) as h (metric, happened)
    where d.workspace_id = ${scope.workspaceId} and happened is not null) as c
  where ${within(scope, period)}`;

/**
 * Selects the sums and the changes that are not added up yet, in one statement: it sees a change either as a change or in the sums,
 * and never in both or in none. `keys` are columns that all these tables have.
 */
const cells = (q: Queries, scope: Scope, period: Period, keys: string) => {
  if (q.distributed) return countedRows(scope, period, keys);
  const sums = (table: string, part: Period) =>
    sql`select ${raw(keys)}, ${ADDED} from ${raw(table)} where ${within(scope, part)}`;
  const changes = sql`select ${raw(keys)}, ${CHANGED} from delivery_changes where ${within(scope, period)}`;
  if (scope.sourceId === null && !/source_id|variant/.test(keys))
    return sql`${sums("workspace_counts", period)} union all ${changes}`;
  if (/slot/.test(keys)) return sql`${sums("delivery_counts", period)} union all ${changes}`;
  const { days, edges } = splitByDays(period);
  const parts = [
    ...days.map((part) => sums("delivery_days", part)),
    ...edges.map((part) => sums("delivery_counts", part)),
  ];
  return join([...parts, changes], " union all ");
};

/** Returns the sums of a period. */
export async function totals(q: Queries, scope: Scope, period: Period): Promise<Metrics> {
  const [row] = await q.query<Metrics>(sql`select ${SUMS} from (${cells(q, scope, period, "channel")}) as cells`);
  return row as Metrics;
}

export interface SeriesRow extends Metrics {
  /** The number of the bucket, from 1. */
  bucket: number;
  part: Channel | Source | null;
}

/**
 * Returns the sums between each two bounds, for each channel or source if `by` is given. A bucket without events has no row.
 */
export const series = (
  q: Queries,
  scope: Scope,
  { bounds, by }: { bounds: Date[]; by: "channel" | "source" | undefined },
): Promise<SeriesRow[]> =>
  q.query(sql`
    select width_bucket(slot, ${bounds}::timestamptz[]) as bucket,
      ${by === undefined ? raw("null::text") : raw(by)} as part, ${SUMS}
    from (${cells(q, scope, { from: bounds[0] as Date, to: bounds.at(-1) as Date }, "slot, channel, source")}) as cells
    group by 1, 2 order by 2, 1`);

export interface Group extends Metrics {
  channel?: Channel;
  source?: Source;
  variant?: string | null;
}

const GROUPED = { channel: "channel", source: "source, channel", variant: "variant, channel" };

/** Returns the sums of a period by channel, source or variant. */
export const groups = (q: Queries, scope: Scope, period: Period, by: keyof typeof GROUPED): Promise<Group[]> =>
  q.query(sql`
    select ${raw(by)}, ${SUMS} from (${cells(q, scope, period, GROUPED[by])}) as cells
    group by 1 order by 1`);

/** Stands for the source of deliveries without a definition, such as raw transactionals. */
export const NO_SOURCE = "00000000-0000-0000-0000-000000000000";

export interface SourceGroup extends Metrics {
  source: Source;
  source_id: string;
}

/** The order of sources: by a metric, or else the newest first. */
export interface SourceSort {
  metric: keyof Metrics | undefined;
  descending: boolean;
}

/** Returns a page of the sums by source. `after` is the last source of the page before: its metric, if they are sorted by one, its id and its kind. */
export function bySource(
  q: Queries,
  scope: Scope,
  { period, sort, after, limit }: { period: Period; sort: SourceSort; after: string[] | undefined; limit: number },
): Promise<SourceGroup[]> {
  const [order, beyond] = sort.descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const [number, numberAfter] = sort.metric
    ? [sql`${raw(sort.metric)},`, sql`${after?.[0] ?? null}::bigint,`]
    : [empty, empty];
  const [id, kind] = after?.slice(-2) ?? [];
  return q.query(sql`
    select * from (
      select coalesce(source_id, ${NO_SOURCE}::uuid) as source_id, source, ${SUMS}
      from (${cells(q, scope, period, "source_id, source, channel")}) as cells
      group by 1, 2) as sources
    ${after ? sql`where (${number} source_id, source) ${beyond} (${numberAfter} ${id}::uuid, ${kind})` : empty}
    order by ${sort.metric ? sql`${raw(sort.metric)} ${order},` : empty} source_id ${order}, source ${order} limit ${limit}`);
}
