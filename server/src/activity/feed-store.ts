import type { Channel, Source } from "@tidings/contract/facts/activity";
import {
  empty,
  narrowed,
  openFrom,
  prepared,
  type Queries,
  type Sql,
  sql,
  transactionId,
  type Tx,
} from "../platform/db/index.ts";
import { namedAfterMerges } from "../workspaces/index.ts";
import { type EntryColumns, entriesWhere, isOneOf, unlessUnwanted } from "./deliveries/entries-store.ts";

/** A position between two events of a workspace, in the order of the feed. */
export interface Position {
  /** A PostgreSQL transaction id (xid8), too big for a number. */
  txid: string;
  id: string;
}

/** The position before the first event. */
export const OLDEST: Position = { txid: "0", id: "00000000-0000-0000-0000-000000000000" };

export interface FeedEvent extends Position {
  type: string;
  at: Date;
  data: Record<string, unknown>;
  person_key: string;
  person_id: string | null;
  delivery_id: string | null;
  channel: Channel | null;
  source: Source | null;
  source_id: string | null;
  step_id: string | null;
  variant: string | null;
  message_id: string | null;
  recipient: string | null;
}

export interface FeedPage {
  events: FeedEvent[];
  /** The position to continue at: after all rows that were read, even if none of them is returned. */
  next: Position;
  /** Whether more events can be read now. */
  more: boolean;
}

/** The most rows that one page reads, so that a reader of a rare type can't hold a connection for millions of other rows. */
const MOST_SCANNED = 2_000;

interface Scanned extends Omit<FeedEvent, "id"> {
  id: string | null;
  xmin: string;
  scanned: number;
  last_txid: string | null;
  last_id: string | null;
}

/** What an entry has of its delivery. */
const OF_DELIVERY = sql`d.channel, d.source, d.source_id, d.step_id, d.variant, d.message_id, d.recipient`;
/** An entry `w`, with its person `p` and its delivery `d`. */
export const EVENT = sql`w.txid::text, w.id, w.type, w.at, w.data, w.delivery_id, w.person_key, p.person_id, ${OF_DELIVERY}`;

/** A part of the log behind a position: before an end (`openFrom`), not behind `until`, and at most `limit` entries of it. */
interface Beginning {
  end?: Sql;
  until?: Position | undefined;
  limit: number;
  /** Kinds of which no entry is of these types are left out; none or empty: no kind. */
  types?: string[];
}

/** Selects the first entries of each kind behind a position. */
export const behind = (workspaceId: string, after: Position, { end, until, limit, types = [] }: Beginning): Sql =>
  entriesWhere(
    (e) => sql`${e.workspace_id} = ${workspaceId}
      and (${e.txid}, ${e.id}) > (${after.txid}::xid8, ${after.id}::uuid)
      ${end ? sql`and ${e.txid} < ${end}` : empty}
      ${until ? sql`and (${e.txid}, ${e.id}) <= (${until.txid}::xid8, ${until.id}::uuid)` : empty}
      ${unlessUnwanted(e, types)}
      order by ${e.txid}, ${e.id} limit ${limit}`,
  );

/**
 * Returns the events after a position, oldest first, of the given types ("email.bounced", "email.*"; an empty list: all). The feed
 * ends before the oldest open transaction: its events will come after that point, and a reader beyond it would skip them.
 */
