import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { Queries } from "../../platform/db/index.ts";
import { sql } from "../../platform/db/index.ts";
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

/**
 * Cancels a delivery that waits and is not leased. The first of this statement and a claim locks the row, and then the condition
 * of the other is false. Returns 0 where it was too late.
 */
export const cancelWaiting = (q: Queries, row: Pick<DeliveryRow, "person_key" | "id">): Promise<number> =>
  q.execute(sql`
    update deliveries set
      status = 'canceled',
      reason = null,
      due_at = null,
      content = case when retain_content then content - 'attachments' end
    where person_key = ${row.person_key} and id = ${row.id}
      and status = 'queued' and lease_id is null and due_at is not null`);
