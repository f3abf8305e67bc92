import { prepared, type Queries, sql } from "../../platform/db/index.ts";
import { countsJoin, LIVE_COLUMNS, type LiveRow } from "../delivery/live-store.ts";

// The inbox: the live cards of one person, which have their own index.

export interface CardRow extends LiveRow {
  queued_at: Date;
  read_at: Date | null;
}

export interface CardRange {
  personKey: string;
  now: Date;
  unreadOnly: boolean;
  /** Queue time and id of the last card of the page before. */
  before: string[] | undefined;
  limit: number;
}

/** A page of cards, newest first. The first page begins at "infinity", so that one plan serves every page. */
export function cards(q: Queries, { personKey, now, unreadOnly, before, limit }: CardRange): Promise<CardRow[]> {
  const [at, id] = before ?? ["infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"];
  return q.query(
    prepared(
      "inapp.cards",
      sql`
      select ${LIVE_COLUMNS}, d.queued_at, d.read_at from deliveries d
      ${countsJoin(q)}
      where d.person_key = ${personKey} and d.live and d.inbox
        and (d.queued_at, d.id) < (${at}::timestamptz, ${id}::uuid)
        and (d.expires_at is null or d.expires_at > ${now})
        and (d.read_at is null or not ${unreadOnly}::boolean)
      order by d.queued_at desc, d.id desc limit ${limit}`,
    ),
  );
}

/** How many live, unexpired cards of a person are unread. */
export async function unreadCards(q: Queries, personKey: string, now: Date): Promise<number> {
  const [row] = await q.query<{ unread: number }>(
    prepared(
      "inapp.unreadCards",
      sql`
      select count(*) as unread from deliveries d
      where d.person_key = ${personKey} and d.live and d.inbox and d.read_at is null
        and (d.expires_at is null or d.expires_at > ${now})`,
    ),
  );
  return row?.unread ?? 0;
}

/** Sets or clears read_at and returns the status; undefined where nothing changes. A second read keeps the time of the first. */
export async function markRead(
  tx: Queries,
  key: { personKey: string; id: string },
  readAt: Date | null,
): Promise<string | undefined> {
  const [row] = await tx.query<{ status: string }>(
    prepared(
      "inapp.markRead",
      sql`
      update deliveries set read_at = ${readAt}::timestamptz
      where person_key = ${key.personKey} and id = ${key.id} and channel = 'in_app' and status <> 'failed'
        and (read_at is null) = (${readAt}::timestamptz is not null)
      returning status`,
    ),
  );
  return row?.status;
}