export async function readFeed(
  q: Queries,
  workspaceId: string,
  { after, types, limit }: { after: Position; types: string[]; limit: number },
): Promise<FeedPage> {
  const end = await openFrom(q);
  const most = types.length === 0 ? Math.min(limit + 1, MOST_SCANNED) : MOST_SCANNED;
  const scanned = behind(workspaceId, after, { end: sql`(select xmin from mark)`, limit: most, types });
  const rows = await q.query<Scanned>(
    prepared(
      "activity.feed",
      sql`
      with mark as materialized (select ${end} as xmin),
      scanned as materialized (
        select * from (${scanned}) log order by txid, id limit ${most}),
      ending as (select count(*) over () as scanned, txid, id from scanned order by txid desc, id desc limit 1),
      wanted as (
        select * from scanned
        where cardinality(${types}::text[]) = 0 or ${isOneOf(sql`type`, types)}
        order by txid, id limit ${limit + 1})
      select m.xmin::text, coalesce(e.scanned, 0) as scanned, e.txid::text as last_txid, e.id as last_id,
        ${EVENT}
      from mark m left join ending e on true left join wanted w on true
        left join ${narrowed(q, "people", "person_key", "wanted")} p on p.person_key = w.person_key
        left join ${narrowed(q, "deliveries", "person_key", "wanted")} d
          on d.person_key = w.person_key and d.id = w.delivery_id
      order by w.txid, w.id`,
    ),
  );
  const found = rows.filter((row): row is Scanned & FeedEvent => row.id !== null);
  const events = await afterMerges(q, found.slice(0, limit));
  const last = events.at(-1);
  if (last && found.length > limit) return { events, next: { txid: last.txid, id: last.id }, more: true };
  const [first] = rows as [Scanned];
  if (first.last_txid !== null && first.last_id !== null && first.scanned === most)
    return { events, next: { txid: first.last_txid, id: first.last_id }, more: true };
  // A cursor from the future (a database restored from an older copy) stays where it is instead of going back.
  const next = BigInt(after.txid) > BigInt(first.xmin) ? after : { txid: first.xmin, id: OLDEST.id };
  return { events, next, more: false };
}

/** Gives entries that were written of a merged person during the merge to the person who stayed, with what their deliveries say. */
export async function afterMerges<T extends FeedEvent>(q: Queries, events: T[]): Promise<T[]> {
  const named = await namedAfterMerges(q, events);
  const lacking = named.filter(
    (event, at) => event !== events[at] && event.delivery_id !== null && event.channel === null,
  );
  if (lacking.length === 0) return named;
  const found = await q.query<{ id: string }>(sql`
    select d.id, ${OF_DELIVERY} from deliveries d
    where d.person_key = any(${lacking.map(({ person_key }) => person_key)}::uuid[])
      and d.id = any(${lacking.map(({ delivery_id }) => delivery_id)}::uuid[])`);
  const deliveries = new Map(found.map(({ id, ...delivery }) => [id, delivery]));
  return named.map((event) => ({ ...event, ...(event.channel === null && deliveries.get(event.delivery_id ?? "")) }));
}

/** Which events `readBack` returns. */
export interface FeedFilter {
  /** Types, such as `email.sent`, and families, such as `email.*`; empty: all. */
  types: string[];
  channel: Channel | undefined;
  source: Source | undefined;
  sourceId: string | undefined;
  personKey: string | undefined;
}

/** The most events that one page looks through for those of its filter: 10,000 with their deliveries take 60 ms. */
const MOST_LOOKED_THROUGH = 10_000;

/**
 * Returns the events before a position, newest first; without one, from the newest that the feed has. `after` is where the next page begins
 * if this one ended because it looked through enough events, and undefined if there are no older ones.
 */
