import { prepared, type Queries, sql } from "../../platform/db/index.ts";
import type { Candidate } from "../rules/gates.ts";

/*
 * The live deliveries of a person, in sync's order: priority, queue time, id.
 *
 * Arrays are passed as `(select array)`, here and in store.ts. Where PostgreSQL sees an array's length, the plan for this one call
 * looks cheaper than the generic plan, and it plans every call anew: 0.3 ms, where running the statement takes 0.1.
 */

/** A live delivery as sync reads it. Times are numbers, not dates, because sync parses six of them for each request. */
export interface LiveRow extends Candidate {
  id: string;
  message_id: string;
  message_version: number;
  /** jsonb as text, to be spliced into the answer without parsing it. */
  content: string | null;
  /** Whether it is a test delivery; its trace is kept, see test-syncs.ts. */
  test: boolean;
}

/** The columns of a LiveRow, from `deliveries d` joined with COUNTS_JOIN. */
// date_part, not extract: extract computes by numeric, which costs more than reading the row.
export const LIVE_COLUMNS = sql`d.id, d.message_id, d.message_version, d.content::text as content, d.source = 'test' as test,
  coalesce(c.impressions, d.impressions) as impressions, date_part('epoch', d.expires_at) * 1000 as expires_at,
  date_part('epoch', coalesce(c.last_impression_at, d.last_impression_at)) * 1000 as last_impression_at`;

/**
 * Joins the person's impressions of the message over all deliveries, where its limits are shared. `offset 0` keeps the subquery
 * separate, so that `d.shared_limits` is checked first: for other rows no index is opened.
 */
export const COUNTS_JOIN = sql`left join lateral (
    select n.impressions, n.last_impression_at, n.revision from in_app_counts n
    where d.shared_limits and n.person_key = d.person_key and n.message_id = d.message_id
    offset 0) c on true`;

/** A read of a person's first live deliveries. */
export interface FirstRead {
  personKey: string;
  /** The most rows to return. */
  want: number;
}

/**
 * Reads the first live deliveries of each person: one index range a person, in one statement for all reads. (On a distributed
 * database `unnest` can't feed a `lateral` with a limit: change this file there.)
 */
export async function firstLive(q: Queries, reads: FirstRead[]): Promise<LiveRow[][]> {
  const rows = await q.query<LiveRow & { n: number }>(
    prepared(
      "inapp.firstLive",
      sql`
      select a.n::integer, ${LIVE_COLUMNS}
      from unnest(
        (select ${reads.map((one) => one.personKey)}::uuid[]),
        (select ${reads.map((one) => one.want)}::integer[])
      ) with ordinality as a (person_key, want, n)
      cross join lateral (
        select * from deliveries d where d.person_key = a.person_key and d.live
        order by d.priority desc, d.queued_at, d.id limit a.want) d
      ${COUNTS_JOIN}`,
    ),
  );
  return byRead(reads, rows);
}

/** Reads a page of the explainer: one person's live deliveries after the delivery `after`, which need not be live any more. */
export const liveAfter = (q: Queries, { personKey, after, want }: ReadAfter & FirstRead): Promise<LiveRow[]> =>
  q.query(
    prepared(
      "inapp.liveAfter",
      sql`
      select ${LIVE_COLUMNS} from deliveries last
      join deliveries d on d.person_key = last.person_key and d.live and d.priority <= last.priority
        and (d.priority < last.priority or (d.queued_at, d.id) > (last.queued_at, last.id))
      ${COUNTS_JOIN}
      where last.person_key = ${personKey} and last.id = ${after}
      order by d.priority desc, d.queued_at, d.id limit ${want}`,
    ),
  );

/** A position in a person's live deliveries: the read begins after it. */
export interface ReadAfter {
  personKey: string;
  /** A delivery of this person. */
  after: string;
}

/** A version of a definition. */
export interface LiveVersion {
  message_id: string;
  message_version: number;
}

/**
 * The distinct versions of a person's live deliveries with the priority of `last` or a lower one. Each step of the recursion
 * jumps to the next version in the index, so that 5,000 deliveries of 2 versions cost three look-ups and not 5,000 rows.
 */
