import { type Queries, sql } from "../../platform/db/index.ts";
import type { Rows } from "./tables-store.ts";

/** What the local provider captured of a person's messages: it knows them by delivery only. */
export async function capturesOf(
  q: Queries,
  workspaceId: string,
  personKey: string,
  after: string[] | undefined,
  limit: number,
): Promise<Rows> {
  const rows = await q.query<{ id: string }>(sql`
    select o.id, o.delivery_id, o.channel, o.recipient, o.message::text, o.captured_at from outbox o
    where o.workspace_id = ${workspaceId} and o.delivery_id in (select id from deliveries where person_key = ${personKey})
      ${after ? sql`and o.id > ${after[0]}::uuid` : sql``}
    order by o.id limit ${limit}`);
  const last = rows.at(-1);
  return { rows: rows as unknown as Record<string, unknown>[], last: last && [last.id], json: new Set(["message"]) };
}

export const suppressionsOf = (q: Queries, workspaceId: string, addresses: string[]): Promise<unknown[]> =>
  q.query(sql`
    select channel, address, reason, source, created_at from suppressions
    where workspace_id = ${workspaceId} and address = any(${addresses}::text[]) order by created_at`);