export async function readBack(
  q: Queries,
  workspaceId: string,
  { filter, before, limit }: { filter: FeedFilter; before: Position | undefined; limit: number },
): Promise<{ events: FeedEvent[]; after: Position | undefined }> {
  const { types, channel, source, sourceId, personKey } = filter;
  const filtered = types.length > 0 || Boolean(channel ?? source ?? sourceId);
  const most = filtered ? MOST_LOOKED_THROUGH : limit;
  // The events of a person are found by the key of the person. By the index of the feed, all of the workspace would be read.
  const end = await openFrom(q);
  const families = channel === undefined ? [] : [`${channel}.*`];
  const chosen = (e: Pick<EntryColumns, "txid" | "id" | "workspace_id" | "type" | "oneType">) => sql`
      ${e.workspace_id} = ${workspaceId} and ${e.txid} < (select xmin from mark)
      ${unlessUnwanted(e, types)} ${unlessUnwanted(e, families)}
      ${before === undefined ? empty : sql`and (${e.txid}, ${e.id}) < (${before.txid}::xid8, ${before.id}::uuid)`}
      order by ${e.txid} desc, ${e.id} desc limit ${most}`;
  const log = personKey === undefined ? entriesWhere(chosen) : entriesWhere((e) => sql`${e.person_key} = ${personKey}`);
  const rows = await q.query<
    Omit<FeedEvent, "id"> & { id: string | null; looked: number; end_txid: string | null; end_id: string }
  >(sql`
    with mark as materialized (select ${end} as xmin),
    log as ${personKey === undefined ? empty : sql`materialized`} (${log}),
    looked as materialized (
      select * from log where ${chosen({ txid: sql`txid`, id: sql`id`, workspace_id: sql`workspace_id`, type: sql`type` })}),
    ending as (select count(*) over ()::integer as looked, txid, id from looked order by txid, id limit 1),
    wanted as (
      select l.* from looked l
      ${source === undefined && sourceId === undefined ? empty : sql`join deliveries s on s.person_key = l.person_key and s.id = l.delivery_id`}
      where true
        ${channel === undefined ? empty : sql`and split_part(l.type, '.', 1) = ${channel}`}
        ${types.length === 0 ? empty : sql`and ${isOneOf(sql`l.type`, types)}`}
        ${source === undefined ? empty : sql`and s.source = ${source}`}
        ${sourceId === undefined ? empty : sql`and s.source_id = ${sourceId}`}
      order by l.txid desc, l.id desc limit ${limit})
    select e.looked, e.txid::text as end_txid, e.id as end_id, ${EVENT}
    from ending e left join wanted w on true
      left join ${narrowed(q, "people", "person_key", "wanted")} p on p.person_key = w.person_key
      left join ${narrowed(q, "deliveries", "person_key", "wanted")} d
        on d.person_key = w.person_key and d.id = w.delivery_id
    order by w.txid desc, w.id desc`);
  const events = await afterMerges(
    q,
    rows.filter((row): row is (typeof rows)[number] & FeedEvent => row.id !== null),
  );
  const [first] = rows;
  const more = first !== undefined && first.end_txid !== null && first.looked === most;
  return { events, after: more ? { txid: first.end_txid as string, id: first.end_id } : undefined };
}

/** Returns the position after all events that can be read now. Events that are committed later come after it. */
export async function endOfFeed(q: Queries): Promise<Position> {
  const rows = await q.query<{ xmin: string }>(sql`select (${await openFrom(q)})::text as xmin`);
  return { txid: rows[0]?.xmin ?? OLDEST.txid, id: OLDEST.id };
}

/**
 * Returns the position after all transactions that began before this one. While an older transaction is open, on any database of
 * this PostgreSQL, `endOfFeed` is before events that are committed already: a reader from now on must not get those.
 */
export const fromNow = async (tx: Tx): Promise<Position> => ({ txid: await transactionId(tx), id: OLDEST.id });

/** Events that are committed at about the same time may be in another order than their times. */
const MARGIN_MS = 60_000;

/** How old a report of an application may be that was offline. Its entry in the log has the time of the report, not that of its writing. */
export const OLDEST_REPORT_MS = 7 * 86_400_000;
/** What applications and providers report, with their own times. */
const BY_APPLICATIONS = ["in_app.impression", "in_app.click", "in_app.dismiss"];
const BY_PROVIDERS = ["delivered", "bounced", "complained", "failed", "opened", "clicked", "unsubscribed"];

/**
 * Returns a position with no event of `since` or later before it. It searches from the end, so the recent past is found quickly, for an entry that was surely
 * written before: of what others report, the time alone does not tell.
 */
export async function positionAt(q: Queries, workspaceId: string, since: Date): Promise<Position> {
  const before = new Date(since.getTime() - MARGIN_MS);
  const old = entriesWhere(
    (e) => sql`${e.workspace_id} = ${workspaceId} and ${e.at} < ${before}
      and split_part(${e.type}, '.', 2) <> all(${BY_PROVIDERS}::text[])
      and (${e.type} <> all(${BY_APPLICATIONS}::text[]) or ${e.at} < ${new Date(before.getTime() - OLDEST_REPORT_MS)})
      order by ${e.txid} desc, ${e.id} desc limit 1`,
  );
  const [row] = await q.query<Position>(sql`
    select log.txid::text, id from (${old}) log order by log.txid desc, id desc limit 1`);
  return row ?? OLDEST;
}

/** Returns the time of the first event after a position and before an end (`openFrom`); undefined where all have been read. */
export async function timeAfter(
  q: Queries,
  workspaceId: string,
  after: Position,
  end?: Sql,
): Promise<Date | undefined> {
  const next = behind(workspaceId, after, { end: end ?? (await openFrom(q)), limit: 1 });
  const [row] = await q.query<{ at: Date }>(sql`select at from (${next}) log order by txid, id limit 1`);
  return row?.at;
}
