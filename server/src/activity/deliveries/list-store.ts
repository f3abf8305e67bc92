import type { Channel, DeliveryExportQuery, DeliveryStatus, Metrics, Source } from "@tidings/contract/facts/activity";
import { empty, type Queries, raw, sql, type Sql } from "../../platform/db/index.ts";

export interface DeliveryRow {
  person_key: string;
  person_id: string | null;
  id: string;
  channel: Channel;
  source: Source;
  source_id: string | null;
  step_id: string | null;
  step_position: number | null;
  variant: string | null;
  message_id: string | null;
  status: DeliveryStatus;
  reason: string | null;
  recipient: string | null;
  priority: number;
  queued_at: Date;
  due_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  bounced_at: Date | null;
  complained_at: Date | null;
  unsubscribed_at: Date | null;
  failed_at: Date | null;
  shown_at: Date | null;
  opened_at: Date | null;
  clicked_at: Date | null;
  dismissed_at: Date | null;
  expires_at: Date | null;
  impressions: number;
  attempts: number;
  provider: string | null;
  provider_message_id: string | null;
}

export const COLUMNS = sql`d.person_key, p.person_id, d.id, d.channel,
  d.source, d.source_id, d.step_id, d.step_position, d.variant, d.message_id, d.status, d.reason, d.recipient, d.priority,
  d.queued_at, d.due_at, d.sent_at, d.delivered_at, d.bounced_at, d.complained_at, d.unsubscribed_at, d.failed_at,
  d.shown_at, d.opened_at, d.clicked_at, d.dismissed_at, d.expires_at,
  d.impressions, d.attempts, d.provider, d.provider_message_id`;

/** A failed delivery that a provider may have all the same: outbound's reason begins with this word. */
const MAY_HAVE_IT = sql`(d.status = 'failed' and coalesce(d.reason, '') like 'undetermined:%')`;

const undeterminedIs = (undetermined: boolean): Sql =>
  undetermined ? sql`and d.at_most_once and ${MAY_HAVE_IT}` : sql`and not ${MAY_HAVE_IT}`;

/** The deliveries that a number of analytics counts, of all times or of a range. */
interface Counted {
  metric: keyof Metrics;
  from: Date | undefined;
  to: Date | undefined;
}

/** Returns when a delivery `d` counts in a metric, as the triggers that count have it; null where it does not. */
export function countedAt(metric: keyof Metrics): Sql {
  if (metric === "sent")
    return sql`case when d.channel <> 'in_app' then d.sent_at when d.status <> 'failed' then d.queued_at end`;
  if (metric === "delivered") return sql`case when d.channel = 'in_app' then d.shown_at else d.delivered_at end`;
  if (metric === "failed")
    return sql`case when d.status in ('failed', 'suppressed') then coalesce(d.failed_at, d.queued_at) end`;
  return raw(`d.${metric}_at`);
}

const counts = ({ metric, from, to }: Counted): Sql => sql`
  and ${countedAt(metric)} is not null
  ${from === undefined ? empty : sql`and ${countedAt(metric)} >= ${from}`}
  ${to === undefined ? empty : sql`and ${countedAt(metric)} < ${to}`}`;

export interface DeliveryFilter
  extends Omit<DeliveryExportQuery, "source_id" | "since" | "until" | "metric" | "from" | "to"> {
  source_id: string | undefined;
  person_key: string | undefined;
  since: Date | undefined;
  until: Date | undefined;
  counted?: Counted | undefined;
  /** What `q` means. */
  search?: Search | undefined;
}

/** What somebody searches for: one delivery, the deliveries of a source, or those of some people. */
export type Search = { id: string } | { sourceId: string } | { personKeys: string[] };

const searchedFor = (search: Search): Sql => {
  if ("id" in search) return sql`and d.id = ${search.id}`;
  if ("sourceId" in search) return sql`and d.source_id = ${search.sourceId}`;
  return sql`and d.person_key = any(${search.personKeys}::uuid[])`;
};

/** The conditions that an index answers. */
const selected = (workspaceId: string, filter: DeliveryFilter): Sql => sql`
  d.workspace_id = ${workspaceId}
    ${filter.search === undefined ? empty : searchedFor(filter.search)}
    ${filter.person_key === undefined ? empty : sql`and d.person_key = ${filter.person_key}`}
    ${filter.source_id === undefined ? empty : sql`and d.source_id = ${filter.source_id}`}
    ${filter.since === undefined ? empty : sql`and d.queued_at >= ${filter.since}`}
    ${filter.until === undefined ? empty : sql`and d.queued_at < ${filter.until}`}`;

