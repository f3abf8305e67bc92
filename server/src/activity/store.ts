import type { Channel, DeliveryStatus, Source } from "@tidings/contract/facts/activity";
import {
  announced,
  type Columns,
  empty,
  given,
  jsonbs,
  prepared,
  preparedOnOne,
  type Queries,
  rowsOf,
  rowsToCheck,
  sql,
  type Sql,
  type Tx,
  unquoted,
} from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { COLUMNS, type DeliveryRow } from "./deliveries/list-store.ts";
import { entriesWhere, isOneOf } from "./deliveries/entries-store.ts";

export interface Entry {
  workspaceId: string;
  personKey: string;
  deliveryId?: string;
  /** `<channel or person>.<event>` */
  type: string;
  at: Date;
  data?: Record<string, unknown>;
  /** With an id that is derived from the cause, a repeated entry is a conflict. Default: a new UUIDv7. */
  id?: string;
}

/** Announces new entries of the log in the transaction that writes them. `data` is absent if only the statement has it. */
export const RECORDED = announced<Omit<Entry, "id">>("activity.recorded");

/** An entry that is written only if a listener wants it. */
export interface Offered {
  workspaceId: string;
  type: string;
  entry(): Omit<Entry, "workspaceId" | "type">;
}

/** Offers entries to listeners, in the transaction of what happened. A listener that wants one records it; otherwise nothing is written. */
export const OFFERED = announced<Offered>("activity.offered");

/** The signal that the log of these workspaces has new entries, for those who read it from a position of their own. */
export const ACTIVITY_LOGGED = "activity.logged";

/** The part of an entry that is not in the row which its statement changes. */
export type EntryInput = Pick<Entry, "type" | "at" | "data">;

const dataOf = (entry: EntryInput): string => JSON.stringify(entry.data ?? {});

/**
 * Returns an insert of entries, for the `with` of the statement that changes their rows. The first entry is about the row with the
 * first of `numbers`, and so on. `changed` selects the changed rows as (n, person_key, id, workspace_id); entries about other rows are
 * not written. The caller must announce RECORDED.
 */
export const recordedOf = (entries: EntryInput[], numbers: number[], changed: Sql): Sql => sql`
  insert into activity (person_key, id, workspace_id, delivery_id, type, at, data)
  select c.person_key, e.id, c.workspace_id, c.id, e.type, e.at, e.data
  from unnest(
      (select ${unquoted(numbers)}::integer[]),
      (select ${unquoted(entries.map(() => newId()))}::uuid[]),
      (select ${unquoted(entries.map((e) => e.type))}::text[]),
      (select ${unquoted(entries.map((e) => e.at))}::timestamptz[]),
      (select ${jsonbs(entries.map(dataOf))}::jsonb[])
    ) as e (n, id, type, at, data)
    join (${changed}) c on c.n = e.n`;

const INTO = sql`insert into activity (person_key, id, workspace_id, delivery_id, type, at, data)`;

const columnsWith = (ids: string[]) =>
  ({
    person_key: given.uuid((e) => e.personKey),
    id: given.uuid((_, i) => ids[i] as string),
    workspace_id: given.uuid((e) => e.workspaceId),
    delivery_id: given.uuid((e) => e.deliveryId ?? null),
    type: given.word((e) => e.type),
    at: given.time((e) => e.at),
    data: given.json(dataOf),
  }) satisfies Columns<Entry>;

/** Inserts entries with ids that are new. The caller must announce RECORDED. */
export const insertFresh = (tx: Queries, entries: Entry[], ids: string[]): Promise<number> =>
  tx.execute(prepared("activity.recordFresh", sql`${INTO} ${rowsOf(entries, columnsWith(ids))}`));

/** Appends entries to the log, in the transaction of the changes that they record. Returns the ids that were new. */
export async function record(tx: Tx, entries: Entry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const made = entries.map((e) => e.id ?? newId());
  // Ids that are made here are new, so the statement need not return them.
  const fresh = entries.every((e) => e.id === undefined);
  const announce = (written: Entry[]) =>
    tx.announce(RECORDED, [...new Set(written.map((e) => e.workspaceId))], () => written);
  if (fresh) {
    // Announced in the same turn of the event loop, because the commit may be sent right after the statement.
    await Promise.all([insertFresh(tx, entries, made), announce(entries)]);
    return new Set(made);
  }
  const rows = await tx.query<{ id: string }>(
    preparedOnOne(
      tx,
      "activity.record",
      sql`${INTO} ${rowsToCheck(tx, entries, columnsWith(made))} on conflict (person_key, id) do nothing returning id`,
    ),
  );
  const written = new Set(rows.map((row) => row.id));
  if (written.size > 0) await announce(entries.filter((_, i) => written.has(made[i] as string)));
  return written;
}

export interface EventRow {
  delivery_id: string;
  type: string;
  at: Date;
  data: Record<string, unknown>;
}

/** An entry of the log, with its delivery if that still exists. */
export interface EntryRow extends Omit<EventRow, "delivery_id"> {
  id: string;
  delivery_id: string | null;
  source: Source | null;
  source_id: string | null;
  step_id: string | null;
  message_id: string | null;
  /** The delivery's, now. */
  status: DeliveryStatus | null;
}

