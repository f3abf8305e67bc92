import {
  empty,
  type MarkedRow,
  markedPage,
  narrowed,
  openFrom,
  prepared,
  type Queries,
  sql,
} from "../platform/db/index.ts";
import { namedAfterMerges } from "../workspaces/index.ts";
import type { EventRow } from "./store.ts";

/** An event as destinations get it. */
export interface StreamedEvent extends EventRow {
  txid: string;
  person_key: string;
  person_id: string | null;
}

/** A place between two events of a workspace, in the order of the transactions that wrote them. */
interface EventPosition {
  txid: string;
  id: string;
}

/**
 * Returns the events after a place, oldest first, before the oldest open transaction (`xmin`): those that come later come after it.
 * `until` ends the page after an event that was read before.
 */
export async function followEvents(
  q: Queries,
  workspaceId: string,
  { after, until, limit }: { after: EventPosition; until: EventPosition | undefined; limit: number },
): Promise<{ rows: StreamedEvent[]; xmin: string }> {
  const end = await openFrom(q);
  const rows = await q.query<MarkedRow<StreamedEvent>>(
    prepared(
      until ? "events.followUntil" : "events.follow",
      sql`
      with mark as materialized (select ${end} as xmin),
      page as materialized (
        select * from events
        where workspace_id = ${workspaceId} and txid is not null
          and (txid, id) > (${after.txid}::xid8, ${after.id}::uuid) and txid < (select xmin from mark)
          ${until ? sql`and (txid, id) <= (${until.txid}::xid8, ${until.id}::uuid)` : empty}
        order by txid, id limit ${limit})
      select m.xmin::text, e.txid::text, e.id, e.name, e.properties, e.ts, e.received_at, e.person_key, p.person_id
      from mark m left join page e on true
        left join ${narrowed(q, "people", "person_key", "page")} p on p.person_key = e.person_key
      order by e.txid, e.id`,
    ),
  );
  return named(q, markedPage(rows));
}

const named = async <T extends StreamedEvent>(q: Queries, page: { rows: T[]; xmin: string }) => ({
  ...page,
  rows: await namedAfterMerges(q, page.rows),
});

/** An event among those of its name. */
export interface OldEvent extends StreamedEvent {
  /** Its time with all its digits. */
  at: string;
}

/**
 * Returns the events of transactions before `before`, by name, time and id, behind those before. It is complete once `xmin` has reached
 * `before`: until then some of these transactions may be open.
 */
export async function oldEvents(
  q: Queries,
  workspaceId: string,
  {
    before,
    after,
    until,
    limit,
  }: { before: string; after: string[] | null; until: string[] | undefined; limit: number },
): Promise<{ rows: OldEvent[]; xmin: string }> {
  const end = await openFrom(q);
  const rows = await q.query<MarkedRow<OldEvent>>(sql`
    with mark as materialized (select ${end} as xmin),
    page as materialized (
      select *, ts::text as at from events
      where workspace_id = ${workspaceId} and (txid is null or txid < ${before}::xid8)
        ${after ? sql`and (name, ts, id) > (${after[0]}, ${after[1]}::timestamptz, ${after[2]}::uuid)` : empty}
        ${until ? sql`and (name, ts, id) <= (${until[0]}, ${until[1]}::timestamptz, ${until[2]}::uuid)` : empty}
      order by name, ts, id limit ${limit})
    select m.xmin::text, e.txid::text, e.id, e.name, e.properties, e.ts, e.at, e.received_at, e.person_key, p.person_id
    from mark m left join page e on true
      left join ${narrowed(q, "people", "person_key", "page")} p on p.person_key = e.person_key
    order by e.name, e.ts, e.id`);
  return named(q, markedPage(rows));
}
