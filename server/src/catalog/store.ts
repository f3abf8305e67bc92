import { empty, prepared, type Queries, sql } from "../platform/db/index.ts";
import { MOST_ATTRIBUTES, MOST_EVENTS, MOST_PROPERTIES } from "./limits.ts";

/** An event that was seen `count` times. */
export interface SeenEvent {
  workspaceId: string;
  name: string;
  first: Date;
  last: Date;
  count: number;
}

/** A property of an event that was seen, or with the event "" an attribute of people. `types` has the bits of names.ts. */
export interface SeenField {
  workspaceId: string;
  event: string;
  name: string;
  types: number;
  first: Date;
  last: Date;
}

/**
 * Writes events that were seen, each name once, and leaves out new names beyond the limit. Sorted in the statement, so that two
 * processes lock the same rows in the same order.
 */
export const upsertEvents = (q: Queries, seen: SeenEvent[]): Promise<number> =>
  q.execute(
    prepared(
      "catalog.events",
      sql`
      with seen as (
        select s.*, (s.last at time zone 'UTC')::date as day,
          exists (select from catalog_events c where c.workspace_id = s.workspace_id and c.name = s.name) as known
        from unnest(
          ${seen.map((one) => one.workspaceId)}::uuid[], ${seen.map((one) => one.name)}::text[],
          ${seen.map((one) => one.first)}::timestamptz[], ${seen.map((one) => one.last)}::timestamptz[],
          ${seen.map((one) => one.count)}::bigint[]) as s (workspace_id, name, first, last, count)),
      ranked as (select s.*, row_number() over (partition by workspace_id, known order by name) as nth from seen s),
      room as (
        select w.id, (
          select ${MOST_EVENTS}::bigint - count(*)
          from (select from catalog_events c where c.workspace_id = w.id limit ${MOST_EVENTS}) as counted) as left
        from workspaces w where w.id in (select workspace_id from seen where not known))
      insert into catalog_events as c (workspace_id, name, first_seen, last_seen, day, of_day, of_day_before)
      select r.workspace_id, r.name, r.first, r.last, r.day, r.count, 0
      from ranked r left join room on room.id = r.workspace_id
      where r.known or r.nth <= room.left
      order by r.workspace_id, r.name
      on conflict (workspace_id, name) do update set
        first_seen = least(c.first_seen, excluded.first_seen), last_seen = greatest(c.last_seen, excluded.last_seen),
        day = greatest(c.day, excluded.day),
        of_day = case when excluded.day > c.day then excluded.of_day
          when excluded.day = c.day then c.of_day + excluded.of_day else c.of_day end,
        of_day_before = case when excluded.day > c.day + 1 then 0 when excluded.day = c.day + 1 then c.of_day
          when excluded.day = c.day - 1 then c.of_day_before + excluded.of_day else c.of_day_before end`,
    ),
  );

/** Writes fields that were seen, each once; not new ones beyond the limits, and none of an event that the catalog does not have. */
export const upsertFields = (q: Queries, seen: SeenField[]): Promise<number> =>
  q.execute(
    prepared(
      "catalog.fields",
      sql`
      with seen as (
        select s.*, exists (
          select from catalog_fields c where c.workspace_id = s.workspace_id and c.event = s.event and c.name = s.name) as known
        from unnest(
          ${seen.map((one) => one.workspaceId)}::uuid[], ${seen.map((one) => one.event)}::text[],
          ${seen.map((one) => one.name)}::text[], ${seen.map((one) => one.types)}::smallint[],
          ${seen.map((one) => one.first)}::timestamptz[], ${seen.map((one) => one.last)}::timestamptz[])
          as s (workspace_id, event, name, types, first, last)),
      ranked as (select s.*, row_number() over (partition by workspace_id, event, known order by name) as nth from seen s),
      room as (
        select w.id, o.event, (
          select case o.event when '' then ${MOST_ATTRIBUTES}::bigint else ${MOST_PROPERTIES}::bigint end - count(*)
          from (select from catalog_fields c where c.workspace_id = w.id and c.event = o.event limit ${MOST_ATTRIBUTES}) as counted
        ) as left
        from (select distinct workspace_id, event from seen where not known) o join workspaces w on w.id = o.workspace_id
        where o.event = '' or exists (select from catalog_events c where c.workspace_id = w.id and c.name = o.event))
      insert into catalog_fields as c (workspace_id, event, name, types, first_seen, last_seen)
      select r.workspace_id, r.event, r.name, r.types, r.first, r.last
      from ranked r left join room on room.id = r.workspace_id and room.event = r.event
      where r.known or r.nth <= room.left
      order by r.workspace_id, r.event, r.name
      on conflict (workspace_id, event, name) do update set types = c.types | excluded.types,
        first_seen = least(c.first_seen, excluded.first_seen), last_seen = greatest(c.last_seen, excluded.last_seen)`,
    ),
  );

export interface EventRow {
  name: string;
  first_seen: Date;
  last_seen: Date;
  recent: number;
}

export interface FieldRow {
  name: string;
  types: number;
  first_seen: Date;
  last_seen: Date;
}

/** A page of a list by name; `like` is an escaped pattern. */
export interface NamesPage {
  like: string | undefined;
  after: string[] | undefined;
  limit: number;
}

const byName = ({ like, after, limit }: NamesPage) => sql`
  ${like === undefined ? empty : sql`and name ilike ${like}`} ${after ? sql`and name collate "C" > ${after[0]}` : empty}
  order by name collate "C" limit ${limit}`;

const recent = (now: Date) => sql`
  case (${now}::timestamptz at time zone 'UTC')::date - day when 0 then of_day + of_day_before when 1 then of_day else 0 end as recent`;

export const listEvents = (q: Queries, workspaceId: string, page: NamesPage, now: Date): Promise<EventRow[]> =>
  q.query(sql`
    select name, first_seen, last_seen, ${recent(now)} from catalog_events where workspace_id = ${workspaceId} ${byName(page)}`);

export async function eventByName(
  q: Queries,
  workspaceId: string,
  name: string,
  now: Date,
): Promise<EventRow | undefined> {
  return (
    await q.query<EventRow>(sql`
      select name, first_seen, last_seen, ${recent(now)} from catalog_events
      where workspace_id = ${workspaceId} and name = ${name}`)
  )[0];
}

export const listFields = (q: Queries, workspaceId: string, event: string, page: NamesPage): Promise<FieldRow[]> =>
  q.query(sql`
    select name, types, first_seen, last_seen from catalog_fields
    where workspace_id = ${workspaceId} and event = ${event} ${byName(page)}`);

/** Whether the workspace has as many events as the catalog takes. */
export const isFullOfEvents = (q: Queries, workspaceId: string): Promise<boolean> =>
  isThere(
    q.query(sql`select from catalog_events where workspace_id = ${workspaceId} offset ${MOST_EVENTS - 1} limit 1`),
  );

/** Whether an event, or for "" the people, has as many fields as the catalog takes. */
export const isFullOfFields = (q: Queries, workspaceId: string, event: string): Promise<boolean> =>
  isThere(
    q.query(sql`
      select from catalog_fields where workspace_id = ${workspaceId} and event = ${event}
      offset ${(event === "" ? MOST_ATTRIBUTES : MOST_PROPERTIES) - 1} limit 1`),
  );

const isThere = async (rows: Promise<unknown[]>): Promise<boolean> => (await rows).length > 0;