/** The other conditions, without those on the status and the channel. */
const passing = (filter: DeliveryFilter): Sql => sql`
  ${filter.source === undefined ? empty : sql`and d.source = ${filter.source}`}
  ${filter.step === undefined ? empty : sql`and d.step_id = ${filter.step}`}
  ${filter.variant === undefined ? empty : sql`and d.variant = ${filter.variant}`}
  ${filter.reason === undefined ? empty : sql`and d.reason = ${filter.reason}`}
  ${filter.undetermined === undefined ? empty : undeterminedIs(filter.undetermined)}
  ${filter.counted === undefined ? empty : counts(filter.counted)}`;

/**
 * The condition of the index deliveries_trouble. Whoever writes one of these statuses or counts one of these metrics writes a reason or a time
 * with it. An index on the status itself would make the first impression of each in-app message more than a heap-only update.
 */
const TROUBLE = sql`(d.reason is not null or d.failed_at is not null or d.bounced_at is not null or d.complained_at is not null
  or d.unsubscribed_at is not null)`;
const TROUBLES: ReadonlySet<string> = new Set<DeliveryStatus | keyof Metrics>([
  "failed",
  "suppressed",
  "bounced",
  "complained",
  "unsubscribed",
]);
const isTrouble = ({ status, counted }: DeliveryFilter): boolean =>
  TROUBLES.has(status ?? "") || TROUBLES.has(counted?.metric ?? "");

export interface DeliveryPage {
  filter: DeliveryFilter;
  /** The decoded cursor: `queued_at` and id of the last delivery of the page before. */
  after: string[] | undefined;
  descending: boolean;
  limit: number;
}

/** Returns a page of deliveries in the order of `queued_at`. */
export function listDeliveries(
  q: Queries,
  workspaceId: string,
  { filter, after, descending, limit }: DeliveryPage,
): Promise<DeliveryRow[]> {
  const [order, beyond] = descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  return q.query(sql`
    select ${COLUMNS} from deliveries d left join people p on p.person_key = d.person_key
    where ${selected(workspaceId, filter)} ${passing(filter)}
      ${filter.status === undefined ? empty : sql`and d.status = ${filter.status}`}
      ${filter.channel === undefined ? empty : sql`and d.channel = ${filter.channel}`}
      ${isTrouble(filter) ? sql`and ${TROUBLE}` : empty}
      ${after ? sql`and (d.queued_at, d.id) ${beyond} (${after[0]}::timestamptz, ${after[1]}::uuid)` : empty}
    order by d.queued_at ${order}, d.id ${order} limit ${limit}`);
}

type CountedDeliveries = { status: DeliveryStatus; channel: Channel; n: number };

/**
 * Counts deliveries by their status and channel, whatever those of the filter are. Only the newest `most` are examined, those that an index selects, so
 * that it takes milliseconds among any number of them; `examined` is how many they were.
 */
export async function countDeliveries(
  q: Queries,
  workspaceId: string,
  { filter, most }: { filter: DeliveryFilter; most: number },
): Promise<{ groups: CountedDeliveries[]; examined: number }> {
  const groups = await q.query<CountedDeliveries & { examined: number }>(sql`
    select d.status, d.channel, count(*) filter (where true ${passing(filter)})::integer as n, count(*)::integer as examined
    from (select * from deliveries d where ${selected(workspaceId, filter)} order by d.queued_at desc limit ${most}) as d
    group by d.status, d.channel`);
  return { groups, examined: groups.reduce((sum, group) => sum + group.examined, 0) };
}

/** Returns the keys of up to 100 people who have this email, and of as many who have this phone number, which may have spaces in it. */
export const keysOfAddress = async (q: Queries, workspaceId: string, address: string): Promise<string[]> =>
  (
    await q.query<{ person_key: string }>(sql`
      (select person_key from people where workspace_id = ${workspaceId} and email = ${address.toLowerCase()} limit 100)
      union all
      (select person_key from people where workspace_id = ${workspaceId} and phone = ${address.replaceAll(/[\s()./-]/g, "")} limit 100)`)
  ).map((row) => row.person_key);
