import type { Channel, DeliveryExportQuery, DeliveryStatus, Source } from "@tidings/contract/facts/activity";
import { announced, empty, jsonbs, prepared, type Queries, sql, type Tx, unquoted } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";

type Sql = ReturnType<typeof sql>;

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

/** Entries of the log that are new, announced in the transaction that writes them. `data` is absent where the statement alone knows it. */
export const RECORDED = announced<Omit<Entry, "id">>("activity.recorded");

/** What happened to a row that a statement changes, which knows the rest of the entry. */
export type Happening = Pick<Entry, "type" | "at" | "data">;

const datas = (entries: Happening[]) => jsonbs(entries.map((e) => JSON.stringify(e.data ?? {})));
const times = (entries: Happening[]) => unquoted(entries.map((e) => e.at.toISOString()));

/**
 * An insert of new entries for the `with` of the statement that makes them true: the first is about the row with the first of
 * `numbers`, and so on. `changed` gives the rows that it did change as (n, person_key, id, workspace_id); what is said of
 * another is not written. Whoever runs it announces RECORDED.
 */
export const recordedOf = (entries: Happening[], numbers: number[], changed: Sql): Sql => sql`
  insert into activity (person_key, id, workspace_id, delivery_id, type, at, data)
  select c.person_key, e.id, c.workspace_id, c.id, e.type, e.at, e.data
  from unnest((select ${unquoted(numbers)}::integer[]), (select ${unquoted(entries.map(() => newId()))}::uuid[]),
      (select ${unquoted(entries.map((e) => e.type))}::text[]), (select ${times(entries)}::timestamptz[]), (select ${datas(entries)}::jsonb[])) as e (n, id, type, at, data)
    join (${changed}) c on c.n = e.n`;

/** Appends to the log, inside the transaction of what happened. Gives the ids that were new. */
export async function record(tx: Tx, entries: Entry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const made = entries.map((e) => e.id ?? newId());
  // Ids made here are new: what was written need not come back.
  const fresh = entries.every((e) => e.id === undefined);
  const announce = (written: Entry[]) =>
    tx.announce(RECORDED, [...new Set(written.map((e) => e.workspaceId))], () => written);
  const inserted = tx.query<{ id: string }>(
    prepared(
      fresh ? "activity.recordFresh" : "activity.record",
      sql`
      insert into activity (person_key, id, workspace_id, delivery_id, type, at, data)
      select * from unnest(${unquoted(entries.map((e) => e.personKey))}::uuid[], ${unquoted(made)}::uuid[],
        ${unquoted(entries.map((e) => e.workspaceId))}::uuid[], ${unquoted(entries.map((e) => e.deliveryId ?? null))}::uuid[], ${unquoted(entries.map((e) => e.type))}::text[],
        ${times(entries)}::timestamptz[], ${datas(entries)}::jsonb[])
      ${fresh ? empty : sql`on conflict (person_key, id) do nothing returning id`}`,
    ),
  );
  if (fresh) {
    // In the same turn as the statement, because a commit may be sent behind it.
    await Promise.all([inserted, announce(entries)]);
    return new Set(made);
  }
  const written = new Set((await inserted).map((row) => row.id));
  if (written.size > 0) await announce(entries.filter((_, i) => written.has(made[i] as string)));
  return written;
}

export interface EventRow {
  delivery_id: string;
  type: string;
  at: Date;
  data: Record<string, unknown>;
}

/** An entry of the log with the delivery that it is about, where that is still kept. */
export interface EntryRow extends Omit<EventRow, "delivery_id"> {
  id: string;
  delivery_id: string | null;
  source: Source | null;
  source_id: string | null;
  message_id: string | null;
}

export interface EntryFilter {
  channel: Channel | undefined;
  type: string | undefined;
  since: Date | undefined;
  until: Date | undefined;
}

/** What the log calls an event of a person. It is not written there: events are read where they are. */
export const TRACKED = "person.tracked";

