import { COLUMNS, type DeliveryRow } from "./deliveries/list-store.ts";
import {
  empty,
  type MarkedRow,
  markedPage,
  narrowed,
  openFrom,
  prepared,
  type Queries,
  sql,
  type Sql,
} from "../platform/db/index.ts";
import { namedAfterMerges } from "../workspaces/index.ts";
import { afterMerges, behind, EVENT, type FeedEvent, type Position } from "./feed-store.ts";

/** A part of the log: behind a position, at most `limit` entries, and none behind `until`. */
export interface Stretch {
  after: Position;
  until: Position | undefined;
  limit: number;
}

/** The log before the oldest open transaction, which is `xmin`. Entries that are committed later come after it. */
const scanned = (end: Sql, workspaceId: string, { after, until, limit }: Stretch): Sql => sql`
  mark as materialized (select ${end} as xmin),
  scanned as materialized (
    select * from (${behind(workspaceId, after, { end: sql`(select xmin from mark)`, until, limit })}) log
    order by txid, id limit ${limit})`;

/** Returns the entries of a part of the log, oldest first, with their deliveries, and the oldest transaction that was open. */
export async function followEntries(
  q: Queries,
  workspaceId: string,
  stretch: Stretch,
): Promise<{ rows: FeedEvent[]; xmin: string }> {
  const end = await openFrom(q);
  const rows = await q.query<MarkedRow<FeedEvent>>(
    prepared(
      stretch.until ? "activity.followUntil" : "activity.follow",
      sql`
      with ${scanned(end, workspaceId, stretch)}
      select m.xmin::text, ${EVENT}
      from mark m left join scanned w on true
        left join ${narrowed(q, "people", "person_key", "scanned")} p on p.person_key = w.person_key
        left join ${narrowed(q, "deliveries", "person_key", "scanned")} d
          on d.person_key = w.person_key and d.id = w.delivery_id
      order by w.txid, w.id`,
    ),
  );
  const page = markedPage<FeedEvent>(rows);
  return { ...page, rows: await afterMerges(q, page.rows) };
}

/** A delivery as destinations get it. */
export interface StreamedDelivery extends DeliveryRow {
  read_at: Date | null;
  /** The time of queueing with all its digits. */
  queued: string;
}

const STREAMED = sql`${COLUMNS}, d.read_at, d.queued_at::text as queued`;

/** Deliveries, and the oldest transaction that was open when they were read. */
export interface Deliveries {
  rows: StreamedDelivery[];
  xmin: string;
}

/**
 * Returns the deliveries that a part of the log is about, as they are now, and where the part ends. All changes by transactions before
 * `xmin` are in them, and each change writes an entry, or is one: so of two states of a delivery that a stream has, the one with the larger `xmin` is later.
 * A transaction that ends while its person is merged may leave its entry with that person, and its delivery with the one who stayed: both are asked.
 */
export async function followDeliveries(
  q: Queries,
  workspaceId: string,
  stretch: Stretch,
): Promise<Deliveries & { entries: number; last: (Position & { at: Date }) | undefined }> {
  const end = await openFrom(q);
  const rows = await q.query<
    MarkedRow<StreamedDelivery> & { entries: number | null; last_txid: string; last_id: string; last_at: Date }
  >(
    prepared(
      stretch.until ? "activity.followDeliveriesUntil" : "activity.followDeliveries",
      sql`
      with ${scanned(end, workspaceId, stretch)},
      ending as (select count(*) over () as entries, txid, id, at from scanned order by txid desc, id desc limit 1),
      told as materialized (select distinct person_key, delivery_id from scanned where delivery_id is not null),
      changed as (
        select ${STREAMED} from (
          select person_key, delivery_id from told union
          select m.person_key, t.delivery_id from told t join merged_people m on m.merged_key = t.person_key) c
        join deliveries d on d.person_key = c.person_key and d.id = c.delivery_id
        left join people p on p.person_key = d.person_key)
      select m.xmin::text, e.entries, e.txid::text as last_txid, e.id as last_id, e.at as last_at, c.*
      from mark m left join ending e on true left join changed c on true
      order by c.queued_at, c.id`,
    ),
  );
  const [first] = rows as [(typeof rows)[number]];
  const last = first.entries === null ? undefined : { txid: first.last_txid, id: first.last_id, at: first.last_at };
  return { ...(await named(q, rows)), entries: first.entries ?? 0, last };
}

/** Returns deliveries in the order of their queueing, behind those before, none that was queued after `before`. */
export async function oldDeliveries(
  q: Queries,
  workspaceId: string,
  {
    before,
    after,
    until,
    limit,
  }: { before: string; after: string[] | null; until: string[] | undefined; limit: number },
): Promise<Deliveries> {
  const end = await openFrom(q);
  const rows = await q.query<MarkedRow<StreamedDelivery>>(sql`
    with mark as materialized (select ${end} as xmin),
    page as materialized (
      select * from deliveries
      where workspace_id = ${workspaceId} and queued_at <= ${before}::timestamptz
        ${after ? sql`and queued_at >= ${after[0]}::timestamptz and (queued_at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)` : empty}
        ${until ? sql`and (queued_at, id) <= (${until[0]}::timestamptz, ${until[1]}::uuid)` : empty}
      order by queued_at, id limit ${limit})
    select m.xmin::text, ${STREAMED}
    from mark m left join page d on true
      left join ${narrowed(q, "people", "person_key", "page")} p on p.person_key = d.person_key
    order by d.queued_at, d.id`);
  return named(q, rows);
}

async function named(q: Queries, rows: MarkedRow<StreamedDelivery>[]): Promise<Deliveries> {
  const page = markedPage<StreamedDelivery>(rows);
  return { ...page, rows: await namedAfterMerges(q, page.rows) };
}