export interface EntryFilter {
  channel: Channel | undefined;
  /** Types, such as `email.sent`, and families, such as `email.*`; undefined: all. */
  types: string[] | undefined;
  since: Date | undefined;
  until: Date | undefined;
}

/** Whether a type is one of these types and families. */
export const isWanted = (types: string[] | undefined, type: string): boolean =>
  types === undefined || types.includes(type) || types.includes(`${type.split(".", 1)[0]}.*`);

/** The type of a person's events in the log. They are not written to the log, but read from their own table. */
export const TRACKED = "person.tracked";
/** Entries about runs of campaigns are written for endpoints only (OFFERED): the log of a person reads the runs themselves. */
const OF_RUNS = "campaign";

export interface EntryPage {
  filter: EntryFilter;
  /** The decoded cursor: time and id of the last entry before this page. */
  before: string[] | undefined;
  limit: number;
}

/** Returns a page of a person's log with their events, newest first. */
export function entriesOfPerson(
  q: Queries,
  personKey: string,
  { filter: { channel, types, since, until }, before, limit }: EntryPage,
): Promise<EntryRow[]> {
  const newest = (at: Sql, id: Sql): Sql => sql`
    ${since === undefined ? empty : sql`and ${at} >= ${since}`}
    ${until === undefined ? empty : sql`and ${at} < ${until}`}
    ${before ? sql`and (${at}, ${id}) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by ${at} desc, ${id} desc limit ${limit}`;
  const events = sql`
    union all
    select person_key, id, ${TRACKED}::text, ts, null::uuid, jsonb_build_object('name', name, 'properties', properties)
    from (select * from events where person_key = ${personKey} ${newest(sql`ts`, sql`id`)}) as e`;
  const entries = entriesWhere(
    (e) => sql`${e.person_key} = ${personKey} and split_part(${e.type}, '.', 1) <> ${OF_RUNS}
      ${channel === undefined ? empty : sql`and split_part(${e.type}, '.', 1) = ${channel}`}
      ${types === undefined ? empty : sql`and ${isOneOf(e.type, types)}`}
      ${newest(e.at, e.id)}`,
  );
  return q.query(sql`
    select a.*, d.source, d.source_id, d.step_id, d.message_id, d.status
    from (select * from (
      select person_key, id, type, at, delivery_id, data from (${entries}) entries
      ${channel === undefined && isWanted(types, TRACKED) ? events : empty}) as both_logs
      order by at desc, id desc limit ${limit}) as a
    left join deliveries d on d.person_key = ${personKey} and d.id = a.delivery_id
    order by a.at desc, a.id desc`);
}

/**
 * Returns the entries of each of these deliveries, oldest first, by delivery id. The log of each person is read once for all of their
 * deliveries: read by delivery, a person with 4,500 would have their whole log read 4,500 times.
 */
export async function entriesOfDeliveries(
  q: Queries,
  rows: Pick<DeliveryRow, "person_key" | "id">[],
  type?: string,
): Promise<Map<string, (EventRow & { id: string })[]>> {
  const entries = entriesWhere(
    (e) => sql`${e.person_key} = any(${[...new Set(rows.map((row) => row.person_key))]}::uuid[])
      and ${e.delivery_id} = any(${rows.map((row) => row.id)}::uuid[])
      ${type === undefined ? empty : sql`and ${e.type} = ${type}`}`,
  );
  const found = await q.query<EventRow & { id: string }>(sql`
    select delivery_id, id, type, at, data from (${entries}) entries order by at, id`);
  return Map.groupBy(found, (event) => event.delivery_id);
}

export async function personExists(q: Queries, personKey: string): Promise<boolean> {
  return (await q.query(sql`select from people where person_key = ${personKey}`)).length === 1;
}

/** The step of a campaign that sends a message, and which of the step's messages it is: 0 its own, then those of `escalate`. */
export interface StepOrigin {
  id: string;
  position: number;
}

/** A larger content, in the bytes that PostgreSQL stores, may be megabytes of text: it compresses text up to 250 times. */
const SMALL_CONTENT = sql`8192`;

/**
 * Returns one delivery. Its content is the text of JSON. If it may be megabytes, `large` is true and `contentOf` must read it.
 */
export async function deliveryById(
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

/** Returns the key of the person who has a delivery now; undefined where it is gone. After a merge it is another one than it was sent to. */
export async function ownerOf(q: Queries, workspaceId: string, deliveryId: string): Promise<string | undefined> {
  const [row] = await q.query<{ person_key: string }>(sql`
    select person_key from deliveries where id = ${deliveryId} and workspace_id = ${workspaceId}`);
  return row?.person_key;
}

/** Returns the content of a delivery as the text of JSON; null if it was removed meanwhile. It may have 20 MiB of files. */
export async function contentOf(
  q: Queries,
  { person_key, id }: Pick<DeliveryRow, "person_key" | "id">,
): Promise<string | null> {
  const [row] = await q.query<{ content: string | null }>(sql`
    select content::text as content from deliveries where person_key = ${person_key} and id = ${id}`);
  return row?.content ?? null;
}