/** The log of a person with what they did, newest first. */
export function ofPerson(
  q: Queries,
  personKey: string,
  { channel, type, since, until }: EntryFilter,
  before: string[] | undefined,
  limit: number,
): Promise<EntryRow[]> {
  const newest = (at: Sql): Sql => sql`
    ${since === undefined ? empty : sql`and ${at} >= ${since}`} ${until === undefined ? empty : sql`and ${at} < ${until}`}
    ${before ? sql`and (${at}, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by ${at} desc, id desc limit ${limit}`;
  const events = sql`
    union all
    select person_key, id, ${TRACKED}::text, ts, null::uuid, jsonb_build_object('name', name, 'properties', properties)
    from (select * from events where person_key = ${personKey} ${newest(sql`ts`)}) as e`;
  return q.query(sql`
    select a.*, d.source, d.source_id, d.message_id
    from (select * from (
      (select person_key, id, type, at, delivery_id, data from activity
       where person_key = ${personKey}
         ${channel === undefined ? empty : sql`and split_part(type, '.', 1) = ${channel}`}
         ${type === undefined ? empty : sql`and type = ${type}`}
         ${newest(sql`at`)})
      ${channel === undefined && (type ?? TRACKED) === TRACKED ? events : empty}) as both_logs
      order by at desc, id desc limit ${limit}) as a
    left join deliveries d on d.person_key = a.person_key and d.id = a.delivery_id
    order by a.at desc, a.id desc`);
}

/**
 * What happened to each of these deliveries, oldest first, by their ids. The log of each person is read once, however many of the
 * deliveries are theirs: by delivery, a person's 4,500 would be 4,500 times their whole log.
 */
export async function ofDeliveries(
  q: Queries,
  rows: Pick<DeliveryRow, "person_key" | "id">[],
  type?: string,
): Promise<Map<string, (EventRow & { id: string })[]>> {
  const found = await q.query<EventRow & { id: string }>(sql`
    select delivery_id, id, type, at, data from activity
    where person_key = any(${[...new Set(rows.map((row) => row.person_key))]}::uuid[]) and delivery_id = any(${rows.map((row) => row.id)}::uuid[])
      ${type === undefined ? empty : sql`and type = ${type}`}
    order by at, id`);
  return Map.groupBy(found, (event) => event.delivery_id);
}

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
  status: DeliveryStatus;
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
  failed_at: Date | null;
  shown_at: Date | null;
  opened_at: Date | null;
  clicked_at: Date | null;
  dismissed_at: Date | null;
  expires_at: Date | null;
  impressions: number;
  attempts: number;
  provider: string | null;
  provider_message_id: string | null;
}

const COLUMNS = sql`d.person_key, p.person_id, d.id, d.channel, d.source, d.source_id, d.variant, d.message_id, d.status, d.reason, d.recipient, d.priority,
  d.queued_at, d.due_at, d.sent_at, d.delivered_at, d.bounced_at, d.complained_at, d.unsubscribed_at, d.failed_at, d.shown_at, d.opened_at, d.clicked_at, d.dismissed_at, d.expires_at, d.impressions, d.attempts, d.provider,
  d.provider_message_id`;

/** How outbound's reason begins where a provider may have a delivery that failed. */
const MAY_HAVE_IT = sql`(d.status = 'failed' and coalesce(d.reason, '') like 'undetermined:%')`;

export interface DeliveryFilter extends Omit<DeliveryExportQuery, "source_id" | "since" | "until"> {
  source_id: string | undefined;
  person_key: string | undefined;
  since: Date | undefined;
  until: Date | undefined;
}

/** Newest first. */
export const deliveries = (
  q: Queries,
  workspaceId: string,
  filter: DeliveryFilter,
  before: string[] | undefined,
  limit: number,
): Promise<DeliveryRow[]> =>
  q.query(sql`
    select ${COLUMNS} from deliveries d left join people p on p.person_key = d.person_key
    where d.workspace_id = ${workspaceId}
      ${filter.person_key === undefined ? empty : sql`and d.person_key = ${filter.person_key}`}
      ${filter.channel === undefined ? empty : sql`and d.channel = ${filter.channel}`}
      ${filter.source === undefined ? empty : sql`and d.source = ${filter.source}`}
      ${filter.source_id === undefined ? empty : sql`and d.source_id = ${filter.source_id}`}
      ${filter.variant === undefined ? empty : sql`and d.variant = ${filter.variant}`}
      ${filter.status === undefined ? empty : sql`and d.status = ${filter.status}`}
      ${filter.undetermined === undefined ? empty : filter.undetermined ? sql`and d.at_most_once and ${MAY_HAVE_IT}` : sql`and not ${MAY_HAVE_IT}`}
      ${filter.since === undefined ? empty : sql`and d.queued_at >= ${filter.since}`}
      ${filter.until === undefined ? empty : sql`and d.queued_at < ${filter.until}`}
      ${before ? sql`and (d.queued_at, d.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by d.queued_at desc, d.id desc limit ${limit}`);

/** More bytes than these, as PostgreSQL stores and compresses them, may be megabytes of text: the limit of one compression is 1 to 250. */
const SMALL_CONTENT = sql`8192`;

/**
 * One delivery. Its content is the text of JSON; a content that may be megabytes is `large` and must be read by contentOf.
 */
export async function delivery(
  q: Queries,
  workspaceId: string,
  id: string,
): Promise<(DeliveryRow & { content: string | null; large: boolean }) | undefined> {
  const [row] = await q.query<DeliveryRow & { content: string | null; large: boolean }>(sql`
    select ${COLUMNS}, coalesce(pg_column_size(d.content) > ${SMALL_CONTENT}, false) as large,
      case when pg_column_size(d.content) <= ${SMALL_CONTENT} then d.content::text end as content
    from deliveries d left join people p on p.person_key = d.person_key
    where d.id = ${id} and d.workspace_id = ${workspaceId}`);
  return row;
}

/** The content of a delivery as the text of JSON; null if it was removed meanwhile. It may have 20 MiB of files. */
export async function contentOf(
  q: Queries,
  { person_key, id }: Pick<DeliveryRow, "person_key" | "id">,
): Promise<string | null> {
  const [row] = await q.query<{ content: string | null }>(sql`
    select content::text as content from deliveries where person_key = ${person_key} and id = ${id}`);
  return row?.content ?? null;
}