const DISTINCT_VERSIONS = sql`
  with recursive v as (
    (select d.priority, d.message_id, d.message_version from deliveries d
     where d.person_key = a.person_key and d.live and d.priority <= last.priority
     order by d.priority desc, d.message_id desc, d.message_version desc limit 1)
    union all
    select beyond.* from v
    cross join lateral (
      select d.priority, d.message_id, d.message_version from deliveries d
      where d.person_key = a.person_key and d.live
        and (d.priority, d.message_id, d.message_version) < (v.priority, v.message_id, v.message_version)
      order by d.priority desc, d.message_id desc, d.message_version desc limit 1) beyond)`;

/** Reads the versions of each person's live deliveries with the priority of `after` or a lower one. */
export async function versionsAfter(q: Queries, reads: ReadAfter[]): Promise<LiveVersion[][]> {
  const rows = await q.query<LiveVersion & { n: number }>(
    prepared(
      "inapp.versionsAfter",
      sql`
      select a.n::integer, v.message_id, v.message_version
      from unnest(
        (select ${reads.map((one) => one.personKey)}::uuid[]),
        (select ${reads.map((one) => one.after)}::uuid[])
      ) with ordinality as a (person_key, last, n)
      join deliveries last on last.person_key = a.person_key and last.id = a.last
      cross join lateral (${DISTINCT_VERSIONS} select * from v) v`,
    ),
  );
  return byRead(reads, rows);
}

/** A read of a person's live deliveries after a position, without hidden versions. */
export interface NextRead extends ReadAfter, FirstRead {
  /** Versions whose deliveries are left out. */
  hidden: readonly LiveVersion[];
}

/**
 * Reads the live deliveries after `after`, without those of the hidden versions, whose rows are never touched. It reads one index
 * range per version, which begins after `after` where the priorities are equal, and at its start where the version's is lower.
 * The index has no id, which would cost each insert 16 bytes more; "with ties" passes all rows of one instant to the sort.
 */
export async function nextLive(q: Queries, reads: NextRead[]): Promise<LiveRow[][]> {
  const rows = await q.query<LiveRow & { n: number }>(
    prepared(
      "inapp.nextLive",
      sql`
      with a as materialized (
        select person_key, want, last, ids::uuid[] as ids, versions::integer[] as versions, n
        from unnest(
          (select ${reads.map((one) => one.personKey)}::uuid[]),
          (select ${reads.map((one) => one.want)}::integer[]),
          (select ${reads.map((one) => one.after)}::uuid[]),
          (select ${reads.map(({ hidden }) => list(hidden.map((v) => v.message_id)))}::text[]),
          (select ${reads.map(({ hidden }) => list(hidden.map((v) => v.message_version)))}::text[])
        ) with ordinality as t (person_key, want, last, ids, versions, n))
      select a.n::integer, ${LIVE_COLUMNS}
      from a
      join deliveries last on last.person_key = a.person_key and last.id = a.last
      cross join lateral (
        ${DISTINCT_VERSIONS}
        select one.* from (
          select * from v
          where (v.message_id, v.message_version) not in (select * from unnest(a.ids, a.versions))
          offset 0) v
        cross join lateral (
          select * from deliveries d
          where d.person_key = a.person_key and d.live and d.priority = v.priority
            and d.message_id = v.message_id and d.message_version = v.message_version
            and (d.queued_at, d.id) > (
              case when v.priority < last.priority then '-infinity' else last.queued_at end,
              case when v.priority < last.priority then '00000000-0000-0000-0000-000000000000' else last.id end)
          order by d.queued_at fetch first (a.want) rows with ties) one
        order by one.priority desc, one.queued_at, one.id limit a.want) d
      ${COUNTS_JOIN}`,
    ),
  );
  return byRead(reads, rows);
}

/** An array in PostgreSQL's text form: a parameter can't be an array of arrays of different lengths. */
const list = (values: (string | number)[]): string => `{${values.join(",")}}`;

/** Groups the rows by read. The rows of one read arrive in order; those of different reads may be mixed. */
function byRead<T extends object>(reads: unknown[], rows: (T & { n: number })[]): T[][] {
  const found: T[][] = reads.map(() => []);
  for (const row of rows) found[row.n - 1]?.push(row);
  return found;
}
