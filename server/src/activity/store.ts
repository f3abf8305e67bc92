import type { Channel, DeliveryQuery, Source } from "@tidings/contract/activity";
import { empty, prepared, type Queries, sql, type Tx } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";

export interface Entry {
  workspaceId: string;
  personKey: string;
  deliveryId?: string;
  /** `<channel or person>.<what>` */
  type: string;
  at: Date;
  data?: Record<string, unknown>;
  /** An id derived from the cause makes a repeated entry a conflict; a fresh UUIDv7 where absent. */
  id?: string;
}

/** Signal that something happened in these workspaces. It carries nothing else: the table is the truth. */
export const RECORDED = "activity.recorded";

/** Appends to the log, inside the transaction of what happened. Gives the ids that were new. */
export async function record(tx: Tx, entries: Entry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    prepared(
      "activity.record",
      sql`
      insert into activity (person_key, id, workspace_id, delivery_id, type, at, data)
      select * from unnest(${entries.map((e) => e.personKey)}::uuid[], ${entries.map((e) => e.id ?? newId())}::uuid[],
        ${entries.map((e) => e.workspaceId)}::uuid[], ${entries.map((e) => e.deliveryId ?? null)}::uuid[], ${entries.map((e) => e.type)}::text[],
        ${entries.map((e) => e.at)}::timestamptz[], ${entries.map((e) => JSON.stringify(e.data ?? {}))}::jsonb[])
      on conflict (person_key, id) do nothing
      returning id`,
    ),
  );
  if (rows.length > 0) tx.signal(RECORDED, [...new Set(entries.map((e) => e.workspaceId))]);
  return new Set(rows.map((row) => row.id));
}

export interface ActivityRow {
  id: string;
  type: string;
  at: Date;
  delivery_id: string | null;
  data: Record<string, unknown>;
}

export const ofPerson = (
  q: Queries,
  personKey: string,
  before: string[] | undefined,
  limit: number,
): Promise<ActivityRow[]> =>
  q.query(sql`
    select id, type, at, delivery_id, data from activity
    where person_key = ${personKey} ${before ? sql`and (at, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by at desc, id desc limit ${limit}`);

export const ofDelivery = (q: Queries, personKey: string, deliveryId: string): Promise<ActivityRow[]> =>
  q.query(sql`
    select id, type, at, delivery_id, data from activity
    where person_key = ${personKey} and delivery_id = ${deliveryId} order by at, id`);

export async function personExists(q: Queries, personKey: string): Promise<boolean> {
  return (await q.query(sql`select from people where person_key = ${personKey}`)).length === 1;
}

export interface DeliveryRow {
  person_key: string;
  person_id: string | null;
  id: string;
  channel: Channel;
  source: Source;
  source_id: string | null;
  variant: string | null;
  message_id: string | null;
  status: string;
  reason: string | null;
  recipient: string | null;
  priority: number;
  queued_at: Date;
  due_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  bounced_at: Date | null;
  complained_at: Date | null;
  unsubscribed_at: Date | null;
  shown_at: Date | null;
  opened_at: Date | null;
  clicked_at: Date | null;
  dismissed_at: Date | null;
  expires_at: Date | null;
  impressions: number;
  attempts: number;
  provider: string | null;
  provider_message_id: string | null;
  content?: Record<string, unknown> | null;
}

const COLUMNS = sql`d.person_key, p.person_id, d.id, d.channel, d.source, d.source_id, d.variant, d.message_id, d.status, d.reason, d.recipient, d.priority,
  d.queued_at, d.due_at, d.sent_at, d.delivered_at, d.bounced_at, d.complained_at, d.unsubscribed_at, d.shown_at, d.opened_at, d.clicked_at, d.dismissed_at, d.expires_at, d.impressions, d.attempts, d.provider,
  d.provider_message_id`;

/** How outbound's reason begins where a provider may have a delivery that failed. */
const MAY_HAVE_IT = sql`(d.status = 'failed' and coalesce(d.reason, '') like 'undetermined:%')`;

export const deliveries = (
  q: Queries,
  workspaceId: string,
  filter: Pick<DeliveryQuery, "channel" | "source" | "variant" | "status" | "undetermined"> & {
    source_id: string | undefined;
  },
  personKey: string | undefined,
  before: string[] | undefined,
  limit: number,
): Promise<DeliveryRow[]> =>
  q.query(sql`
    select ${COLUMNS} from deliveries d left join people p on p.person_key = d.person_key
    where d.workspace_id = ${workspaceId}
      ${personKey === undefined ? empty : sql`and d.person_key = ${personKey}`}
      ${filter.channel === undefined ? empty : sql`and d.channel = ${filter.channel}`}
      ${filter.source === undefined ? empty : sql`and d.source = ${filter.source}`}
      ${filter.source_id === undefined ? empty : sql`and d.source_id = ${filter.source_id}`}
      ${filter.variant === undefined ? empty : sql`and d.variant = ${filter.variant}`}
      ${filter.status === undefined ? empty : sql`and d.status = ${filter.status}`}
      ${filter.undetermined === undefined ? empty : filter.undetermined ? sql`and d.at_most_once and ${MAY_HAVE_IT}` : sql`and not ${MAY_HAVE_IT}`}
      ${before ? sql`and (d.queued_at, d.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by d.queued_at desc, d.id desc limit ${limit}`);

export async function delivery(q: Queries, workspaceId: string, id: string): Promise<DeliveryRow | undefined> {
  return (
    await q.query<DeliveryRow>(sql`
      select ${COLUMNS}, d.content from deliveries d left join people p on p.person_key = d.person_key
      where d.id = ${id} and d.workspace_id = ${workspaceId}`)
  )[0];
}
