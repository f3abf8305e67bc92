import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { inShardsOf, once, prepared, type Queries, sql } from "../../platform/db/index.ts";
import { byPlace, type PlacedDelivery } from "./places-store.ts";
import { type FeedbackState, STATUS_ORDER } from "./rules.ts";

/** A pushed delivery that feedback is about. */
export interface PushedDelivery {
  workspace_id: string;
  person_key: string;
  id: string;
  channel: PushedChannel;
  recipient: string | null;
}

const PUSHED = sql`d.workspace_id, d.person_key, d.id, d.channel, d.recipient`;

/**
 * Locks the pushed deliveries with these ids, always in the same order, and returns them. A delivery of another workspace than
 * the one beside its id is left out.
 */
export const lockPushed = (
  tx: Queries,
  deliveries: (PlacedDelivery & { workspaceId: string })[],
): Promise<PushedDelivery[]> =>
  byPlace(tx, deliveries, ({ ids, within, name }) =>
    tx.query<PushedDelivery>(
      prepared(
        `outbound.lockPushed${name}`,
        sql`
        ${tx.distributed ? sql`update deliveries d set attempts = d.attempts` : sql`select ${PUSHED} from deliveries d`}
        where d.id = any(${ids}::uuid[]) ${within}
          and d.channel <> 'in_app'
          and (d.workspace_id, d.id) in (
            select * from unnest(
              ${deliveries.map((one) => one.workspaceId)}::uuid[],
              ${deliveries.map((one) => one.deliveryId)}::uuid[]))
        ${tx.distributed ? sql`returning ${PUSHED}` : sql`order by d.id for no key update`}`,
      ),
    ),
  );

/** What feedback changes of one delivery. */
export interface FeedbackChange {
  personKey: string;
  deliveryId: string;
  state: FeedbackState;
  reason: string | null;
}

/**
 * Writes the times of deliveries and advances their status. A delivery that waits for its next attempt though it has arrived is
 * not sent again. A leased one keeps its lease: it gets its times, and `settle` writes the status that follows from them.
 */
export const applyFeedback = (tx: Queries, changes: FeedbackChange[], now: Date): Promise<number> => {
  const of = <T>(pick: (change: FeedbackChange) => T) => changes.map(pick);
  const theirs = (column: string) =>
    inShardsOf(
      tx,
      column,
      of((c) => c.personKey),
    );
  return tx.execute(
    prepared(
      "outbound.applyFeedback",
      sql`
      with t as ${once(tx)} (
        select t.*,
          case
            when t.was in ('queued', 'sending') then
              t.status = 'failed' and t.leased and not t.at_most_once
              or not t.leased and t.status in ('delivered', 'bounced', 'complained')
            else coalesce(
              array_position(${[...STATUS_ORDER]}::text[], t.status)
                > array_position(${[...STATUS_ORDER]}::text[], t.was),
              false)
          end as advances
        from (
          select t.*, before.status as was, before.at_most_once, before.lease_id is not null and before.due_at > now() as leased
        from unnest(
          ${of((c) => c.personKey)}::uuid[],
          ${of((c) => c.deliveryId)}::uuid[],
          ${of((c) => c.state.status)}::text[],
          ${of((c) => c.reason)}::text[],
          ${of((c) => c.state.times.delivered ?? null)}::timestamptz[],
          ${of((c) => c.state.times.bounced ?? null)}::timestamptz[],
          ${of((c) => c.state.times.complained ?? null)}::timestamptz[],
          ${of((c) => c.state.times.opened ?? null)}::timestamptz[],
          ${of((c) => c.state.times.clicked ?? null)}::timestamptz[],
          ${of((c) => c.state.times.unsubscribed ?? null)}::timestamptz[]
        ) as t (
          person_key, id, status, reason, delivered_at, bounced_at, complained_at, opened_at, clicked_at, unsubscribed_at)
        join deliveries before on before.person_key = t.person_key and before.id = t.id ${theirs("before.person_key")}) t)
      update deliveries d set
        delivered_at = least(d.delivered_at, t.delivered_at),
        bounced_at = least(d.bounced_at, t.bounced_at),
        complained_at = least(d.complained_at, t.complained_at),
        opened_at = least(d.opened_at, t.opened_at),
        clicked_at = least(d.clicked_at, t.clicked_at),
        unsubscribed_at = least(d.unsubscribed_at, t.unsubscribed_at),
        status = case when t.advances then t.status else d.status end,
        reason = case when t.advances then t.reason else d.reason end,
        sent_at = case when t.advances then coalesce(d.sent_at, ${now}::timestamptz) else d.sent_at end,
        failed_at = case when t.advances and t.status = 'failed' then ${now}::timestamptz else d.failed_at end,
        lease_id = case when t.advances and not t.leased then null else d.lease_id end,
        due_at = case when t.advances and not t.leased then null else d.due_at end,
        content = case
          when not t.advances or t.leased or d.due_at is null then d.content
          when d.retain_content then d.content - 'attachments'
        end
      from t
      where d.person_key = t.person_key and d.id = t.id ${theirs("d.person_key")}`,
    ),
  );
};
