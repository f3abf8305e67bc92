import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { type Queries, sql, type Tx } from "../../platform/db/index.ts";
import type { ChannelOf } from "../queue/lane.ts";
import { HORIZON } from "../queue/store.ts";

/** A delivery that is given up. */
export interface GivenUp {
  workspace_id: string;
  person_key: string;
  id: string;
  channel: PushedChannel;
  reason: string;
}

/** What is said of those that waited for too long, and of those whose own time was over. */
export interface Reasons {
  overdue: string;
  expired: string;
}

/** Lanes whose every provider rests. */
export const restingLanes = (q: Queries): Promise<ChannelOf[]> =>
  q.query(sql`
    select workspace_id as "workspaceId", channel from providers group by workspace_id, channel
    having bool_and(coalesce(resting_until > now(), false))`);

/**
 * Fails up to `most` deliveries that wait in these lanes for longer than a delivery is repeated, or than they may. What a worker has in hand is
 * not touched: its lease is in the future.
 */
export const failWaiting = (
  tx: Tx,
  lanes: ChannelOf[],
  reasons: Reasons,
  most: number,
  now: Date,
): Promise<GivenUp[]> =>
  tx.query<GivenUp>(sql`
    update deliveries d set status = 'failed', reason = case when d.expires_at <= now() then ${reasons.expired} else ${reasons.overdue} end, failed_at = ${now}, due_at = null, lease_id = null,
      content = case when d.retain_content then d.content - 'attachments' end
    from (
      select person_key, id from deliveries
      where due_at <= now() and (first_due_at < now() - ${HORIZON} or expires_at <= now()) and status = 'queued' and (workspace_id, channel) in (
        select * from unnest(${lanes.map((lane) => lane.workspaceId)}::uuid[], ${lanes.map((lane) => lane.channel)}::text[]))
      order by due_at limit ${most} for update skip locked
    ) as late
    where d.person_key = late.person_key and d.id = late.id
    returning d.workspace_id, d.person_key, d.id, d.channel, d.reason`);
