import type { Channel, Source } from "@tidings/contract/facts/activity";
import { prepared, type Queries, sql, type Tx } from "../platform/db/index.ts";

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

/**
 * Returns the events after a position, oldest first, of the given types ("email.bounced", "email.*"; an empty list: all). The feed
 * ends before the oldest open transaction: its events will come after that point, and a reader beyond it would skip them.
 */
export async function readFeed(
  q: Queries,
  workspaceId: string,
  { after, types, limit }: { after: Position; types: string[]; limit: number },
): Promise<FeedPage> {
  const rows = await q.query<Scanned>(
    prepared(
      "activity.feed",
      sql`
      with mark as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as xmin),
      scanned as materialized (
        select a.* from activity a
        where a.workspace_id = ${workspaceId} and (a.txid, a.id) > (${after.txid}::xid8, ${after.id}::uuid)
          and a.txid < (select xmin from mark)
        order by a.txid, a.id limit ${MOST_SCANNED}),
      ending as (select count(*) over () as scanned, txid, id from scanned order by txid desc, id desc limit 1),
      wanted as (
        select * from scanned
        where cardinality(${types}::text[]) = 0 or type = any(${types}::text[])
          or split_part(type, '.', 1) || '.*' = any(${types}::text[])
        order by txid, id limit ${limit + 1})
      select m.xmin::text, coalesce(e.scanned, 0) as scanned, e.txid::text as last_txid, e.id as last_id,
        w.txid::text, w.id, w.type, w.at, w.data, w.delivery_id, w.person_key, p.person_id,
        d.channel, d.source, d.source_id, d.step_id, d.variant, d.message_id, d.recipient
      from mark m left join ending e on true left join wanted w on true
        left join people p on p.person_key = w.person_key
        left join deliveries d on d.person_key = w.person_key and d.id = w.delivery_id
      order by w.txid, w.id`,
    ),
  );
  const found = rows.filter((row): row is Scanned & FeedEvent => row.id !== null);
  const events = found.slice(0, limit);
  const last = events.at(-1);
  if (last && found.length > limit) return { events, next: { txid: last.txid, id: last.id }, more: true };
  const [first] = rows as [Scanned];
  if (first.last_txid !== null && first.last_id !== null && first.scanned === MOST_SCANNED)
    return { events, next: { txid: first.last_txid, id: first.last_id }, more: true };
  // A cursor from the future (a database restored from an older copy) stays where it is instead of going back.
  const next = BigInt(after.txid) > BigInt(first.xmin) ? after : { txid: first.xmin, id: OLDEST.id };
  return { events, next, more: false };
}

/** Returns the position after all events that can be read now. Events that are committed later come after it. */
export async function endOfFeed(q: Queries): Promise<Position> {
  const rows = await q.query<{ xmin: string }>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`);
  return { txid: rows[0]?.xmin ?? OLDEST.txid, id: OLDEST.id };
}

/**
 * Returns the position after all transactions that began before this one. While an older transaction is open, on any database of
 * this PostgreSQL, `endOfFeed` is before events that are committed already: a reader from now on must not get those.
 */
export async function fromNow(tx: Tx): Promise<Position> {
  const rows = await tx.query<{ txid: string }>(sql`select pg_current_xact_id()::text as txid`);
  return { txid: rows[0]?.txid ?? OLDEST.txid, id: OLDEST.id };
}

/** Events that are committed at about the same time may be in another order than their times. */
const MARGIN_MS = 60_000;

/** Returns a position with no event of `since` or later before it. It searches from the end, so the recent past is found quickly. */
export async function positionAt(q: Queries, workspaceId: string, since: Date): Promise<Position> {
  const [row] = await q.query<Position>(sql`
    select txid::text, id from activity
    where workspace_id = ${workspaceId} and at < ${new Date(since.getTime() - MARGIN_MS)}
    order by activity.txid desc, id desc limit 1`);
  return row ?? OLDEST;
}

/** Returns the time of the first event after a position; undefined where all have been read. */
export async function timeAfter(q: Queries, workspaceId: string, after: Position): Promise<Date | undefined> {
  const [row] = await q.query<{ at: Date }>(sql`
    select at from activity
    where workspace_id = ${workspaceId} and (txid, id) > (${after.txid}::xid8, ${after.id}::uuid)
      and activity.txid < pg_snapshot_xmin(pg_current_snapshot())
    order by activity.txid, id limit 1`);
  return row?.at;
}
