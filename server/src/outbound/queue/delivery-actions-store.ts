import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { choosing, empty, type Queries, sql } from "../../platform/db/index.ts";
import type { Content, Message } from "../message/message.ts";

/** The columns of a delivery that `resend` and `cancel` need. */
export interface DeliveryRow {
  person_key: string;
  id: string;
  channel: PushedChannel | "in_app";
  source: Message["source"];
  source_id: string | null;
  status: string;
  recipient: string | null;
  content: (Content & { attachments?: unknown; attachment_names?: string[] }) | null;
  retain_content: boolean;
  at_most_once: boolean;
  /** Null: the person was erased. */
  subscribed: boolean | null;
}

export async function deliveryById(q: Queries, workspaceId: string, id: string): Promise<DeliveryRow | undefined> {
  return (
    await q.query<DeliveryRow>(sql`
      select d.person_key, d.id, d.channel, d.source, d.source_id, d.status, d.recipient, d.content, d.retain_content,
        d.at_most_once, p.subscribed
      from deliveries d
      left join people p on p.person_key = d.person_key
      where d.id = ${id} and d.workspace_id = ${workspaceId}`)
  )[0];
}

/** A delivery, by its key. */
export type DeliveryKey = Pick<DeliveryRow, "person_key" | "id">;

/**
 * Cancels deliveries that wait and are not leased. The first of this statement and a claim locks the row, and then the condition
 * of the other is false. Returns the deliveries for which it was not too late.
 * @param options skipLocked: a row that another transaction holds stays as it is, for callers that hold locks which that transaction may want
 */
export function cancelWaiting(
  q: Queries,
  rows: DeliveryKey[],
  { reason, skipLocked }: { reason: string | null; skipLocked: boolean },
): Promise<Pick<DeliveryRow, "person_key" | "id" | "channel">[]> {
  const isWaiting = sql`d.status = 'queued' and d.channel <> 'in_app' and d.lease_id is null and d.due_at is not null`;
  const { lock, still } = choosing(
    q,
    sql`order by d.person_key, d.id for no key update of d ${skipLocked ? sql`skip locked` : empty}`,
    isWaiting,
  );
  return q.query(sql`
    with waiting as materialized (
      select d.person_key, d.id from deliveries d
      join unnest(${rows.map((row) => row.person_key)}::uuid[], ${rows.map((row) => row.id)}::uuid[]) as t (person_key, id)
        on d.person_key = t.person_key and d.id = t.id
      where ${isWaiting}
      ${lock})
    update deliveries d set
      status = 'canceled',
      reason = ${reason},
      due_at = null,
      content = case when retain_content then content - 'attachments' end
    from waiting w where d.person_key = w.person_key and d.id = w.id ${still}
    returning d.person_key, d.id, d.channel`);
}
