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

/** The deliveries of one workspace that are due. */
export interface WaitingOf {
  channels: { channel: PushedChannel; waiting: number; oldest: Date }[];
  /** False where so much is due in the whole installation that not all of it was looked at. */
  exact: boolean;
}

/** Counts what waits in a workspace, as `waitingByChannel` does for all. No index has the workspace: each claim would pay for it. */
export async function waitingIn(q: Queries, workspaceId: string): Promise<WaitingOf> {
  const near = (bulk: boolean) => sql`
    (select workspace_id, channel, due_at, lease_id, coalesce(first_due_at, queued_at) as since, attempts, bulk from deliveries
      where bulk = ${bulk} and due_at > '-infinity' and due_at <= now() + interval '1 minute'
      order by due_at limit ${MOST_COUNTED})`;
  const rows = await q.query<{ examined: number; channel: PushedChannel | null; waiting: number; oldest: Date }>(sql`
    with near as materialized (${near(false)} union all ${near(true)}),
      own as (
        select channel, count(*)::int as waiting, min(case when lease_id is null then due_at else since end) as oldest
        from near where workspace_id = ${workspaceId} and (lease_id is not null or due_at <= now())
        group by channel)
    select seen.examined, own.* from (
      select coalesce(max(n), 0)::int as examined from (select count(*) as n from near group by bulk) as lanes) as seen
    left join own on true order by own.channel`);
  const channels = rows.flatMap(({ channel, waiting, oldest }) => (channel ? [{ channel, waiting, oldest }] : []));
  return { channels, exact: (rows[0]?.examined ?? 0) < MOST_COUNTED };
}
