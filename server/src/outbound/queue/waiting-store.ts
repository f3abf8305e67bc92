import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { prepared, type Queries, sql } from "../../platform/db/index.ts";

/** The deliveries of a channel that are due and have not been sent. */
export interface Waiting {
  channel: PushedChannel;
  count: number;
  /** For how long the oldest has been due. */
  seconds: number;
}

/** Rows that are read, of single deliveries and of bulk: 10,000 take 20 ms, however many wait behind them. */
export const MOST_COUNTED = 10_000;

/**
 * Counts by channel the deliveries that are due, leased or not. The `due_at` of a leased one is the end of its lease, at most a
 * minute ahead; its time counts from when it was first due, unless it is repeated.
 */
export const waitingByChannel = (q: Queries): Promise<Waiting[]> =>
  q.query(
    prepared(
      "outbound.waiting",
      sql`
      with near as (
        (select channel, due_at, lease_id, first_due_at, attempts from deliveries
          where not bulk and due_at > '-infinity' and due_at <= now() + interval '1 minute'
          order by due_at limit ${MOST_COUNTED})
        union all
        (select channel, due_at, lease_id, first_due_at, attempts from deliveries
          where bulk and due_at > '-infinity' and due_at <= now() + interval '1 minute'
          order by due_at limit ${MOST_COUNTED}))
      select channel, count(*)::int as count, coalesce(max(extract(epoch from now() - since)), 0)::float8 as seconds
      from (
        select channel, case when lease_id is null then due_at when attempts = 0 then first_due_at end as since
        from near
        where lease_id is not null or due_at <= now()) as due
      group by channel`,
    ),
  );
