import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { choosing, type Queries, sql, type Tx } from "../../platform/db/index.ts";
import type { ChannelOf } from "../queue/lane.ts";
import { HORIZON } from "../queue/store.ts";

/** A delivery that was failed because no provider could be asked. */
export interface GivenUp {
  workspace_id: string;
  person_key: string;
  id: string;
  channel: PushedChannel;
  reason: string;
}

/** The reasons to write. */
export interface Reasons {
  /** Of deliveries that waited for longer than a delivery is repeated. */
  overdue: string;
  /** Of deliveries whose own time (`expires_in`) is over. */
  expired: string;
}

/** Channels of workspaces of which every provider rests. */
export const restingChannels = (q: Queries): Promise<ChannelOf[]> =>
  q.query(sql`
    select workspace_id as "workspaceId", channel
    from providers
    group by workspace_id, channel
    having bool_and(coalesce(resting_until > now(), false))`);

/**
 * Fails up to `most` deliveries of these channels that wait for longer than a delivery is repeated, or whose own time is over.
 * Leased deliveries are not due, because the end of their lease is in the future, so they are left alone.
 */
export function failWaiting(
  tx: Tx,
  channels: ChannelOf[],
  { reasons, most, now }: { reasons: Reasons; most: number; now: Date },
): Promise<GivenUp[]> {
  const { lock, still } = choosing(
    tx,
    sql`for update skip locked`,
    sql`d.due_at <= now() and d.status = 'queued' and (d.first_due_at < now() - ${HORIZON} or d.expires_at <= now())`,
  );
  return tx.query<GivenUp>(sql`
    update deliveries d set
      status = 'failed',
      reason = case when late.expired then ${reasons.expired} else ${reasons.overdue} end,
      failed_at = ${now},
      due_at = null,
      lease_id = null,
      content = case when d.retain_content then d.content - 'attachments' end
    from (
      select person_key, id, expires_at <= now() as expired from deliveries
      where due_at <= now()
        and (first_due_at < now() - ${HORIZON} or expires_at <= now())
        and status = 'queued'
        and (workspace_id, channel) in (
          select * from unnest(
            ${channels.map((one) => one.workspaceId)}::uuid[],
            ${channels.map((one) => one.channel)}::text[]))
      order by due_at limit ${most} ${lock}
    ) as late
    where d.person_key = late.person_key and d.id = late.id ${still}
    returning d.workspace_id, d.person_key, d.id, d.channel, d.reason`);
}
