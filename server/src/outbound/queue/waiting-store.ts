import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { prepared, type Queries, sql } from "../../platform/db/index.ts";

/** What of a channel is due and has not gone out. */
export interface Waiting {
  channel: PushedChannel;
  count: number;
  /** Of the one that is due for the longest. */
  seconds: number;
}

/** Rows that are looked at, of those to one person and of those to many: 10,000 take 20 ms, however many wait behind them. */
export const MOST_COUNTED = 10_000;

/**
 * By channel what is due, in hand or not. What a process has in hand bears the end of its lease, at most a minute ahead, as its
 * time; such a one counts from when it was first due, unless it is repeated.
 */
export const waitingByChannel = (q: Queries): Promise<Waiting[]> =>
  q.query(
    prepared(
      "outbound.waiting",
      sql`
      with near as (
        (select channel, due_at, lease_id, first_due_at, attempts from deliveries
          where not bulk and due_at > '-infinity' and due_at <= now() + interval '1 minute' order by due_at limit ${MOST_COUNTED})
        union all
        (select channel, due_at, lease_id, first_due_at, attempts from deliveries
          where bulk and due_at > '-infinity' and due_at <= now() + interval '1 minute' order by due_at limit ${MOST_COUNTED}))
      select channel, count(*)::int as count, coalesce(max(extract(epoch from now() - since)), 0)::float8 as seconds
      from (
        select channel, case when lease_id is null then due_at when attempts = 0 then first_due_at end as since from near
        where lease_id is not null or due_at <= now()) as due
      group by channel`,
    ),
  );
