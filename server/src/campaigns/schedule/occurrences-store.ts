import { attributeText, type conditionFor } from "../../audiences/index.ts";
import { empty, type Queries, sql } from "../../platform/db/index.ts";
import type { Occurrence } from "../rules/occurrences.ts";
import type { CampaignRef } from "../run/run.ts";

/** How long an occurrence that is over is kept, for the metrics. */
const KEPT_DAYS = 30;

/** Records occurrences as open, and those that were due before `oldest` as missed. Removes old ones. */
export async function addOccurrences(
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  occurrences: Occurrence[],
  { now, oldest }: { now: Date; oldest: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into campaign_occurrences (workspace_id, campaign_id, day, due_at, zones, status, work_at)
    select ${workspaceId}, ${campaignId}, day, due_at, array(select jsonb_array_elements_text(zones)),
      case when due_at < ${oldest} then 'missed' else 'open' end, case when due_at < ${oldest} then null else due_at end
    from unnest(${occurrences.map((one) => one.day)}::date[], ${occurrences.map((one) => one.dueAt.toISOString())}::timestamptz[],
      ${occurrences.map((one) => JSON.stringify(one.zones))}::jsonb[]) as t (day, due_at, zones)
    on conflict do nothing`);
  await tx.execute(sql`
    delete from campaign_occurrences where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
      and day < (${now}::timestamptz - ${KEPT_DAYS} * interval '1 day')::date and work_at is null`);
}

/** Closes the open occurrences of a campaign as missed. */
export const closeOccurrences = (tx: Queries, { workspaceId, campaignId }: CampaignRef): Promise<number> =>
  tx.execute(sql`
    update campaign_occurrences set status = 'missed', work_at = null
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and work_at is not null`);

/** An open occurrence of an active campaign. */
export interface OpenOccurrence {
  workspace_id: string;
  campaign_id: string;
  graph: number;
  day: string;
  due_at: Date;
  zones: string[];
  after_key: string | null;
}

/** Locks and returns the first open occurrence of an active campaign that no other transaction holds. */
export async function takeOccurrence(tx: Queries, now: Date): Promise<OpenOccurrence | undefined> {
  const [row] = await tx.query<OpenOccurrence>(sql`
    select o.workspace_id, o.campaign_id, c.graph, o.day::text, o.due_at, o.zones, o.after_key from campaign_occurrences o
    join campaigns c on c.workspace_id = o.workspace_id and c.id = o.campaign_id and c.status = 'active'
    where o.work_at <= ${now} order by o.work_at limit 1 for update of o skip locked`);
  return row;
}

/** The progress of an occurrence: `entered` and `unreadable` are added. */
export interface Progress {
  zones: string[];
  afterKey: string | null;
  entered: number;
  unreadable: number;
  /** Null ends the occurrence. */
  workAt: Date | null;
  status: "open" | "done" | "missed";
}

export const moveOccurrence = (
  tx: Queries,
  { workspace_id, campaign_id, day, due_at }: OpenOccurrence,
  { zones, afterKey, entered, unreadable, workAt, status }: Progress,
): Promise<number> =>
  tx.execute(sql`
    update campaign_occurrences set zones = ${zones}, after_key = ${afterKey}, entered = entered + ${entered},
      unreadable = unreadable + ${unreadable}, work_at = ${workAt}, status = ${status}
    where workspace_id = ${workspace_id} and campaign_id = ${campaign_id} and day = ${day}::date and due_at = ${due_at}`);

/** A page of the people of one zone, in the order of their keys. */
export interface ZonePage {
  workspaceId: string;
  /** "" for the people without a zone. */
  zone: string;
  after: string | null;
  limit: number;
}

/** What a page of people contains. `last` is null where the page is empty. */
export interface Found {
  read: number;
  last: string | null;
  unreadable: number;
  people: { person_key: string; value: string | null }[];
}

const EMPTY: Found = { read: 0, last: null, unreadable: 0, people: [] };

const peopleOf = ({ workspaceId, zone, after, limit }: ZonePage) => sql`
  select * from people where workspace_id = ${workspaceId}::uuid
    and ${zone === "" ? sql`timezone is null` : sql`timezone = ${zone}`} ${after === null ? empty : sql`and person_key > ${after}::uuid`}
  order by person_key limit ${limit}`;

/** Reads a page and returns those of its people whose attribute begins with one of these dates, which may have no year (05-17). */
export async function peopleWithDate(
  q: Queries,
  page: ZonePage,
  { attribute, dates }: { attribute: string; dates: string[] },
): Promise<Found> {
  const [row] = await q.query<Found>(sql`
    with page as materialized (select p.person_key, ${attributeText(attribute)} as value from (${peopleOf(page)}) p)
    select (select count(*)::int from page) as read,
      (select person_key from page order by person_key desc limit 1) as last,
      (select count(*)::int from page where value not like '____-__-__%') as unreadable,
      coalesce((select jsonb_agg(jsonb_build_object('person_key', person_key, 'value', value)) from page
        where ${dates[0]?.length === 5 ? sql`substr(value, 6, 5)` : sql`left(value, 10)`} = any(${dates}::text[])), '[]') as people`);
  return row ?? EMPTY;
}

/** Reads a page and returns those of its people for whom a condition of an audience holds. */
export async function peopleInAudience(
  q: Queries,
  page: ZonePage,
  condition: Awaited<ReturnType<typeof conditionFor>>,
): Promise<Found> {
  const [row] = await q.query<Found>(sql`
    with page as materialized (${peopleOf(page)})
    select (select count(*)::int from page) as read,
      (select person_key from page order by person_key desc limit 1) as last, 0 as unreadable,
      coalesce((select jsonb_agg(jsonb_build_object('person_key', p.person_key)) from page p where ${condition}), '[]') as people`);
  return row ?? EMPTY;
}

/** What became of an occurrence, over all zones. */
export interface OccurrenceRow {
  date: string;
  status: "open" | "done" | "missed";
  entered: number;
  unreadable: number;
}

/** Returns the latest occurrences of a campaign. */
export const latestOccurrences = (
  q: Queries,
  { workspaceId, campaignId }: CampaignRef,
  limit: number,
): Promise<OccurrenceRow[]> =>
  q.query(sql`
    select day::text as date, sum(entered)::int as entered, sum(unreadable)::int as unreadable,
      case when bool_or(status = 'missed') then 'missed' when bool_or(status = 'open') then 'open' else 'done' end as status
    from campaign_occurrences where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
    group by day order by day desc limit ${limit}`);
