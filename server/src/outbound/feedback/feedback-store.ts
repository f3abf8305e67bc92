import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { prepared, type Queries, sql } from "../../platform/db/index.ts";
import { type Fate, HEIGHTS } from "./rules.ts";

/** A delivery as feedback finds it. */
export interface Subject {
  workspace_id: string;
  person_key: string;
  id: string;
  channel: PushedChannel;
  recipient: string | null;
}

/** The pushed deliveries with these ids, each only where it is of the workspace that it is asked for. Locked in one order. */
export const subjectsOf = (tx: Queries, asked: { workspaceId: string; deliveryId: string }[]): Promise<Subject[]> =>
  tx.query(
    prepared(
      "outbound.subjects",
      sql`
      select d.workspace_id, d.person_key, d.id, d.channel, d.recipient from deliveries d
      where d.id = any(${asked.map((a) => a.deliveryId)}::uuid[]) and d.channel <> 'in_app'
        and (d.workspace_id, d.id) in (
          select * from unnest(${asked.map((a) => a.workspaceId)}::uuid[], ${asked.map((a) => a.deliveryId)}::uuid[]))
      order by d.id for no key update`,
    ),
  );

/** What is to be written of one delivery. */
export interface Change {
  personKey: string;
  deliveryId: string;
  fate: Fate;
  reason: string | null;
}

/**
 * Lifts deliveries to their new height. One that waits for its next attempt though it has arrived is not sent again. One
 * that a worker has in hand keeps its lease: it gets its times, and `settle` gives it the status that they mean.
 */
export const lift = (tx: Queries, changes: Change[], now: Date): Promise<number> => {
  const of = <T>(pick: (change: Change) => T) => changes.map(pick);
  return tx.execute(
    prepared(
      "outbound.lift",
      sql`
      update deliveries d set
        delivered_at = least(d.delivered_at, t.delivered_at), bounced_at = least(d.bounced_at, t.bounced_at),
        complained_at = least(d.complained_at, t.complained_at), opened_at = least(d.opened_at, t.opened_at),
        clicked_at = least(d.clicked_at, t.clicked_at), unsubscribed_at = least(d.unsubscribed_at, t.unsubscribed_at),
        status = case when t.climbs then t.status else d.status end,
        reason = case when t.climbs then t.reason else d.reason end,
        sent_at = case when t.climbs then coalesce(d.sent_at, ${now}::timestamptz) else d.sent_at end,
        failed_at = case when t.climbs and t.status = 'failed' then ${now}::timestamptz else d.failed_at end,
        lease_id = case when t.climbs and not t.in_hand then null else d.lease_id end,
        due_at = case when t.climbs and not t.in_hand then null else d.due_at end,
        content = case when not t.climbs or t.in_hand or d.due_at is null then d.content
          when d.retain_content then d.content - 'attachments' end
      from (
        select t.*, h.in_hand, case
            when before.status in ('queued', 'sending') then t.status = 'failed' and h.in_hand and not before.at_most_once
              or not h.in_hand and t.status in ('delivered', 'bounced', 'complained')
            else coalesce(array_position(${[...HEIGHTS]}::text[], t.status)
              > array_position(${[...HEIGHTS]}::text[], before.status), false) end as climbs
        from unnest(${of((c) => c.personKey)}::uuid[], ${of((c) => c.deliveryId)}::uuid[], ${of((c) => c.fate.height)}::text[],
          ${of((c) => c.reason)}::text[], ${of((c) => c.fate.times.delivered ?? null)}::timestamptz[],
          ${of((c) => c.fate.times.bounced ?? null)}::timestamptz[], ${of((c) => c.fate.times.complained ?? null)}::timestamptz[],
          ${of((c) => c.fate.times.opened ?? null)}::timestamptz[], ${of((c) => c.fate.times.clicked ?? null)}::timestamptz[],
          ${of((c) => c.fate.times.unsubscribed ?? null)}::timestamptz[])
          as t (person_key, id, status, reason, delivered_at, bounced_at, complained_at, opened_at, clicked_at, unsubscribed_at)
        join deliveries before on before.person_key = t.person_key and before.id = t.id
        cross join lateral (select before.lease_id is not null and before.due_at > now() as in_hand) h
      ) as t
      where d.person_key = t.person_key and d.id = t.id`,
    ),
  );
};
