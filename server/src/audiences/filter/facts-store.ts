import type { MessageFilter } from "@tidings/contract/audience/audiences";
import { anyOf, type Queries, rowsOfEach, sql, unquoted } from "../../platform/db/index.ts";

/** One event, with the fields that an evaluation needs. */
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

/** A row and the person to whom it belongs, because a statement reads the rows of several people. */
type Of<Fact> = Fact & { person_key: string };

/** Returns people's events with these names, newest first, at most `limit` of each person. */
export const eventsOf = (q: Queries, keys: string[], names: string[], limit: number): Promise<Of<EventFact>[]> =>
  q.query(sql`
    select * from (${rowsOfEach(q, {
      from: "events",
      key: "person_key",
      values: sql`${unquoted(keys)}::uuid[]`,
      columns: sql`t.name, t.properties, t.ts`,
      where: sql`t.name = any(${names}::text[])`,
      order: sql`t.ts desc`,
      limit,
    })}) e
    order by ts desc`);

/** Returns people's deliveries, newest first, at most `limit` of each person. */
export const deliveriesOf = (q: Queries, keys: string[], limit: number): Promise<Of<DeliveryFact>[]> =>
  q.query(sql`
    select * from (${rowsOfEach(q, {
      from: "deliveries",
      key: "person_key",
      values: sql`${unquoted(keys)}::uuid[]`,
      columns: sql`channel, source, source_id, message_id, status, queued_at, sent_at, delivered_at, shown_at, opened_at, clicked_at,
        dismissed_at, bounced_at, complained_at, unsubscribed_at`,
      where: sql`true`,
      order: sql`queued_at desc`,
      limit,
    })}) d
    order by queued_at desc`);

/** Returns the lists that people are on. */
export const listsOf = (q: Queries, keys: string[]): Promise<{ person_key: string; audience_id: string }[]> =>
  q.query(sql`
    select person_key, audience_id from audience_members where person_key = ${anyOf(q, keys)}`);
