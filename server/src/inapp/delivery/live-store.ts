import { prepared, type Queries, sql } from "../../platform/db/index.ts";
import type { Candidate } from "../rules/gates.ts";

/*
 * What is live of a person, in sync's order: priority, queue time, id.
 *
 * Arrays are given as `(select array)`, here and in store.ts. Where PostgreSQL sees how long one is, the plan for this very call
 * looks cheaper than the one for all calls, and it plans every call anew: 0.3 ms, where running it takes 0.1.
 */

/** A live delivery as sync reads it. Numbers, not dates: sync parses six of these for each request. */
export interface LiveRow extends Candidate {
  id: string;
  message_id: string;
  message_version: number;
  /** jsonb as text, to be spliced into the answer without parsing it. */
  content: string | null;
  /** Whether it is a test delivery, whose trace is kept: see test-syncs.ts. */
  test: boolean;
}

/** The columns of a LiveRow, of `deliveries d` joined with COUNTED. */
// date_part and not extract: extract goes by way of numeric, which costs more than reading the row.
export const LIVE = sql`d.id, d.message_id, d.message_version, d.content::text as content, d.source = 'test' as test,
  coalesce(c.impressions, d.impressions) as impressions, date_part('epoch', d.expires_at) * 1000 as expires_at,
  date_part('epoch', coalesce(c.last_impression_at, d.last_impression_at)) * 1000 as last_impression_at`;

/**
 * What the person was shown of the message in all, where its limits are shared. The offset keeps it a look-up of its own, behind
 * a question to the row that was read: for the others no index is opened.
 */
export const COUNTED = sql`left join lateral (
    select n.impressions, n.last_impression_at, n.revision from in_app_counts n
    where d.shared_limits and n.person_key = d.person_key and n.message_id = d.message_id offset 0) c on true`;

export interface First {
  personKey: string;
  want: number;
}

/**
 * The first live deliveries of each person: one index range a person, in one statement for all who ask at once. (On a
 * distributed database `lateral` with a limit can't be fed by `unnest`: this file is the place to choose.)
 */
export async function firstLive(q: Queries, asked: First[]): Promise<LiveRow[][]> {
  const rows = await q.query<LiveRow & { n: number }>(
    prepared(
      "inapp.firstLive",
      sql`
      select a.n::integer, ${LIVE}
      from unnest((select ${asked.map((one) => one.personKey)}::uuid[]), (select ${asked.map((one) => one.want)}::integer[]))
        with ordinality as a (person_key, want, n)
      cross join lateral (
        select * from deliveries d where d.person_key = a.person_key and d.live
        order by d.priority desc, d.queued_at, d.id limit a.want) d
      ${COUNTED}`,
    ),
  );
  return byAsked(asked, rows);
}

/** The live deliveries of one person behind `after`, which need not be live any more itself: the pages of the explainer. */
export const liveBehind = (q: Queries, { personKey, after, want }: Behind & First): Promise<LiveRow[]> =>
  q.query(
    prepared(
      "inapp.liveBehind",
      sql`
      select ${LIVE} from deliveries last
      join deliveries d on d.person_key = last.person_key and d.live and d.priority <= last.priority
        and (d.priority < last.priority or (d.queued_at, d.id) > (last.queued_at, last.id))
      ${COUNTED}
      where last.person_key = ${personKey} and last.id = ${after}
      order by d.priority desc, d.queued_at, d.id limit ${want}`,
    ),
  );

export interface Behind {
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
 * The distinct versions of what `a` has live behind `last`, or beside it. Each step of the recursion jumps to the next version
 * in the index, so that 5,000 deliveries of 2 versions cost three look-ups and not 5,000 rows.
 */
const DISTINCT = sql`
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

/** The versions of what each person has live behind `after`, or beside it. */
export async function versionsBehind(q: Queries, asked: Behind[]): Promise<LiveVersion[][]> {
  const rows = await q.query<LiveVersion & { n: number }>(
    prepared(
      "inapp.versionsBehind",
      sql`
      select a.n::integer, v.message_id, v.message_version
      from unnest((select ${asked.map((one) => one.personKey)}::uuid[]), (select ${asked.map((one) => one.after)}::uuid[]))
        with ordinality as a (person_key, last, n)
      join deliveries last on last.person_key = a.person_key and last.id = a.last
      cross join lateral (${DISTINCT} select * from v) v`,
    ),
  );
  return byAsked(asked, rows);
}

export interface Next extends Behind, First {
  /** Versions whose deliveries are left out. */
  hidden: readonly LiveVersion[];
}

/**
 * The live deliveries behind `after` without those of the hidden versions, whose rows are never touched. One index range a
 * version: it begins behind `after` where the priorities are equal, and at its start where the version's is lower. The index
 * has no id, which would cost each insert 16 bytes more; "with ties" gives all of one instant to the sort that follows.
 */
export async function nextLive(q: Queries, asked: Next[]): Promise<LiveRow[][]> {
  const rows = await q.query<LiveRow & { n: number }>(
    prepared(
      "inapp.nextLive",
      sql`
      with a as materialized (
        select person_key, want, last, ids::uuid[] as ids, versions::integer[] as versions, n
        from unnest((select ${asked.map((one) => one.personKey)}::uuid[]), (select ${asked.map((one) => one.want)}::integer[]),
          (select ${asked.map((one) => one.after)}::uuid[]), (select ${asked.map(({ hidden }) => list(hidden.map((v) => v.message_id)))}::text[]),
          (select ${asked.map(({ hidden }) => list(hidden.map((v) => v.message_version)))}::text[]))
          with ordinality as t (person_key, want, last, ids, versions, n))
      select a.n::integer, ${LIVE}
      from a
      join deliveries last on last.person_key = a.person_key and last.id = a.last
      cross join lateral (
        ${DISTINCT}
        select one.* from (
          select * from v where (v.message_id, v.message_version) not in (select * from unnest(a.ids, a.versions)) offset 0) v
        cross join lateral (
          select * from deliveries d
          where d.person_key = a.person_key and d.live and d.priority = v.priority
            and d.message_id = v.message_id and d.message_version = v.message_version
            and (d.queued_at, d.id) > (
              case when v.priority < last.priority then '-infinity' else last.queued_at end,
              case when v.priority < last.priority then '00000000-0000-0000-0000-000000000000' else last.id end)
          order by d.queued_at fetch first (a.want) rows with ties) one
        order by one.priority desc, one.queued_at, one.id limit a.want) d
      ${COUNTED}`,
    ),
  );
  return byAsked(asked, rows);
}

/** An array as PostgreSQL writes it: a parameter can't be an array of arrays of different lengths. */
const list = (values: (string | number)[]): string => `{${values.join(",")}}`;

/** The rows of one who asked come in order; those of several may come in any. */
function byAsked<T extends object>(asked: unknown[], rows: (T & { n: number })[]): T[][] {
  const found: T[][] = asked.map(() => []);
  for (const row of rows) found[row.n - 1]?.push(row);
  return found;
}
