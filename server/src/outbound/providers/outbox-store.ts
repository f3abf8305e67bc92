import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { empty, given, prepared, type Queries, rowsOf, sql } from "../../platform/db/index.ts";
import type { ExportPage, Rows, Whose } from "../../workspaces/index.ts";

export interface Capture {
  id: string;
  workspaceId: string;
  deliveryId: string;
  channel: string;
  recipient: string;
  message: Record<string, unknown>;
  at: Date;
}

/** Stores captured messages, once for each delivery and recipient: a repeat after a crash changes nothing. */
export const capture = (q: Queries, captures: Capture[]): Promise<number> =>
  q.execute(
    prepared(
      "outbound.capture",
      sql`
      insert into outbox (workspace_id, id, delivery_id, channel, recipient, message, captured_at)
      ${rowsOf(captures, {
        workspace_id: given.uuid((c) => c.workspaceId),
        id: given.uuid((c) => c.id),
        delivery_id: given.uuid((c) => c.deliveryId),
        channel: given.word((c) => c.channel),
        recipient: given.text((c) => c.recipient),
        message: given.json((c) => JSON.stringify(c.message)),
        captured_at: given.time((c) => c.at),
      })}
      on conflict (workspace_id, delivery_id, recipient) do nothing`,
    ),
  );

export interface CapturedRow {
  id: string;
  delivery_id: string;
  channel: PushedChannel;
  recipient: string;
  message: Record<string, unknown>;
  captured_at: Date;
}

/** Returns captured messages, newest first. @param before cursor: the id of the last one of the page before */
export const captured = (
  q: Queries,
  workspaceId: string,
  filter: { channel?: string; recipient?: string },
  { before, limit }: { before: string[] | undefined; limit: number },
): Promise<CapturedRow[]> =>
  q.query(sql`
    select id, delivery_id, channel, recipient, message, captured_at from outbox
    where workspace_id = ${workspaceId}
      ${filter.channel === undefined ? empty : sql`and channel = ${filter.channel}`}
      ${filter.recipient === undefined ? empty : sql`and lower(recipient) = lower(${filter.recipient})`}
      ${before ? sql`and id < ${before[0]}::uuid` : empty}
    order by id desc limit ${limit}`);

/** Deletes the oldest messages of a workspace, at most `batch`. Ids are in time order, so the key finds them. Returns how many. */
export const forgetCaptured = (q: Queries, workspaceId: string, before: Date, batch: number): Promise<number> =>
  q.execute(sql`
    delete from outbox
    where workspace_id = ${workspaceId} and captured_at < ${before} and id in (
      select id from outbox where workspace_id = ${workspaceId} order by id limit ${batch})`);

/** Returns a page of the captured messages of a person. The outbox has only their deliveries, and not the person. */
export async function capturesOf(
  q: Queries,
  { workspaceId, personKey }: Whose,
  { after, limit }: ExportPage,
): Promise<Rows> {
  const rows = await q.query<CapturedRow>(sql`
    select o.id, o.delivery_id, o.channel, o.recipient, o.message::text, o.captured_at
    from outbox o
    where o.workspace_id = ${workspaceId}
      and o.delivery_id in (select id from deliveries where person_key = ${personKey})
      ${after ? sql`and o.id > ${after[0]}::uuid` : empty}
    order by o.id limit ${limit}`);
  const last = rows.at(-1);
  return { rows: rows as unknown as Record<string, unknown>[], last: last && [last.id], json: new Set(["message"]) };
}

/** Deletes the captured messages of a person. */
export const forgetCaptures = (tx: Queries, { workspaceId, personKey }: Whose): Promise<number> =>
  tx.execute(sql`
    delete from outbox where workspace_id = ${workspaceId} and delivery_id in (
      select id from deliveries where person_key = ${personKey})`);
