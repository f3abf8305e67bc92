import type { MessageFilter } from "@tidings/contract/audience/audiences";
import { type Queries, sql } from "../../platform/db/index.ts";

/** One event, as an evaluation reads it. */
export interface EventFact {
  name: string;
  properties: Record<string, unknown>;
  ts: Date;
}

export type DeliveryFact = {
  channel: NonNullable<MessageFilter["channel"]>;
  source: string;
  source_id: string | null;
  message_id: string | null;
  status: string;
  queued_at: Date;
} & Record<
  | "sent_at"
  | "delivered_at"
  | "shown_at"
  | "opened_at"
  | "clicked_at"
  | "dismissed_at"
  | "bounced_at"
  | "complained_at"
  | "unsubscribed_at",
  Date | null
>;

/** A person's events of these names, newest first. */
export const eventsOf = (q: Queries, personKey: string, names: string[], limit: number): Promise<EventFact[]> =>
  q.query(sql`
    select name, properties, ts from events where person_key = ${personKey} and name = any(${names}::text[])
    order by ts desc limit ${limit}`);

/** What was sent to a person, newest first. */
export const deliveriesOf = (q: Queries, personKey: string, limit: number): Promise<DeliveryFact[]> =>
  q.query(sql`
    select channel, source, source_id, message_id, status, queued_at, sent_at, delivered_at, shown_at, opened_at, clicked_at,
      dismissed_at, bounced_at, complained_at, unsubscribed_at
    from deliveries where person_key = ${personKey} order by queued_at desc limit ${limit}`);

/** The lists that a person is on. */
export async function listsOf(q: Queries, personKey: string): Promise<string[]> {
  const rows = await q.query<{ audience_id: string }>(
    sql`select audience_id from audience_members where person_key = ${personKey}`,
  );
  return rows.map((row) => row.audience_id);
}
